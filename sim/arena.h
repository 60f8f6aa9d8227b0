// Bump storage for what lives until the next reset: replies, argument vectors, copies of values.
// SPDX-License-Identifier: Apache-2.0
//
// Memory is handed out in order and freed all at once. Blocks are kept by reset(), so a loop that
// resets its arena in each round stops allocating after the round that needed most.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

namespace locklab {

class Arena {
 public:
  /// Enough for the commands, replies and effects of a few lock operations.
  static constexpr std::size_t kBlockBytes = 4096;

  Arena() = default;
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;
  Arena(Arena&&) = default;
  Arena& operator=(Arena&&) = default;

  /// Uninitialised bytes, aligned for any scalar. They live until reset().
  std::byte* allocate(std::size_t bytes) {
    const std::size_t rounded = (bytes + kAlignment - 1) & ~(kAlignment - 1);
    if (rounded > available_) next_block(rounded);
    std::byte* result = next_;
    next_ += rounded;
    available_ -= rounded;
    used_ += rounded;
    return result;
  }

  /// `count` value-initialised elements.
  template <class T>
  std::span<T> make_array(std::size_t count) {
    static_assert(std::is_trivially_destructible_v<T>, "The arena runs no destructors.");
    static_assert(alignof(T) <= kAlignment);
    if (count == 0) return {};
    T* first = reinterpret_cast<T*>(allocate(count * sizeof(T)));
    std::uninitialized_value_construct_n(first, count);
    return {first, count};
  }

  std::string_view copy(std::string_view text) {
    if (text.empty()) return {};
    char* first = reinterpret_cast<char*>(allocate(text.size()));
    std::memcpy(first, text.data(), text.size());
    return {first, text.size()};
  }

  template <class T>
  std::span<const T> copy(std::span<const T> elements) {
    std::span<T> result = make_array<T>(elements.size());
    std::copy(elements.begin(), elements.end(), result.begin());
    return result;
  }

  /// The parts joined into one text.
  template <class... Parts>
  std::string_view concat(const Parts&... parts) {
    return join({std::string_view(parts)...});
  }

  /// Invalidates all that was handed out; keeps the memory.
  void reset() {
    used_blocks_ = 0;
    next_ = nullptr;
    available_ = 0;
    used_ = 0;
  }

  /// Bytes handed out since the last reset.
  [[nodiscard]] std::size_t used() const { return used_; }

  /// Bytes that the arena holds, used or not: constant once a loop is warm.
  [[nodiscard]] std::size_t capacity() const {
    std::size_t total = 0;
    for (const Block& block : blocks_)
      total += block.size;
    return total;
  }

 private:
  static constexpr std::size_t kAlignment = alignof(std::max_align_t);
  static_assert(kAlignment <= __STDCPP_DEFAULT_NEW_ALIGNMENT__);

  struct Block {
    std::unique_ptr<std::byte[]> bytes;
    std::size_t size = 0;
  };

  std::string_view join(std::initializer_list<std::string_view> parts) {
    std::size_t size = 0;
    for (std::string_view part : parts)
      size += part.size();
    if (size == 0) return {};
    char* first = reinterpret_cast<char*>(allocate(size));
    char* end = first;
    for (std::string_view part : parts)
      end = std::copy(part.begin(), part.end(), end);
    return {first, size};
  }

  void next_block(std::size_t bytes) {
    // Skipped blocks that are too small stay in place: the same demands meet the same blocks again.
    while (used_blocks_ < blocks_.size() && blocks_[used_blocks_].size < bytes)
      ++used_blocks_;
    if (used_blocks_ == blocks_.size()) {
      const std::size_t size = std::max(bytes, kBlockBytes);
      Block block;
      block.bytes.reset(new std::byte[size]);
      block.size = size;
      blocks_.push_back(std::move(block));
    }
    next_ = blocks_[used_blocks_].bytes.get();
    available_ = blocks_[used_blocks_].size;
    ++used_blocks_;
  }

  std::vector<Block> blocks_;
  std::size_t used_blocks_ = 0;
  std::byte* next_ = nullptr;
  std::size_t available_ = 0;
  std::size_t used_ = 0;
};

}  // namespace locklab
