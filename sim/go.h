// Go's vocabulary on simulated fibers: channels, select, tickers, contexts, mutexes, wait groups.
// SPDX-License-Identifier: Apache-2.0
//
// Written so that Go code ports line by line. Everything here belongs to one process; fibers switch
// only where they wait, and a wait ends by being woken, by a deadline of the process's monotonic
// clock, or by what strikes the fiber. Boost's own primitives also run, on virtual time, but a
// fiber inside one of them cannot be killed (kernel contract, "Boost.Fiber and Lua").
#pragma once

#include <cstddef>
#include <deque>
#include <initializer_list>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "sim/choice.h"
#include "sim/client.h"
#include "sim/contract.h"
#include "sim/time.h"

namespace locklab {

/// defer: runs its function when the scope ends, however it ends.
template <class F>
class Deferred {
 public:
  explicit Deferred(F function) : function_(std::move(function)) {}
  Deferred(const Deferred&) = delete;
  Deferred& operator=(const Deferred&) = delete;
  ~Deferred() { function_(); }

 private:
  F function_;
};

/// Something a fiber can wait for, alone or in a select.
class Waitable {
 public:
  explicit Waitable(Client& client) : client_(&client) {}
  Waitable(const Waitable&) = delete;
  Waitable& operator=(const Waitable&) = delete;
  virtual ~Waitable() = default;

  virtual bool ready() const = 0;
  /// When it becomes ready by the passing of time alone.
  virtual LocalInstant ready_at() const { return LocalInstant::never(); }
  /// What that deadline is to those who aim a fault at it.
  virtual DeadlineKind deadline_kind() const { return DeadlineKind::sleep; }
  Client& client() const { return *client_; }

 protected:
  /// Wakes all who wait for it; they look again, in the order in which they began to wait.
  void notify();
  /// Parks until the next notify(), whatever ready() says.
  void wait_for_notice();

 private:
  friend class Waiting;
  struct Waiter {
    std::uint32_t fiber;
    std::uint32_t generation;
  };
  Client* client_;
  std::vector<Waiter> waiters_;
};

/// Parks until one is ready. → the index of the first ready one, as if cases were tried in order.
/// Throws what strikes the fiber.
std::size_t select(std::initializer_list<Waitable*> cases);

/// make(chan T, capacity). Capacity 0 hands over directly: the sender waits for a receiver.
template <class T>
class Channel : public Waitable {
 public:
  explicit Channel(Client& client, std::size_t capacity = 0)
      : Waitable(client), capacity_(capacity) {}

  /// `channel <- value`. Sending on a closed channel is a programmer's error.
  void send(T value) {
    SIM_ASSERT(!closed_);
    items_.push_back(std::move(value));
    notify();
    const std::size_t mine = ++sent_;
    while (received_ + capacity_ < mine && client().process_lives())
      room_.wait();
  }
  /// `value, ok := <-channel`: nullopt when it is closed and drained.
  std::optional<T> receive() {
    select({this});
    return take();
  }
  /// Takes what is there without waiting.
  std::optional<T> take() {
    if (items_.empty()) return std::nullopt;
    std::optional<T> value = std::move(items_.front());
    items_.pop_front();
    ++received_;
    room_.announce();
    return value;
  }
  void close() {
    closed_ = true;
    notify();
  }
  bool closed() const { return closed_; }
  bool ready() const override { return closed_ || !items_.empty(); }

 private:
  /// Notified after every receive: senders look whether it was theirs.
  class Room : public Waitable {
   public:
    using Waitable::Waitable;
    bool ready() const override { return false; }
    void wait() { wait_for_notice(); }
    void announce() { notify(); }
  };

  std::size_t capacity_;
  std::deque<T> items_;
  std::size_t sent_ = 0;
  std::size_t received_ = 0;
  bool closed_ = false;
  Room room_{client()};
};

/// time.NewTicker: keeps one tick, however many were missed.
class Ticker : public Waitable {
 public:
  Ticker(Client& client, Duration period);
  bool ready() const override;
  LocalInstant ready_at() const override { return stopped_ ? LocalInstant::never() : next_; }
  DeadlineKind deadline_kind() const override { return DeadlineKind::tick; }
  /// Consumes the tick that select() or wait() has reported.
  void take();
  void wait() {
    select({this});
    take();
  }
  void stop() { stopped_ = true; }

 private:
  Duration period_;
  LocalInstant next_;
  bool stopped_ = false;
};

/// time.After.
class Timeout : public Waitable {
 public:
  Timeout(Client& client, LocalInstant deadline) : Waitable(client), deadline_(deadline) {}
  bool ready() const override { return client().now() >= deadline_; }
  LocalInstant ready_at() const override { return deadline_; }

 private:
  LocalInstant deadline_;
};

/// context.Context: done when it or a parent is cancelled, or its deadline passes.
class Context : public Waitable {
 public:
  /// context.Background(): never done.
  explicit Context(Client& client) : Waitable(client) {}
  /// context.WithCancel(parent), WithDeadline(parent, deadline). The parent must outlive it.
  explicit Context(Context& parent, LocalInstant deadline = LocalInstant::never());
  ~Context() override;

  void cancel();
  bool done() const { return ready(); }
  bool ready() const override;
  LocalInstant ready_at() const override { return deadline_; }
  LocalInstant deadline() const { return deadline_; }
  /// Sleeps, but no longer than the context lives. false: it is done.
  bool sleep_for(Duration length);

 private:
  Context* parent_ = nullptr;
  std::vector<Context*> children_;
  LocalInstant deadline_ = LocalInstant::never();
  bool cancelled_ = false;
};

/// sync.Mutex; first come, first served: nobody overtakes a fiber that already waits.
class Mutex : public Waitable {
 public:
  using Waitable::Waitable;
  void lock();
  bool try_lock();
  void unlock();
  bool ready() const override { return !locked_ && turns_.empty(); }

 private:
  class Turn;
  bool locked_ = false;
  std::deque<std::uint64_t> turns_;  // Of those who wait, in order.
  std::uint64_t next_turn_ = 0;
};

/// sync.Cond on a Mutex.
class CondVar : public Waitable {
 public:
  using Waitable::Waitable;
  /// Returns with the mutex locked, also when an exception ends the wait.
  void wait(Mutex& mutex);
  void notify_one();
  void notify_all();
  bool ready() const override { return false; }

 private:
  class Sleeper;
  std::deque<Sleeper*> sleepers_;
};

/// sync.WaitGroup.
class WaitGroup : public Waitable {
 public:
  using Waitable::Waitable;
  void add(int count) { count_ += count; }
  void done();
  void wait() { select({this}); }
  bool ready() const override { return count_ == 0; }

 private:
  int count_ = 0;
};

}  // namespace locklab
