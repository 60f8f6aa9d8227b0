// Tests of watchdog-termination: renewals in time, after the end, and without a worker.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "properties/property_cases.h"

namespace locklab::testing {
namespace {

constexpr std::int64_t kWorker = 0;
constexpr std::int64_t kWatchdog = 1;

/// A worker, a grant (record 3) and a watchdog that was started for it.
HoldId with_watchdog(HistoryBuilder& h) {
  h.at(5_ms).fiber_began(kClient1, kWorker);
  const HoldId hold = h.at(10_ms).begin(kClient1);
  h.at(20_ms).granted(hold);
  h.fiber_began(kClient1, kWatchdog, hold);
  h.enter(hold);
  return hold;
}

void renew(HistoryBuilder& h, HoldId hold) {
  h.renew(hold);
  h.renewed(hold);
}

HistoryBuilder as_it_should_be() {
  HistoryBuilder h;
  const HoldId hold = with_watchdog(h);
  h.at(300_ms);
  renew(h, hold);
  h.at(600_ms);
  renew(h, hold);
  h.at(700_ms).leave(hold);
  renew(h, hold);
  h.at(710_ms).fiber_ended(kClient1, kWatchdog);
  h.release(hold);
  h.at(720_ms).released(hold);
  h.fiber_ended(kClient1, kWorker);
  return h;
}

HistoryBuilder without_renewals() {
  HistoryBuilder h;
  const HoldId hold = with_watchdog(h);
  h.at(100_ms).release(hold);
  h.released(hold);
  return h;
}

/// Begun before the release returned; it may end as it likes.
HistoryBuilder in_flight() {
  HistoryBuilder h;
  const HoldId hold = with_watchdog(h);
  h.at(90_ms).leave(hold);
  h.at(100_ms).release(hold);
  h.at(101_ms).renew(hold);
  h.at(110_ms).released(hold);
  h.at(120_ms).key_ttl(hold, hold);
  h.renewed(hold);
  h.fiber_ended(kClient1, kWatchdog);
  return h;
}

/// Sixty-four fibers later: none of their numbers is the worker's, who has not gone in yet.
HistoryBuilder after_many_fibers() {
  HistoryBuilder h;
  h.at(5_ms).fiber_began(kClient1, kWorker);
  const HoldId first = h.at(10_ms).grant(kClient1);
  h.fiber_began(kClient1, kWorker + 64, first);
  h.release(first);
  h.released(first);
  h.fiber_ended(kClient1, kWorker + 64);
  const HoldId hold = h.at(20_ms).grant(kClient1);
  h.fiber_began(kClient1, kWorker + 65, hold);
  h.at(300_ms);
  renew(h, hold);
  return h;
}

HistoryBuilder killed() {
  HistoryBuilder h;
  const HoldId hold = with_watchdog(h);
  h.at(300_ms);
  renew(h, hold);
  h.at(350_ms).kill(kClient1);
  return h;
}

/// The panic of one fiber kills them all.
HistoryBuilder panicked_and_dead() {
  HistoryBuilder h;
  const HoldId hold = with_watchdog(h);
  h.at(300_ms);
  renew(h, hold);
  h.leave(hold, LeaveReason::panicked);
  h.at(350_ms).panic(kClient1, false, kWorker);
  return h;
}

/// The run's limit comes while worker and watchdog are at work.
HistoryBuilder still_held() {
  HistoryBuilder h;
  const HoldId hold = with_watchdog(h);
  h.at(300_ms);
  renew(h, hold);
  h.at(500_ms).run_end(EndReason::virtual_limit);
  return h;
}

/// A worker that renews by itself, between its section and its release too.
HistoryBuilder by_the_worker() {
  HistoryBuilder h;
  h.at(5_ms).fiber_began(kClient1, kWorker);
  const HoldId hold = h.at(10_ms).grant(kClient1);
  renew(h, hold);
  h.enter(hold);
  h.at(300_ms);
  renew(h, hold);
  h.leave(hold);
  renew(h, hold);
  h.release(hold);
  renew(h, hold);
  h.at(310_ms).released(hold);
  return h;
}

/// Whoever asked hands over to a fiber of the hold's own, which goes in later.
HistoryBuilder handed_over() {
  HistoryBuilder h;
  h.at(5_ms).fiber_began(kClient1, kWorker);
  const HoldId hold = h.at(10_ms).grant(kClient1);
  h.fiber_began(kClient1, kWatchdog, hold);
  h.fiber_began(kClient1, 2, hold);
  h.fiber_ended(kClient1, kWorker);
  renew(h, hold);
  h.at(20_ms).enter(hold);
  renew(h, hold);
  h.at(400_ms).leave(hold);
  renew(h, hold);
  h.release(hold);
  h.released(hold);
  h.fiber_ended(kClient1, kWatchdog);
  h.fiber_ended(kClient1, 2);
  return h;
}

/// The same, and the run's limit comes while it is inside.
HistoryBuilder handed_over_and_inside() {
  HistoryBuilder h;
  h.at(5_ms).fiber_began(kClient1, kWorker);
  const HoldId hold = h.at(10_ms).grant(kClient1);
  h.fiber_began(kClient1, kWatchdog, hold);
  h.fiber_began(kClient1, 2, hold);
  h.fiber_ended(kClient1, kWorker);
  h.at(20_ms).enter(hold);
  renew(h, hold);
  h.at(500_ms).run_end(EndReason::virtual_limit);
  return h;
}

/// A worker that renews by itself, and never goes in.
HistoryBuilder renewed_and_unused() {
  HistoryBuilder h;
  h.at(5_ms).fiber_began(kClient1, kWorker);
  const HoldId hold = h.at(10_ms).grant(kClient1);
  renew(h, hold);
  h.at(500_ms).run_end(EndReason::virtual_limit);
  return h;
}

/// A history that knows nothing of fibers accuses none.
HistoryBuilder without_fibers() {
  HistoryBuilder h;
  const HoldId hold = h.at(10_ms).grant(kClient1);
  h.enter(hold);
  h.leave(hold);
  renew(h, hold);
  return h;
}

/// Some other fiber may be the worker.
HistoryBuilder other_fibers_live() {
  HistoryBuilder h;
  h.at(5_ms).fiber_began(kClient1, 2);
  const HoldId hold = with_watchdog(h);
  h.at(300_ms).leave(hold);
  h.fiber_ended(kClient1, kWorker);
  h.at(400_ms);
  renew(h, hold);
  h.at(500_ms).fiber_ended(kClient1, kWatchdog);
  h.fiber_ended(kClient1, 2);
  return h;
}

/// The run ends with the probe's release: what it started is cut off.
HistoryBuilder probe() {
  HistoryBuilder h;
  h.at(5_ms).fiber_began(kClient1, kWorker);
  const HoldId hold = h.at(10_ms).begin(kClient1, kLock, event_flags::kProbe);
  h.granted(hold);
  h.fiber_began(kClient1, kWatchdog, hold);
  renew(h, hold);
  h.release(hold);
  h.at(30_ms).released(hold);
  h.run_end(EndReason::finished);
  return h;
}

Case leaked_past_the_release() {
  HistoryBuilder h;
  const HoldId hold = with_watchdog(h);
  h.at(100_ms);
  renew(h, hold);
  h.leave(hold);
  h.release(hold);
  const std::uint32_t over = h.at(110_ms).released(hold);
  h.at(120_ms).release(hold);
  h.at(130_ms).released(hold, Outcome::not_held);
  const std::uint32_t leaked = h.at(400_ms).renew(hold);
  h.renewed(hold, Outcome::not_held);
  h.at(700_ms);
  renew(h, hold);
  return violated("it renews past the release", h, 1, {over, leaked});
}

Case never_granted() {
  HistoryBuilder h;
  h.at(5_ms).fiber_began(kClient1, kWorker);
  const HoldId hold = h.at(10_ms).begin(kClient1);
  h.fiber_began(kClient1, kWatchdog, hold);
  h.at(15_ms);
  renew(h, hold);
  const std::uint32_t refused = h.at(20_ms).refused(hold);
  const std::uint32_t leaked = h.at(300_ms).renew(hold);
  return violated("it renews what was not granted", h, 1, {refused, leaked});
}

/// The worker's panic is recovered upstream, and nobody releases.
Case leaked_by_a_panic() {
  HistoryBuilder h;
  const HoldId hold = with_watchdog(h);
  h.at(300_ms);
  renew(h, hold);
  h.leave(hold, LeaveReason::panicked);
  const std::uint32_t panicked = h.at(350_ms).panic(kClient1, true, kWorker);
  const std::uint32_t leaked = h.at(600_ms).renew(hold);
  h.renewed(hold);
  return violated("it renews for a worker that panicked", h, 1, {panicked, leaked});
}

Case leaked_before_the_section() {
  HistoryBuilder h;
  h.at(5_ms).fiber_began(kClient1, kWorker);
  const HoldId hold = h.at(10_ms).grant(kClient1);
  h.fiber_began(kClient1, kWatchdog, hold);
  h.fiber_began(kClient1, 2, hold);
  const std::uint32_t ended = h.at(20_ms).fiber_ended(kClient1, kWorker);
  h.at(30_ms).fiber_ended(kClient1, 2);
  h.fiber_ended(kClient2, kWorker);
  const std::uint32_t leaked = h.at(300_ms).renew(hold);
  return violated("the worker never went in", h, 1, {ended, leaked});
}

/// The worker died in its release, which never returned.
Case leaked_in_the_release() {
  HistoryBuilder h;
  const HoldId hold = with_watchdog(h);
  h.at(100_ms).leave(hold);
  h.release(hold);
  const std::uint32_t panicked = h.at(110_ms).panic(kClient1, true, kWorker);
  const std::uint32_t leaked = h.at(300_ms).renew(hold);
  return violated("the worker died in its release", h, 1, {panicked, leaked});
}

/// A watchdog for all holds, started before any: it is the only fiber left.
Case common_watchdog() {
  HistoryBuilder h;
  h.at(5_ms).fiber_began(kClient1, kWorker);
  h.fiber_began(kClient1, kWatchdog);
  const HoldId hold = h.at(10_ms).grant(kClient1);
  h.enter(hold);
  h.at(100_ms).leave(hold);
  renew(h, hold);
  const std::uint32_t ended = h.at(200_ms).fiber_ended(kClient1, kWorker);
  const std::uint32_t leaked = h.at(300_ms).renew(hold);
  return violated("a common watchdog goes on", h, 1, {ended, leaked});
}

Case alive_at_the_end() {
  HistoryBuilder h;
  const HoldId hold = with_watchdog(h);
  h.at(300_ms);
  renew(h, hold);
  h.leave(hold);
  h.release(hold);
  const std::uint32_t over = h.at(400_ms).released(hold);
  const std::uint32_t end = h.at(500_ms).run_end(EndReason::virtual_limit);
  return unknown("it may still renew", h, 1, {over, end});
}

Case alone_at_the_end() {
  HistoryBuilder h;
  const HoldId hold = with_watchdog(h);
  h.at(300_ms);
  renew(h, hold);
  h.leave(hold, LeaveReason::panicked);
  const std::uint32_t panicked = h.at(400_ms).panic(kClient1, true, kWorker);
  const std::uint32_t end = h.at(500_ms).run_end(EndReason::virtual_limit);
  return unknown("it is alone when the run ends", h, 1, {panicked, end});
}

/// The worker's end is the last that is known of the run.
Case alone_with_the_last_record() {
  HistoryBuilder h;
  const HoldId hold = with_watchdog(h);
  h.at(300_ms);
  renew(h, hold);
  h.leave(hold, LeaveReason::panicked);
  const std::uint32_t panicked = h.at(400_ms).panic(kClient1, true, kWorker);
  return unknown("the history ends as it is left alone", h, 1, {panicked});
}

}  // namespace

std::vector<Case> watchdog_termination_cases() {
  return {holds("as it should be", as_it_should_be(), 1),
          holds("without renewals", without_renewals(), 0),
          holds("a renewal in flight", in_flight(), 1),
          holds("after more fibers than a word has bits", after_many_fibers(), 0),
          holds("killed with its worker", killed(), 1),
          holds("a panic that kills the process", panicked_and_dead(), 1),
          holds("held when the run ends", still_held(), 0),
          holds("renewed by the worker itself", by_the_worker(), 1),
          holds("handed over to a fiber of its own", handed_over(), 1),
          holds("handed over, and still inside", handed_over_and_inside(), 0),
          holds("renewed by the worker, and unused", renewed_and_unused(), 0),
          holds("nothing is known of fibers", without_fibers(), 0),
          holds("another fiber lives", other_fibers_live(), 1),
          holds("cut off with the probe", probe(), 1),
          leaked_past_the_release(),
          never_granted(),
          leaked_by_a_panic(),
          leaked_before_the_section(),
          leaked_in_the_release(),
          common_watchdog(),
          alive_at_the_end(),
          alone_at_the_end(),
          alone_with_the_last_record()};
}

namespace {

TEST(WatchdogTermination, AgreesWithItsCases) {
  expect_agreement(watchdog_termination(), watchdog_termination_cases());
}

TEST(WatchdogTermination, NamesWhatEndedAndWhatWentOn) {
  EXPECT_EQ(why(watchdog_termination(), leaked_past_the_release().history),
            "client-1 began to renew lock:order-42 at 400.000ms, although its release had returned "
            "at 110.000ms");
  EXPECT_EQ(why(watchdog_termination(), never_granted().history),
            "client-1 began to renew lock:order-42 at 300.000ms, although it was not granted, at "
            "20.000ms");
  EXPECT_EQ(why(watchdog_termination(), leaked_by_a_panic().history),
            "client-1 began to renew lock:order-42 at 600.000ms, although the worker is gone since "
            "350.000ms");
  EXPECT_EQ(why(watchdog_termination(), alive_at_the_end().history),
            "a fiber that client-1 started for lock:order-42 is alive when the run ends at "
            "500.000ms and may renew it, although its release had returned at 400.000ms");
}

}  // namespace
}  // namespace locklab::testing
