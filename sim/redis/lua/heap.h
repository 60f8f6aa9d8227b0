// Memory for a Lua state: pooled small blocks, a bound no script can cross, a measure of work.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <memory>
#include <vector>

namespace locklab::redis::lua {

class Heap {
 public:
  static constexpr std::size_t kUnlimited = std::numeric_limits<std::size_t>::max();

  Heap() = default;
  Heap(const Heap&) = delete;
  Heap& operator=(const Heap&) = delete;

  /// As lua_Alloc asks: grows, shrinks, allocates (old_size 0) or frees (new_size 0). nullptr:
  /// refused because of the limit; shrinking and freeing always succeed, as Lua relies on it.
  void* resize(void* block, std::size_t old_size, std::size_t new_size);

  /// Refuses growth beyond `bytes` more than there are now.
  void limit_growth(std::size_t bytes) { ceiling_ = in_use_ + bytes; }
  void lift_limit() { ceiling_ = kUnlimited; }

  [[nodiscard]] std::size_t in_use() const { return in_use_; }
  /// Bytes ever allocated: grows with the work that a script makes the allocator do.
  [[nodiscard]] std::size_t total_allocated() const { return total_allocated_; }
  /// Whether a request was refused since the last call.
  bool take_refused();

 private:
  // Covers strings, tables, closures and small arrays of a lock script; larger ones are rare.
  static constexpr std::size_t kGranule = 16;
  static constexpr std::size_t kPooledMax = 512;
  static constexpr std::size_t kChunkBytes = std::size_t{64} * 1024;

  struct FreeBlock {
    FreeBlock* next = nullptr;
  };

  static bool is_pooled(std::size_t size) { return size != 0 && size <= kPooledMax; }
  static std::size_t class_of(std::size_t size) { return (size - 1) / kGranule; }
  void* take(std::size_t size);
  void give(void* block, std::size_t size);

  std::array<FreeBlock*, kPooledMax / kGranule> free_{};
  std::vector<std::unique_ptr<std::byte[]>> chunks_;
  std::byte* next_ = nullptr;
  std::size_t available_ = 0;
  std::size_t in_use_ = 0;
  std::size_t total_allocated_ = 0;
  std::size_t ceiling_ = kUnlimited;
  bool refused_ = false;
};

}  // namespace locklab::redis::lua
