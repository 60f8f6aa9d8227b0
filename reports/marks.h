// Marks: where in a story each violated property shows, in a few words.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "properties/judge.h"
#include "reports/run_view.h"

namespace locklab {

struct Mark {
  std::uint32_t seq = 0;
  std::string text;  // "two inside from here"
};

/// One per violated finding that has a witness, in order of the records. A property that this file
/// does not know is marked by its name.
std::vector<Mark> marks_of(std::span<const NamedFinding> findings);

/// The violated finding that a story is about: that of `tell`, else harm before exposure, cause and
/// progress; nullptr: nothing is violated.
const NamedFinding* headline_of(std::span<const NamedFinding> findings, std::string_view tell = {});
/// Of one run: what breaks a promise of its scenario comes first, then what that wants told.
const NamedFinding* headline_of(const RunView& run);

}  // namespace locklab
