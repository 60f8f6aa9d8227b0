// What a node remembers of scripts: which it has loaded, and where its math.random stands.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace locklab::redis {

/// A script of a ScriptEngine. It names a body, not a node's knowledge of it.
enum class ScriptId : std::uint32_t {};

/// The scripts that one node would find by EVALSHA. Lost on restart, not replicated
/// (redis/src/eval.c evalGenericCommand).
class ScriptCache {
 public:
  [[nodiscard]] bool contains(ScriptId id) const {
    const auto bit = static_cast<std::uint32_t>(id);
    return bit / 64 < words_.size() && (words_[bit / 64] >> (bit % 64) & 1) != 0;
  }
  void insert(ScriptId id) {
    const auto bit = static_cast<std::uint32_t>(id);
    if (bit / 64 >= words_.size()) words_.resize(bit / 64 + 1);
    words_[bit / 64] |= std::uint64_t{1} << (bit % 64);
  }
  void clear() { std::fill(words_.begin(), words_.end(), 0); }

 private:
  std::vector<std::uint64_t> words_;  // One bit per ScriptId.
};

/// The 48-bit linear congruential generator behind math.random. Its state belongs to the server
/// process: it starts at a fixed point and is shared by all scripts (redis/src/rand.c).
class ScriptRandom {
 public:
  /// 31 bits.
  std::uint32_t next() {
    state_ = (state_ * 0x5DEECE66DULL + 0xB) & kMask;
    return static_cast<std::uint32_t>(state_ >> 17);
  }
  void seed(std::uint32_t seed) { state_ = (std::uint64_t{seed} << 16 | 0x330E) & kMask; }
  void reset() { state_ = kStart; }

 private:
  static constexpr std::uint64_t kMask = (std::uint64_t{1} << 48) - 1;
  static constexpr std::uint64_t kStart = 0x1234ABCD330EULL;
  std::uint64_t state_ = kStart;
};

}  // namespace locklab::redis
