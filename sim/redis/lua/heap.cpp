// Free lists by size, cut from chunks that live as long as the state.
// SPDX-License-Identifier: Apache-2.0
#include "sim/redis/lua/heap.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

namespace locklab::redis::lua {

void* Heap::take(std::size_t size) {
  if (!is_pooled(size)) {
    void* block = std::malloc(size);
    if (block == nullptr) throw std::bad_alloc();
    return block;
  }
  FreeBlock*& free = free_[class_of(size)];
  if (free != nullptr) return std::exchange(free, free->next);
  const std::size_t rounded = (class_of(size) + 1) * kGranule;
  if (available_ < rounded) {
    // What is left of the old chunk is lost: less than kPooledMax of kChunkBytes.
    chunks_.emplace_back(new std::byte[kChunkBytes]);
    next_ = chunks_.back().get();
    available_ = kChunkBytes;
  }
  available_ -= rounded;
  return std::exchange(next_, next_ + rounded);
}

void Heap::give(void* block, std::size_t size) {
  if (!is_pooled(size)) {
    std::free(block);
    return;
  }
  FreeBlock*& free = free_[class_of(size)];
  free = new (block) FreeBlock{free};
}

void* Heap::resize(void* block, std::size_t old_size, std::size_t new_size) {
  if (block == nullptr) old_size = 0;
  if (new_size > old_size && new_size - old_size > ceiling_ - std::min(in_use_, ceiling_)) {
    refused_ = true;
    return nullptr;
  }
  void* result = nullptr;
  const bool same_class =
      is_pooled(old_size) && is_pooled(new_size) && class_of(old_size) == class_of(new_size);
  if (same_class) {
    result = block;
  } else if (new_size != 0) {
    result = take(new_size);
    total_allocated_ += new_size;
    if (old_size != 0) std::memcpy(result, block, std::min(old_size, new_size));
  }
  if (!same_class && old_size != 0) give(block, old_size);
  in_use_ += new_size;
  in_use_ -= old_size;
  return result;
}

bool Heap::take_refused() {
  return std::exchange(refused_, false);
}

}  // namespace locklab::redis::lua
