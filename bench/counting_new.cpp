// Counting new: replaces the global allocation functions (C++20, [new.delete]).
// SPDX-License-Identifier: Apache-2.0
#include "bench/counting_new.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <execinfo.h>
#include <new>

namespace locklab::bench {
namespace {

constexpr int kFrames = 12;
constexpr int kOwnFrames = 2;  // note() and operator new.
constexpr std::size_t kSitesMax = 64;

struct Site {
  std::array<void*, kFrames> frames{};
  int depth = 0;
  std::uint64_t calls = 0;
};

struct Counter {
  bool counting = false;
  std::uint64_t calls = 0;
  std::uint64_t bytes = 0;
  std::array<Site, kSitesMax> sites{};
  std::size_t site_count = 0;
};

// Constant-initialised: operator new runs before any constructor of this file would.
constinit Counter counter;

void note(std::size_t size) {
  counter.counting = false;  // backtrace() itself may allocate, the first time.
  ++counter.calls;
  counter.bytes += size;
  std::array<void*, kFrames> frames{};
  const int depth = backtrace(frames.data(), kFrames);
  auto* const last = counter.sites.begin() + counter.site_count;
  auto* site = std::find_if(counter.sites.begin(), last,
                            [&frames](const Site& s) { return s.frames == frames; });
  if (site == last && counter.site_count < kSitesMax) {
    *site = {frames, depth, 0};
    ++counter.site_count;
  }
  if (site != counter.sites.end()) ++site->calls;
  counter.counting = true;
}

}  // namespace

AllocationCount::AllocationCount() {
  counter.calls = counter.bytes = 0;
  counter.site_count = 0;
  counter.counting = true;
}

AllocationCount::~AllocationCount() {
  counter.counting = false;
}

std::uint64_t AllocationCount::calls() const {
  return counter.calls;
}
std::uint64_t AllocationCount::bytes() const {
  return counter.bytes;
}

std::string AllocationCount::sites() const {
  counter.counting = false;
  std::sort(counter.sites.begin(), counter.sites.begin() + counter.site_count,
            [](const Site& a, const Site& b) { return a.calls > b.calls; });
  std::string text;
  for (std::size_t i = 0; i < counter.site_count; ++i) {
    const Site& site = counter.sites[i];
    text += std::to_string(site.calls) + " from\n";
    char** const names = backtrace_symbols(site.frames.data(), site.depth);
    for (int f = kOwnFrames; names != nullptr && f < site.depth; ++f) {
      text += std::string("    ") + names[f] + "\n";
    }
    std::free(static_cast<void*>(names));
  }
  return text;
}

}  // namespace locklab::bench

void* operator new(std::size_t size) {
  if (locklab::bench::counter.counting) locklab::bench::note(size);
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}
void* operator new[](std::size_t size) {
  return operator new(size);
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete[](void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
  std::free(memory);
}
