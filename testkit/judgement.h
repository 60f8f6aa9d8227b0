// Judgement: what a search came to, for one question that a test asks about its world.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace locklab {

/// How many schedules to try: seeds from LOCKLAB_SEED on, or from 1.
struct Runs {
  std::int64_t count = 1000;
};
constexpr Runs runs(std::int64_t count) {
  return {count};
}

namespace testkit {
struct Counterexample;
}  // namespace testkit

enum class Reason : std::uint8_t {
  yes,
  violated,         // of what must hold
  not_violated,     // of what must be violated
  unknown,          // in some run nobody can tell
  never_exercised,  // no run put it to the test: nothing is shown
  not_reached,
  not_repeatable,  // the same choices gave two different runs
  cannot_run,      // the world, the number of runs or an environment variable is wrong
  diverged,        // LOCKLAB_REPLAY's run is not the recorded one
  passed_over      // LOCKLAB_REPLAY names another world
};

struct Judgement {
  Reason reason = Reason::yes;
  std::string text;   // Why it is not yes, in a sentence or two.
  std::string token;  // The run that shows it, if one does.
  /// That run, for testkit::told_of(): shrunk and told only when somebody will read it.
  std::shared_ptr<const testkit::Counterexample> shown;

  /// Nothing to complain of.
  explicit operator bool() const { return reason == Reason::yes || reason == Reason::passed_over; }
};

}  // namespace locklab
