// Judge: all chosen properties over one history, and what a search makes of many.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "properties/lanes.h"
#include "properties/property.h"

namespace locklab {

/// A finding with the property that made it.
struct NamedFinding {
  const Property* property = nullptr;
  Finding finding;
};

/// What a scenario says of its properties; what it does not list must hold. `unknown` is no promise
/// either way: for what happens so rarely that a short search need not meet it.
using Expectation = std::map<std::string, Verdict>;
Verdict expected_of(const Expectation& expect, std::string_view property);

/// The properties with these names, in the order of `all`; all of them if there are no names.
/// nullopt: some name is not there; see first_unknown().
std::optional<std::vector<Property>> choose_properties(std::span<const Property> all,
                                                       std::span<const std::string> names);
/// The first name that no property has; "" if there is none.
std::string_view first_unknown(std::span<const Property> all, std::span<const std::string> names);

/// Reusable: judging a history allocates nothing after the first few, unless something is wrong.
class Judge {
 public:
  explicit Judge(std::vector<Property> properties);
  // Findings point at the properties.
  Judge(const Judge&) = delete;
  Judge& operator=(const Judge&) = delete;

  /// One finding for each property, in their order; valid until the next call. A run that was given
  /// up (EndReason::unsupported) proves nothing: what holds in it is unknown.
  std::span<const NamedFinding> judge(const History& history);

  std::span<const Property> properties() const { return properties_; }
  std::span<const NamedFinding> findings() const { return findings_; }
  const Lanes& lanes() const { return lanes_; }

 private:
  std::vector<Property> properties_;
  std::vector<NamedFinding> findings_;  // One for each property.
  Lanes lanes_;
};

/// The maximum of the verdicts; holds if there are none.
Verdict worst(std::span<const NamedFinding> findings);
/// The first violation that is not expected, by the order of the properties; nullptr: none. This
/// is what makes `run` and `replay` exit 1.
const NamedFinding* unexpected_violation(std::span<const NamedFinding> findings,
                                         const Expectation& expect);

/// One property over a whole search.
struct Tally {
  const Property* property = nullptr;
  std::uint64_t runs = 0;
  std::uint64_t violated = 0;
  std::uint64_t unknown = 0;
  std::uint64_t exercised_runs = 0;  // Runs in which the premise occurred.
  std::uint64_t exercised = 0;

  /// Violated if any run was, else unknown if any run was, else holds.
  Verdict verdict() const;
};

/// An expectation that the search did not meet.
struct Mismatch {
  std::string property;
  Verdict expected = Verdict::holds;
  Verdict actual = Verdict::holds;
};

/// Adds up the findings of many runs of one scenario; this is what `check` judges.
class Tallies {
 public:
  explicit Tallies(std::span<const Property> properties);
  /// As all() gave them.
  static Tallies of(std::vector<Tally> tallies);
  /// Findings of the same properties, in the same order.
  void add(std::span<const NamedFinding> findings);
  /// Those of a search that ran beside this one.
  void merge(const Tallies& other);

  std::span<const Tally> all() const { return tallies_; }
  /// In the order of the properties. A listed property that is not judged is no mismatch.
  std::vector<Mismatch> mismatches(const Expectation& expect) const;

 private:
  std::vector<Tally> tallies_;
};

}  // namespace locklab
