// Image: all keys of a node as plain values, as a full resynchronisation sends them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

#include "sim/redis/command.h"
#include "sim/redis/keyspace.h"

namespace locklab::redis {

/// One key. Views live in the arena that the image was made in.
struct KeyImage {
  std::string_view key;
  ValueType type = ValueType::string;
  Command value;  // Of a string its text; of a hash name, value, name, value …
  UnixMs expiry = kNoExpiry;
  std::uint64_t creator = 0;
};

/// Sorted by key; expired keys too.
std::span<const KeyImage> image_of(const Keyspace& keys, Arena& arena);
/// Puts the keys of an image in the place of all others.
void load(Keyspace& keys, std::span<const KeyImage> image);

}  // namespace locklab::redis
