// Heap: a region per scope, taken from below or from above, and never used twice.
// SPDX-License-Identifier: Apache-2.0
#include "tests/digest/heap.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <sys/mman.h>

#include "sim/stack_fill.h"

namespace locklab::testing {
namespace {

// Address space, not memory. Regions stay mapped: a pool that a scope has filled may outlive it.
constexpr std::size_t kRegion = std::size_t{512} << 20;

/// In front of every allocation, whoever made it and whichever thread gives it back.
struct alignas(16) Header {
  std::size_t size;
  bool of_a_region;
  unsigned char fill;
};
static_assert(sizeof(Header) == 32 || sizeof(Header) == 16);

struct Region {
  unsigned char* base = nullptr;
  std::size_t used = 0;
  HeapOrder order = HeapOrder::of_the_system;
  unsigned char fill = 0;
};

thread_local Region region;

unsigned char* take(std::size_t bytes) {
  if (region.used + bytes > kRegion) throw std::bad_alloc();
  region.used += bytes;
  return region.order == HeapOrder::ascending ? region.base + region.used - bytes
                                              : region.base + kRegion - region.used;
}

void* allocate(std::size_t size) {
  const bool ours = region.order != HeapOrder::of_the_system;
  const std::size_t bytes =
      sizeof(Header) + (size + alignof(Header) - 1) / alignof(Header) * alignof(Header);
  void* const place = ours ? take(bytes) : std::malloc(bytes);
  if (place == nullptr) throw std::bad_alloc();
  auto* const header = ::new (place) Header{size, ours, region.fill};
  if (ours) std::memset(header + 1, region.fill, size);
  return header + 1;
}

void release(void* pointer) {
  if (pointer == nullptr) return;
  Header* const header = static_cast<Header*>(pointer) - 1;
  if (header->of_a_region) {
    std::memset(pointer, header->fill, header->size);
  } else {
    std::free(header);
  }
}

}  // namespace

HeapScope::HeapScope(HeapOrder order, unsigned char fill) {
  void* const map = mmap(nullptr, kRegion, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (map == MAP_FAILED) throw std::bad_alloc();
  region = {static_cast<unsigned char*>(map), 0, order, fill};
}

HeapScope::~HeapScope() {
  region.order = HeapOrder::of_the_system;
}

void poison_stacks(unsigned char fill) {
  fill_stacks_of_this_thread(fill);
  volatile unsigned char bytes[std::size_t{64} << 10];
  for (volatile unsigned char& byte : bytes)
    byte = fill;
}

}  // namespace locklab::testing

void* operator new(std::size_t size) {
  return locklab::testing::allocate(size);
}
void* operator new[](std::size_t size) {
  return locklab::testing::allocate(size);
}
void operator delete(void* pointer) noexcept {
  locklab::testing::release(pointer);
}
void operator delete[](void* pointer) noexcept {
  locklab::testing::release(pointer);
}
void operator delete(void* pointer, std::size_t) noexcept {
  locklab::testing::release(pointer);
}
void operator delete[](void* pointer, std::size_t) noexcept {
  locklab::testing::release(pointer);
}
