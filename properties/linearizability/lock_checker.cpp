// Lock checker: one pass over the events, with what each client holds and what the lock has seen.
// SPDX-License-Identifier: Apache-2.0

#include "properties/linearizability/lock_checker.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sim/contract.h"

namespace locklab::linearizability {
namespace {

enum class Step : std::uint8_t { fits, does_not, beyond_us };

class Scan {
 public:
  Scan(const Spec& spec, const History& history) : spec_(spec) {
    make_clients(history);
    if (spec.kind == Kind::semaphore) holds_most_ = spec.limit;
    if (spec.kind == Kind::reentrant_mutex || spec.kind == Kind::reentrant_fenced_mutex)
      depth_most_ = spec.limit;
    fenced_ = spec.kind == Kind::fenced_mutex || spec.kind == Kind::reentrant_fenced_mutex;
  }

  Step invoke(const Operation& operation) {
    Client& client = client_of(operation);
    if (client.busy || operation.result == Result::refused) return Step::beyond_us;
    client.busy = true;  // After an unknown result for ever.
    if (operation.function == Function::acquire) return Step::fits;
    if (client.depth == 0) {
      // Only the plain mutex lets somebody release what another has acquired. The others do not,
      // unless an acquire that this client has under way at the same time comes first.
      client.owes = true;
      const bool settled = spec_.kind != Kind::mutex && !operation.is_unknown();
      return settled ? Step::fits : Step::beyond_us;
    }
    --client.depth;
    if (client.depth == 0 || spec_.kind == Kind::semaphore) {
      --holds_;
      fence_ = 0;
    }
    return Step::fits;
  }

  Step complete(const Operation& operation) {
    Client& client = client_of(operation);
    client.busy = false;
    if (operation.function == Function::release) return client.owes ? Step::does_not : Step::fits;
    const bool again = client.depth > 0 && spec_.kind != Kind::semaphore;
    if (again ? client.depth >= depth_most_ : holds_ >= holds_most_) return Step::does_not;
    if (fenced_ && !take_fence(operation.fence)) return Step::does_not;
    ++client.depth;
    holds_ += again ? 0U : 1U;
    return Step::fits;
  }

 private:
  struct Client {
    std::uint32_t depth = 0;
    bool busy = false;
    bool owes = false;  // The acquire before its release.
  };

  /// By their numbers; of few that are among many of a log, by their places among the few.
  void make_clients(const History& history) {
    constexpr std::size_t kSparsest = 8;  // Clients for an operation.
    std::size_t count = 0;
    for (const Operation& operation : history.operations)
      count = std::max<std::size_t>(count, operation.client + std::size_t{1});
    if (count > kSparsest * history.operations.size()) {
      for (const Operation& operation : history.operations)
        numbers_.push_back(operation.client);
      std::sort(numbers_.begin(), numbers_.end());
      count = numbers_.size();
    }
    clients_.resize(count);
  }

  Client& client_of(const Operation& operation) {
    if (numbers_.empty()) return clients_[operation.client];
    const auto place = std::lower_bound(numbers_.begin(), numbers_.end(), operation.client);
    return clients_[static_cast<std::size_t>(place - numbers_.begin())];
  }

  /// Of the hold that there is or is about to be.
  bool take_fence(std::int64_t fence) {
    if (fence == 0) return true;
    if (fence_ != 0) return fence == fence_;
    if (fence <= highest_) return false;
    fence_ = fence;
    highest_ = fence;
    return true;
  }

  const Spec& spec_;
  std::vector<Client> clients_;
  std::vector<std::uint32_t> numbers_;  // Empty: a client's place is its number.
  std::uint32_t holds_ = 0;
  std::uint32_t holds_most_ = 1;
  std::uint32_t depth_most_ = 1;
  bool fenced_ = false;
  std::int64_t fence_ = 0;    // Of the present hold; 0: none is known.
  std::int64_t highest_ = 0;  // Of all holds.
};

}  // namespace

std::optional<Verdict> check_lock(const History& history, const Spec& spec) {
  SIM_ASSERT(spec.is_lock());
  Scan scan(spec, history);
  for (const Event& event : history.events) {
    const Operation& operation = history.operations[event.operation];
    const Step step = event.is_return ? scan.complete(operation) : scan.invoke(operation);
    if (step == Step::beyond_us) return std::nullopt;
    // What follows cannot mend it: with the history each of its beginnings would be linearizable.
    if (step == Step::does_not) return Verdict::violated;
  }
  return Verdict::holds;
}

}  // namespace locklab::linearizability
