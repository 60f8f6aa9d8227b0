// Matchers: what a test expects of one run, and of two.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>

#include <gmock/gmock.h>

#include "sim/fault_kind.h"
#include "testkit/test_run.h"

namespace locklab {

/// Some records of a run, in words and as a test. "client-1", "redis-1", "resource": actors.
struct EventPattern {
  std::string what;
  std::function<bool(const History& history, const Record& record)> is;
};
/// Any record of this kind; of this actor, if one is named.
EventPattern event(EventKind kind, std::string_view actor = {});
/// The client was granted the lock; its program went inside; left; its release returned.
EventPattern granted(std::string_view client);
EventPattern entered(std::string_view client);
EventPattern left(std::string_view client);
EventPattern released(std::string_view client);
/// A server's clock says that the key has expired.
EventPattern expired(std::string_view key);
/// The node became the primary.
EventPattern promoted(std::string_view node);
/// A fault of this kind struck.
EventPattern struck(FaultKind kind);

namespace testkit {

class VerdictMatcher {
 public:
  using is_gtest_matcher = void;  // NOLINT(readability-identifier-naming)
  VerdictMatcher(PropertyMaker property, Verdict wanted) : property_(property), wanted_(wanted) {}
  // NOLINTBEGIN(readability-identifier-naming): GoogleMock's names.
  bool MatchAndExplain(const TestRun& run, ::testing::MatchResultListener* listener) const;
  void DescribeTo(std::ostream* out) const;
  void DescribeNegationTo(std::ostream* out) const;
  // NOLINTEND(readability-identifier-naming)

 private:
  PropertyMaker property_;
  Verdict wanted_;
};

class OrderMatcher {
 public:
  using is_gtest_matcher = void;  // NOLINT(readability-identifier-naming)
  OrderMatcher(EventPattern first, EventPattern then)
      : first_(std::move(first)), then_(std::move(then)) {}
  // NOLINTBEGIN(readability-identifier-naming): GoogleMock's names.
  bool MatchAndExplain(const TestRun& run, ::testing::MatchResultListener* listener) const;
  void DescribeTo(std::ostream* out) const;
  void DescribeNegationTo(std::ostream* out) const;
  // NOLINTEND(readability-identifier-naming)

 private:
  EventPattern first_;
  EventPattern then_;
};

/// Same choices, whatever they came to.
::testing::AssertionResult same_schedule(const char* a_text, const char* b_text, const TestRun& a,
                                         const TestRun& b);

}  // namespace testkit

// NOLINTBEGIN(readability-identifier-naming): as GoogleMock names matchers.
/// The run puts the property to the test, and it holds.
inline ::testing::Matcher<const TestRun&> Holds(PropertyMaker property) {
  return testkit::VerdictMatcher(property, Verdict::holds);
}
inline ::testing::Matcher<const TestRun&> Violates(PropertyMaker property) {
  return testkit::VerdictMatcher(property, Verdict::violated);
}
/// Both happen, and the first time of the one comes before the first time of the other.
inline ::testing::Matcher<const TestRun&> HappensBefore(EventPattern first, EventPattern then) {
  return testkit::OrderMatcher(std::move(first), std::move(then));
}
// NOLINTEND(readability-identifier-naming)

}  // namespace locklab
