// Parts of why: what each of its questions works on.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "search/questions.h"
#include "search/trial.h"
#include "search/why.h"

namespace locklab::why {

/// The run that is explained, and how to try others beside it.
struct Case {
  const Scenario& scenario;
  const WhyOptions& options;
  Trial& trial;
  Explanation& result;
  std::vector<Question> questions = {};   // Of the run.
  std::vector<Offer> offers = {};         // By Question::offer.
  std::vector<Record> fault_begins = {};  // Of the run, in order.
  std::uint32_t record_count = 0;
  std::uint64_t planned = 0;  // Runs, about.
  bool stopped = false;

  const Question* question(const Address& address) const;
  /// The choices with another value at a place; a witness that matches whatever is met there.
  std::vector<Deviation> with_value(const Address& address, std::uint64_t value) const;
  std::vector<Deviation> without(const Address& address) const;
  /// After each run. true: go on.
  bool go_on();
};

/// One value of a fault, tried.
struct Sample {
  FaultValue value;
  Duration length;
  Duration size;
  bool violated = false;
  Duration of(Amount amount) const { return amount == Amount::length ? length : size; }
};

/// The run with this value of a fault. nullopt: it does not strike with it.
std::optional<Sample> sample_of(Case& about, const Deviation& fault);
/// Whether the role is needed, and what other values do.
void weigh(Case& about, Role& role);
/// Thresholds of a fault. → the samples of the value order that it was found by.
std::vector<Sample> find_thresholds(Case& about, Role& role);
/// The points to which the run is rewound, without their counts.
std::vector<Rewind> points_of(const Case& about);
/// Fills in rewinds, cause and no_return.
void rewind(Case& about);

/// The fault's own record in a run: where it struck and with which amounts. nullptr: it did not.
const Record* begin_of(std::span<const Record> fault_begins, const Deviation& fault);
std::vector<Record> fault_begins_of(const History& history);

/// The story with a fault of explicit amounts in the place of a drawn one.
class Plan {
 public:
  /// `at`: the fault's own record in the run.
  Plan(const Case& about, const Deviation& fault, const Record& at);
  /// How the property is violated with these amounts; nullopt: it is not.
  std::optional<Signature> run(Duration length, Duration size);

 private:
  const Case& about_;
  std::vector<Deviation> others_;
  PlannedFault fault_;
};

}  // namespace locklab::why
