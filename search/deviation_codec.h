// Deviation codec: a list of deviations as few bytes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "search/byte_codec.h"
#include "sim/choice.h"

namespace locklab {

/// Appends the deviations, which must be normalised().
void put_deviations(Bytes& out, std::span<const Deviation> deviations);

/// Reads to the end. nullopt: not what put_deviations writes, or more than `most`.
std::optional<std::vector<Deviation>> take_deviations(ByteReader& in, std::size_t most);

}  // namespace locklab
