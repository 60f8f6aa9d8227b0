// Testing: compares findings with tables.
// SPDX-License-Identifier: Apache-2.0
#include "properties/testing.h"

#include <utility>

#include <gtest/gtest.h>

namespace locklab::testing {

Case holds(std::string name, const HistoryBuilder& history, std::uint32_t exercised) {
  return {std::move(name), history.history(), Verdict::holds, {}, exercised};
}
Case violated(std::string name, const HistoryBuilder& history, std::uint32_t exercised,
              std::vector<std::uint32_t> witness) {
  return {std::move(name), history.history(), Verdict::violated, std::move(witness), exercised};
}
Case unknown(std::string name, const HistoryBuilder& history, std::uint32_t exercised,
             std::vector<std::uint32_t> witness) {
  return {std::move(name), history.history(), Verdict::unknown, std::move(witness), exercised};
}

bool agrees(const Case& example, const Opinion& opinion) {
  return example.verdict == opinion.verdict && example.witness == opinion.witness &&
         example.exercised == opinion.exercised;
}

void expect_agreement(const Property& property, std::span<const Case> cases) {
  Lanes lanes;
  for (const Case& example : cases) {
    SCOPED_TRACE(example.name);
    lanes.read(example.history);

    const Finding finding = property.check(example.history, lanes);

    EXPECT_EQ(name_of(finding.verdict), name_of(example.verdict)) << finding.why;
    EXPECT_EQ(finding.witness, example.witness) << finding.why;
    EXPECT_EQ(finding.exercised, example.exercised);
    EXPECT_EQ(finding.why.empty(), example.verdict == Verdict::holds) << finding.why;
  }
}

std::string why(const Property& property, const History& history) {
  Lanes lanes;
  lanes.read(history);
  return property.check(history, lanes).why;
}

}  // namespace locklab::testing
