// Testing: tables of histories with the findings that a property must have of them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "properties/history_testing.h"
#include "properties/property.h"

namespace locklab::testing {

/// A history and what a property must say of it.
struct Case {
  std::string name;
  History history;
  Verdict verdict = Verdict::holds;
  std::vector<std::uint32_t> witness;
  std::uint32_t exercised = 0;
};
Case holds(std::string name, const HistoryBuilder& history, std::uint32_t exercised);
Case violated(std::string name, const HistoryBuilder& history, std::uint32_t exercised,
              std::vector<std::uint32_t> witness);
Case unknown(std::string name, const HistoryBuilder& history, std::uint32_t exercised,
             std::vector<std::uint32_t> witness);

/// What a checker, or a wrong variant of it, says; compared with a case as a whole.
struct Opinion {
  Verdict verdict = Verdict::holds;
  std::vector<std::uint32_t> witness;
  std::uint32_t exercised = 0;
};
bool agrees(const Case& example, const Opinion& opinion);

/// Every case gets its finding, and `why` is there exactly when something is wrong.
void expect_agreement(const Property& property, std::span<const Case> cases);
/// The sentence that the property has for this history.
std::string why(const Property& property, const History& history);

/// A wrong variant of a checker (mutants.txt), compiled from its changed source.
struct Mutant {
  std::string_view change;
  Opinion (*judge)(const History& history) = nullptr;
};

}  // namespace locklab::testing
