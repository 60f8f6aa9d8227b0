// Redlock: the same SET on all of N independent nodes, held with a majority in time.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/lock.h"
#include "models/scripts.h"

namespace locklab {

/// Source: redis.io, "Distributed Locks with Redis", "The Redlock Algorithm"; its steps are
/// numbered.
class Redlock : public Lock {
 public:
  Acquired acquire(Client& client, const LockRequest& request) override {
    // Step 1: the current time, by our own clock.
    const std::string_view nonce = client.new_nonce();
    const LocalInstant start = client.now();

    // Step 2: the same key and nonce on all nodes, at the same time, with a timeout far below the
    // TTL.
    const Answers answers =
        client.all_nodes().set_all(request.key, nonce, {.nx = true, .px = request.ttl});
    std::size_t granted = 0;
    bool unknown = false;
    for (const Answer& answer : answers) {
      granted += answer.is_ok() ? 1 : 0;
      unknown = unknown || answer.is_unknown();
    }
    client.reach(Label::acq_after_quorum);

    // Steps 3 and 4: held with a majority, and only for the time that is left. The margin covers
    // the drift between clocks.
    const Lease lease{
        .key = request.key, .nonce = nonce, .until = start + request.ttl - request.margin};
    if (granted >= quorum(answers.size()) && in_time(client, lease)) {
      return Acquired::lease_of(lease);
    }

    // Step 5: undo on all nodes, also on those that seemed to refuse.
    undo(client, lease);
    return unknown ? Acquired::unknown() : Acquired::refused();
  }

  Outcome release(Client& client, const Lease& lease) override {
    const Answers answers =
        client.all_nodes().eval_all(scripts::kCompareAndDelete, {lease.key}, {lease.nonce});
    std::size_t deleted = 0;
    std::size_t absent = 0;
    for (const Answer& answer : answers) {
      deleted += answer.is_integer(1) ? 1 : 0;
      absent += answer.is_integer(0) ? 1 : 0;
    }
    const std::size_t needed = quorum(answers.size());
    if (deleted >= needed) return Outcome::released;
    return absent > answers.size() - needed ? Outcome::not_held : Outcome::unknown;
  }

 protected:
  // What the broken ones do otherwise.
  virtual std::size_t quorum(std::size_t nodes) const { return nodes / 2 + 1; }
  virtual bool in_time(Client& client, const Lease& lease) { return valid(client, lease); }
  virtual void undo(Client& client, const Lease& lease) { release(client, lease); }
};

}  // namespace locklab
