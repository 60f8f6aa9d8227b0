// Go's vocabulary: one way of waiting beneath all of it.
// SPDX-License-Identifier: Apache-2.0
#include "sim/go.h"

#include <algorithm>

#include "sim/contract.h"
#include "sim/process.h"

namespace locklab {

void Waitable::notify() {
  // Woken fibers register anew when they wait again.
  const std::vector<Waiter> waiters = std::exchange(waiters_, {});
  for (const Waiter& waiter : waiters) {
    client_->process().wake({waiter.fiber, waiter.generation});
  }
}

/// Registration of the running fiber with the waitables of one select; undone on every way out.
class Waiting {
 public:
  Waiting(std::initializer_list<Waitable*> cases, const Process::WaitId& id)
      : cases_(cases), id_(id) {
    for (Waitable* waitable : cases_)
      waitable->waiters_.push_back({id.fiber, id.generation});
  }
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;
  ~Waiting() {
    for (Waitable* waitable : cases_) {
      std::erase_if(waitable->waiters_, [this](const Waitable::Waiter& waiter) {
        return waiter.fiber == id_.fiber && waiter.generation == id_.generation;
      });
    }
  }

 private:
  std::initializer_list<Waitable*> cases_;
  Process::WaitId id_;
};

std::size_t select(std::initializer_list<Waitable*> cases) {
  SIM_ASSERT(cases.size() > 0);
  Process& process = (*cases.begin())->client().process();
  for (;;) {
    LocalInstant deadline = LocalInstant::never();
    DeadlineKind kind = DeadlineKind::none;
    std::size_t index = 0;
    for (Waitable* waitable : cases) {
      if (waitable->ready()) return index;
      if (waitable->ready_at() < deadline) {
        deadline = waitable->ready_at();
        kind = waitable->deadline_kind();
      }
      ++index;
    }
    const Waiting waiting(cases, process.next_wait());
    process.wait(deadline, kind);
    if (!process.alive()) return 0;  // A destructor of the dead: it waits for nothing.
  }
}

void Waitable::wait_for_notice() {
  Process& process = client_->process();
  const Waiting waiting({this}, process.next_wait());
  process.wait(LocalInstant::never(), DeadlineKind::none);
}

Ticker::Ticker(Client& client, Duration period)
    : Waitable(client), period_(period), next_(client.now() + period) {
  SIM_ASSERT(period > Duration());
}

bool Ticker::ready() const {
  return !stopped_ && client().now() >= next_;
}

void Ticker::take() {
  const LocalInstant now = client().now();
  next_ = next_ + period_;
  // Ticks that nobody took are dropped; the rhythm stays.
  if (next_ <= now) next_ = next_ + period_ * (times_in(period_, now - next_) + 1);
}

Context::Context(Context& parent, LocalInstant deadline)
    : Waitable(parent.client()),
      parent_(&parent),
      deadline_(std::min(deadline, parent.deadline_)),
      cancelled_(parent.cancelled_) {
  parent.children_.push_back(this);
}

Context::~Context() {
  if (parent_ != nullptr) std::erase(parent_->children_, this);
  for (Context* child : children_)
    child->parent_ = nullptr;
}

void Context::cancel() {
  cancelled_ = true;
  for (Context* child : children_)
    child->cancel();
  notify();
}

bool Context::ready() const {
  return cancelled_ || client().now() >= deadline_;
}

bool Context::sleep_for(Duration length) {
  Timeout timeout(client(), client().now() + length);
  return select({this, &timeout}) == 1;
}

/// The place of a fiber that waits for a mutex; given up on every way out.
class Mutex::Turn {
 public:
  explicit Turn(Mutex& mutex) : mutex_(mutex), number_(mutex.next_turn_++) {
    mutex_.turns_.push_back(number_);
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;
  ~Turn() {
    std::erase(mutex_.turns_, number_);
    mutex_.notify();
  }
  bool has_come() const { return !mutex_.locked_ && mutex_.turns_.front() == number_; }

 private:
  Mutex& mutex_;
  std::uint64_t number_;
};

void Mutex::lock() {
  if (try_lock()) return;
  const Turn turn(*this);
  // The dead take it without waiting: their destructors give it back, and nobody is left to care.
  while (!turn.has_come() && client().process_lives())
    wait_for_notice();
  locked_ = true;
}
bool Mutex::try_lock() {
  if (!ready()) return false;
  return locked_ = true;
}
void Mutex::unlock() {
  SIM_ASSERT(locked_ || !client().process_lives());
  locked_ = false;
  notify();
}

/// A fiber that sleeps on a condition: it leaves with the mutex locked, whatever woke it.
class CondVar::Sleeper {
 public:
  Sleeper(CondVar& condition, Mutex& mutex) : condition_(condition), mutex_(mutex) {
    condition_.sleepers_.push_back(this);
    mutex_.unlock();
  }
  Sleeper(const Sleeper&) = delete;
  Sleeper& operator=(const Sleeper&) = delete;
  ~Sleeper() noexcept(false) {
    std::erase(condition_.sleepers_, this);
    mutex_.lock();
  }
  bool called = false;

 private:
  CondVar& condition_;
  Mutex& mutex_;
};

void CondVar::wait(Mutex& mutex) {
  Sleeper self(*this, mutex);
  while (!self.called && client().process_lives())
    wait_for_notice();
}
void CondVar::notify_one() {
  if (sleepers_.empty()) return;
  sleepers_.front()->called = true;
  sleepers_.pop_front();
  notify();
}
void CondVar::notify_all() {
  while (!sleepers_.empty())
    notify_one();
}

void WaitGroup::done() {
  SIM_ASSERT(count_ > 0);
  if (--count_ == 0) notify();
}

}  // namespace locklab
