// The virtual std::chrono::steady_clock: replaces libstdc++'s at link time.
// SPDX-License-Identifier: Apache-2.0
//
// Boost.Fiber converts every timeout to steady_clock, so this is the only place where code that was
// not written for the simulator can be given virtual time.
#include <chrono>
#include <time.h>

#include "sim/fibers.h"

namespace locklab {
namespace {

thread_local const Instant* virtual_now = nullptr;

}  // namespace

void FiberPool::set_virtual_clock(const Instant* now) {
  virtual_now = now;
}

}  // namespace locklab

std::chrono::steady_clock::time_point std::chrono::steady_clock::now() noexcept {
  if (locklab::virtual_now != nullptr) {
    return time_point(duration(locklab::record_bits(*locklab::virtual_now)));
  }
  timespec real{};
  clock_gettime(CLOCK_MONOTONIC, &real);
  return time_point(std::chrono::seconds(real.tv_sec) + std::chrono::nanoseconds(real.tv_nsec));
}
