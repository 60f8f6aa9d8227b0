// Tests of eventual-release: acquired in time, blocked, and all that proves neither.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "properties/property_cases.h"

namespace locklab::testing {
namespace {

HistoryBuilder acquired_after(Duration wait) {
  HistoryBuilder h;
  h.at(5000_ms).probe_begin(2_s);
  h.at(5000_ms + wait).probe_acquired(kClient1);
  h.at(9000_ms).run_end(EndReason::finished);
  return h;
}

HistoryBuilder acquired_twice() {
  HistoryBuilder h;
  h.at(5000_ms).probe_begin(2_s);
  h.at(5100_ms).probe_acquired(kClient3);
  h.at(8100_ms).probe_acquired(kClient1);
  h.at(9000_ms).run_end(EndReason::virtual_limit);
  return h;
}

Case no_probe() {
  HistoryBuilder h;
  h.at(10_ms).grant(kClient1);
  h.at(20_ms).run_end(EndReason::finished);
  return unknown("a run without a probe", h, 0, {});
}

Case too_late() {
  return unknown("later than the bound", acquired_after(microseconds(2'000'001)), 1, {2});
}

Case cut_off(EndReason reason) {
  HistoryBuilder h;
  h.at(5000_ms).probe_begin(2_s);
  h.at(6000_ms).run_end(reason);
  return unknown("ends too early", h, 1, {2});
}

Case no_end() {
  HistoryBuilder h;
  h.at(5000_ms).probe_begin(2_s);
  return unknown("the history just ends", h, 1, {1});
}

Case blocked() {
  HistoryBuilder h;
  h.at(5000_ms).probe_begin(2_s);
  h.at(6200_ms).probe_blocked(BlockingFact::live_watchdog);
  h.at(6201_ms).run_end(EndReason::repeats);
  return violated("blocked", h, 1, {1, 2});
}

Case blocked_after_one() {
  HistoryBuilder h;
  h.at(5000_ms).probe_begin(2_s);
  h.at(5100_ms).probe_acquired(kClient3);
  h.at(6200_ms).probe_blocked(BlockingFact::fence_lock_out);
  return violated("the next one is blocked", h, 1, {1, 3});
}

Case repeats() {
  HistoryBuilder h;
  h.at(5000_ms).probe_begin(2_s);
  h.at(6200_ms).run_end(EndReason::repeats);
  return violated("the run ends because its state repeats", h, 1, {1, 2});
}

/// The first suffix proves nothing about the second.
Case second_probe() {
  HistoryBuilder h;
  h.at(5000_ms).probe_begin(2_s);
  h.at(5100_ms).probe_acquired(kClient3);
  h.at(6000_ms).probe_begin(2_s);
  h.at(9000_ms).run_end(EndReason::step_limit);
  return unknown("the last probe counts", h, 1, {4});
}

}  // namespace

std::vector<Case> eventual_release_cases() {
  return {holds("acquired at once", acquired_after(Duration()), 1),
          holds("acquired at the bound", acquired_after(2_s), 1),
          holds("the first to acquire counts", acquired_twice(), 1),
          no_probe(),
          too_late(),
          cut_off(EndReason::virtual_limit),
          cut_off(EndReason::finished),
          cut_off(EndReason::unsupported),
          no_end(),
          second_probe(),
          blocked(),
          blocked_after_one(),
          repeats()};
}

namespace {

TEST(EventualRelease, AgreesWithItsCases) {
  expect_agreement(eventual_release(), eventual_release_cases());
}

TEST(EventualRelease, NamesTheBlockingFact) {
  EXPECT_EQ(why(eventual_release(), blocked().history),
            "nobody can get the lock after the faults stopped at 5000.000ms: at 6200.000ms the "
            "state repeats, and a watchdog renews for a worker that has ended");
  EXPECT_EQ(why(eventual_release(), repeats().history),
            "nobody can get the lock after the faults stopped at 5000.000ms: at 6200.000ms the "
            "state repeats, and nothing that is still to happen frees the lock");
}

TEST(EventualRelease, SaysWhyItIsUnknown) {
  EXPECT_EQ(why(eventual_release(), no_probe().history), "the run has no liveness probe");
  EXPECT_EQ(why(eventual_release(), cut_off(EndReason::step_limit).history),
            "the run reached its limit of steps at 6000.000ms before anybody got the lock after "
            "the faults stopped at 5000.000ms");
  EXPECT_EQ(why(eventual_release(), acquired_after(3_s).history()),
            "nobody got the lock until 3s after the faults stopped at 5000.000ms, past "
            "the bound of 2s");
}

}  // namespace
}  // namespace locklab::testing
