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
  Waiting(std::initializer_list<Waitable*> cases, const Process::WaitId& id) : cases_(cases), id_(id) {
    for (Waitable* waitable : cases_) waitable->waiters_.push_back({id.fiber, id.generation});
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
  bool woken = false;
  for (;;) {
    LocalInstant deadline = LocalInstant::never();
    std::size_t index = 0;
    for (Waitable* waitable : cases) {
      if (waitable->ready()) return index;
      deadline = std::min(deadline, waitable->ready_at());
      ++index;
    }
    if (woken && cases.size() == 1) return 0;  // A wake-up without a state, as Room gives it.
    const Waiting waiting(cases, process.next_wait());
    woken = process.wait(deadline, DeadlineKind::sleep);
  }
}

Ticker::Ticker(Client& client, Duration period)
    : Waitable(client), period_(period), next_(client.now() + period) {
  SIM_ASSERT(period > Duration());
}

bool Ticker::ready() const { return !stopped_ && client().now() >= next_; }

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
  for (Context* child : children_) child->parent_ = nullptr;
}

void Context::cancel() {
  cancelled_ = true;
  for (Context* child : children_) child->cancel();
  notify();
}

bool Context::ready() const { return cancelled_ || client().now() >= deadline_; }

bool Context::sleep_for(Duration length) {
  Timeout timeout(client(), client().now() + length);
  return select({this, &timeout}) == 1;
}

void Mutex::lock() {
  while (!try_lock()) select({this});
}
bool Mutex::try_lock() {
  if (locked_) return false;
  return locked_ = true;
}
void Mutex::unlock() {
  SIM_ASSERT(locked_);
  locked_ = false;
  notify();
}

void CondVar::wait(Mutex& mutex) {
  auto turn = std::make_shared<Channel<bool>>(client(), 1);
  sleepers_.push_back(turn);
  mutex.unlock();
  turn->receive();
  mutex.lock();
}
void CondVar::notify_one() {
  if (sleepers_.empty()) return;
  sleepers_.front()->send(true);
  sleepers_.pop_front();
}
void CondVar::notify_all() {
  while (!sleepers_.empty()) notify_one();
}

void WaitGroup::done() {
  SIM_ASSERT(count_ > 0);
  if (--count_ == 0) notify();
}

}  // namespace locklab
