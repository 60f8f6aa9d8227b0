// locklab in GoogleTest: what a failed expectation prints and records.
// SPDX-License-Identifier: Apache-2.0
#include "testkit/gtest.h"

#include <iostream>

#include "testkit/counterexample.h"

namespace locklab::testkit {

::testing::AssertionResult is_yes(const char*, const Judgement& judgement) {
  const auto keep = [](const std::string& token) {
    if (!token.empty()) ::testing::Test::RecordProperty("locklab.replay", token);
  };
  keep(judgement.token);
  if (judgement) return ::testing::AssertionSuccess();
  if (!judgement.shown) return ::testing::AssertionFailure() << judgement.text;
  // Before it is shrunk: whatever happens now, this is known.
  std::cout << "locklab: " << judgement.text << "\n" << std::flush;
  const Told told = testkit::told(*judgement.shown);
  keep(told.token);
  return ::testing::AssertionFailure() << judgement.text << "\n" << told.text;
}

}  // namespace locklab::testkit
