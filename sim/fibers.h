// FiberPool: Boost.Fiber contexts that the world's main loop resumes one at a time.
// SPDX-License-Identifier: Apache-2.0
//
// The main loop owns time and resumes fibers directly; a parked fiber returns to the main loop.
// Contexts and stacks are kept and reused, so that an execution allocates none. Boost never appears
// in this header. Kernel contract, "Boost.Fiber and Lua".
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sim/time.h"

namespace locklab {

/// Where a fiber stands after resume() has returned.
enum class FiberState : std::uint8_t {
  idle,     // free to be spawned again
  ready,    // spawned, never run
  parked,   // in park()
  foreign,  // blocked inside a Boost primitive: only that primitive may wake it
  running
};

class FiberPool {
 public:
  using Body = void (*)(void* argument);
  static constexpr std::uint32_t kNone = UINT32_MAX;

  /// The pool of this thread. Boost.Fiber has one scheduler per thread, so there is one pool.
  static FiberPool& of_thread();

  FiberPool(const FiberPool&) = delete;
  FiberPool& operator=(const FiberPool&) = delete;
  ~FiberPool();

  /// Takes an idle fiber (or makes one); its first resume() calls body(argument), which must not
  /// let an exception escape. → its id, small and dense.
  std::uint32_t spawn(Body body, void* argument);
  /// From the main loop only. Returns when the fiber has parked, ended or blocked elsewhere.
  FiberState resume(std::uint32_t id);
  /// From a fiber only: back to the main loop until resumed.
  void park();
  /// kNone on the main loop.
  std::uint32_t current() const { return current_; }
  FiberState state(std::uint32_t id) const;
  /// Leaves a fiber that is blocked inside a Boost primitive for good. Its stack is lost.
  void abandon(std::uint32_t id);

  /// Fibers that a Boost primitive has made ready since the last call; they may be resumed.
  std::vector<std::uint32_t> take_awakened();
  /// Runs Boost's dispatcher once, so that its own timers (sleep_for, wait_until) fire at virtual
  /// time. → when it wants to be called again; never(): nobody sleeps.
  Instant poll_foreign_timers();

  /// std::chrono::steady_clock::now() of this thread reads *now while it is set (linked in by
  /// sim/steady_clock.cpp); nullptr gives back the real clock.
  static void set_virtual_clock(const Instant* now);

 private:
  FiberPool();
  struct Impl;
  std::unique_ptr<Impl> impl_;
  std::uint32_t current_ = kNone;
};

}  // namespace locklab
