// Watchdog: the single-instance lock whose lease is renewed in the background, and its mistakes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "models/redlock.h"
#include "models/set_nx_px.h"
#include "sim/go.h"

namespace locklab {

/// A lock whose lease is renewed at a third of the TTL, for as long as the caller works:
///
///   1. the end of the work, however it comes, stops the watchdog: it lives in the caller's
///   context;
///   2. release stops it first and waits for it, then deletes the key;
///   3. a renewal that is told "not yours" cancels the work;
///   4. so does a deadline that no renewal has moved: it runs from before the last good one was
///   sent.
///
/// The hooks are what the broken ones do otherwise. Source: Redisson 3, RedissonBaseLock,
/// scheduleExpirationRenewal: a third of lockWatchdogTimeout.
template <class Inner>
class Renewed : public Inner {
 public:
  void forget() override { watch_.reset(); }

  Acquired acquire(Client& client, const LockRequest& request) override {
    const LocalInstant sent = client.now();
    Acquired acquired = Inner::acquire(client, request);
    if (acquired.outcome != Outcome::acquired) return acquired;
    acquired.lease.until = deadline(client, sent, request);
    if (client.now() < acquired.lease.until) {
      start(client, request, acquired.lease);
      return acquired;
    }
    Inner::release(client, acquired.lease);
    return Acquired::refused();
  }

  Outcome release(Client& client, const Lease& lease) override {
    if (watch_) stop(*watch_);
    return Inner::release(client, lease);
  }

  bool valid(Client& client, const Lease& lease) override {
    const bool watched = watch_ && watch_->lease.nonce == lease.nonce;
    return client.now() < (watched ? watch_->lease.until : lease.until);
  }

 protected:
  /// What the watchdog of one hold has for itself; it may outlive the program's use of it.
  struct Watch {
    Watch(Client& program, const LockRequest& asked, const Lease& granted, bool tied)
        : client(program),
          request(asked),
          lease(granted),
          background(client),
          stop(tied ? *asked.context : background),
          ended(client) {}
    Client client;
    LockRequest request;
    Lease lease;
    Context background;
    Context stop;
    WaitGroup ended;
  };

  virtual bool is_tied() const { return true; }
  virtual LocalInstant deadline(Client&, LocalInstant sent, const LockRequest& request) const {
    return sent + request.ttl - request.margin;
  }
  virtual Outcome renew(Client& client, const LockRequest& request, const Lease& lease) = 0;
  /// A renewal was refused. true: go on all the same.
  virtual bool goes_on(Holder& holder) {
    holder.lost();
    return false;
  }

  virtual void start(Client& client, const LockRequest& request, const Lease& lease) {
    watch_ = std::make_shared<Watch>(client, request, lease, is_tied());
    watch_->ended.add(1);
    client.go([this, watch = watch_] {
      const Deferred done([&watch] { watch->ended.done(); });
      run(*watch);
    });
  }
  virtual void stop(Watch& watch) {
    watch.stop.cancel();
    watch.ended.wait();
  }

  void run(Watch& watch) {
    Client& client = watch.client;
    watch.request.holder->watching();
    Ticker ticker(client, watch.request.ttl / 3);
    while (!watch.stop.done()) {
      Timeout deadline(client, watch.lease.until);
      const std::size_t woken_by = select({&watch.stop, &deadline, &ticker});
      if (woken_by == 0) return;
      if (woken_by == 1) return watch.request.holder->lost();
      ticker.take();
      if (!tick(watch)) return;
    }
  }
  /// false: nothing is left to renew.
  bool tick(Watch& watch) {
    Client& client = watch.client;
    Holder& holder = *watch.request.holder;
    client.reach(Label::wd_before_tick);
    const LocalInstant sent = client.now();
    holder.renewing();
    const Outcome outcome = renew(client, watch.request, watch.lease);
    client.reach(Label::wd_result);
    if (outcome == Outcome::renewed) watch.lease.until = deadline(client, sent, watch.request);
    holder.renewed(outcome, watch.lease.until);
    return outcome != Outcome::not_held || goes_on(holder);
  }

  std::shared_ptr<Watch> watch_;
};

/// Renewed by compare-and-expire.
class Watchdog : public Renewed<SetNxPx> {
 protected:
  Outcome renew(Client& client, const LockRequest& request, const Lease& lease) override {
    return outcome_of(client.redis().eval(scripts::kCompareAndExpire, {lease.key},
                                          {lease.nonce, client.in_milliseconds(request.ttl)}));
  }
  static Outcome outcome_of(const Answer& renewed) {
    if (renewed.is_integer(1)) return Outcome::renewed;
    return renewed.is_integer(0) ? Outcome::not_held : Outcome::unknown;
  }
};

/// Redlock's lease, extended on a majority of the nodes. Source: redis.io, "Distributed Locks with
/// Redis", "Making the algorithm more reliable: Extending the lock".
class RedlockWatchdog : public Renewed<Redlock> {
 protected:
  Outcome renew(Client& client, const LockRequest& request, const Lease& lease) override {
    const Answers answers =
        client.all_nodes().eval_all(scripts::kCompareAndExpire, {lease.key},
                                    {lease.nonce, client.in_milliseconds(request.ttl)});
    std::size_t renewed = 0;
    std::size_t absent = 0;
    for (const Answer& answer : answers) {
      renewed += answer.is_integer(1) ? 1 : 0;
      absent += answer.is_integer(0) ? 1 : 0;
    }
    const std::size_t needed = quorum(answers.size());
    if (renewed >= needed) return Outcome::renewed;
    return absent > answers.size() - needed ? Outcome::not_held : Outcome::unknown;
  }
};

}  // namespace locklab
