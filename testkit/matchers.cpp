// Matchers: look at the findings, the order of records and the choices of runs.
// SPDX-License-Identifier: Apache-2.0
#include "testkit/matchers.h"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "search/replay.h"
#include "search/token.h"

namespace locklab {
namespace {

bool is_actor(const History& history, const Record& record, std::string_view name) {
  return name.empty() || history.actors[record.actor].name == name;
}

EventPattern returned(std::string_view what, std::string_view client, Operation operation,
                      std::optional<Outcome> outcome) {
  return {std::string(client) + " " + std::string(what),
          [client = std::string(client), operation, outcome](const History& history,
                                                             const Record& record) {
            const bool such = record.kind == EventKind::op_return &&
                              record.arg == static_cast<std::int64_t>(operation) &&
                              !record.has(event_flags::kProbe);
            return such && is_actor(history, record, client) &&
                   (!outcome || record.result == static_cast<std::int64_t>(*outcome));
          }};
}

/// nullptr: it never happens.
const Record* first_of(const TestRun& run, const EventPattern& pattern) {
  for (const Record& record : run.history().records()) {
    if (pattern.is(run.history(), record)) return &record;
  }
  return nullptr;
}

std::string when(const EventPattern& pattern, const Record* record) {
  if (record == nullptr) return pattern.what + " never";
  return pattern.what + " first at " + to_string(record->at());
}

}  // namespace

EventPattern event(EventKind kind, std::string_view actor) {
  std::string what(name_of(kind));
  if (!actor.empty()) what += " of " + std::string(actor);
  return {std::move(what),
          [kind, actor = std::string(actor)](const History& history, const Record& record) {
            return record.kind == kind && is_actor(history, record, actor);
          }};
}

EventPattern granted(std::string_view client) {
  return returned("is granted the lock", client, Operation::acquire, Outcome::acquired);
}
EventPattern released(std::string_view client) {
  return returned("has released", client, Operation::release, std::nullopt);
}
EventPattern entered(std::string_view client) {
  return {std::string(client) + " enters", event(EventKind::section_enter, client).is};
}
EventPattern left(std::string_view client) {
  return {std::string(client) + " leaves", event(EventKind::section_leave, client).is};
}
EventPattern promoted(std::string_view node) {
  return {std::string(node) + " is promoted", event(EventKind::promoted, node).is};
}
EventPattern expired(std::string_view key) {
  return {std::string(key) + " expires",
          [key = std::string(key)](const History& history, const Record& record) {
            return record.kind == EventKind::key_lost && !record.has(event_flags::kReplica) &&
                   history.text(record.lock) == key;
          }};
}
EventPattern struck(FaultKind kind) {
  return {"a " + std::string(name_of(kind)) + " strikes",
          [kind](const History&, const Record& record) {
            const auto bits = static_cast<std::uint64_t>(record.arg);
            return record.kind == EventKind::fault_begin && FaultValue::unpack(bits).kind == kind;
          }};
}

namespace testkit {

bool VerdictMatcher::MatchAndExplain(const TestRun& run,
                                     ::testing::MatchResultListener* listener) const {
  if (!run.problem().empty()) return false;
  const Finding finding = run.finding(property_);
  const bool proves = wanted_ != Verdict::holds || finding.exercised > 0;
  if (finding.verdict == wanted_ && proves) return true;
  if (!listener->IsInterested()) return false;
  if (finding.verdict == Verdict::holds) {
    *listener << (proves ? "in which it holds" : "which never puts it to the test");
    return false;
  }
  ::testing::Test::RecordProperty("locklab.replay", run.token());
  *listener << "in which it is " << name_of(finding.verdict) << "\n\n" << run.told(property_);
  return false;
}

void VerdictMatcher::DescribeTo(std::ostream* out) const {
  *out << property_().name << (wanted_ == Verdict::holds ? " holds" : " is violated");
}
void VerdictMatcher::DescribeNegationTo(std::ostream* out) const {
  *out << property_().name << (wanted_ == Verdict::holds ? " does not hold" : " is not violated");
}

bool OrderMatcher::MatchAndExplain(const TestRun& run,
                                   ::testing::MatchResultListener* listener) const {
  if (!run.problem().empty()) return false;
  const Record* const first = first_of(run, first_);
  const Record* const then = first_of(run, then_);
  *listener << "in which " << when(first_, first) << ", and " << when(then_, then);
  return first != nullptr && then != nullptr && first->seq < then->seq;
}

void OrderMatcher::DescribeTo(std::ostream* out) const {
  *out << first_.what << " before " << then_.what;
}
void OrderMatcher::DescribeNegationTo(std::ostream* out) const {
  *out << "it is not so that " << first_.what << " before " << then_.what;
}

::testing::AssertionResult same_schedule(const char* a_text, const char* b_text, const TestRun& a,
                                         const TestRun& b) {
  for (const TestRun* const run : {&a, &b}) {
    if (!run->problem().empty()) return ::testing::AssertionFailure() << run->problem();
  }
  const std::vector<Deviation> of_a = normalised({a.choices().begin(), a.choices().end()});
  const std::vector<Deviation> of_b = normalised({b.choices().begin(), b.choices().end()});
  const auto same = [](const Deviation& x, const Deviation& y) {
    return x.address == y.address && x.value == y.value;
  };
  const auto [x, y] = std::mismatch(of_a.begin(), of_a.end(), of_b.begin(), of_b.end(), same);
  if (x == of_a.end() && y == of_b.end()) return ::testing::AssertionSuccess();
  const bool in_a = y == of_b.end() || (x != of_a.end() && x->address < y->address);
  const std::string place =
      in_a ? place_of(x->address, a.history()) : place_of(y->address, b.history());
  return ::testing::AssertionFailure()
         << a_text << " (" << of_a.size() << " choices) and " << b_text << " (" << of_b.size()
         << " choices) have different schedules; the first choice that only one of them has, or "
            "has so, is "
         << place;
}

}  // namespace testkit
}  // namespace locklab
