// Replays of recorded runs: identical ones, and where the others leave their record.
// SPDX-License-Identifier: Apache-2.0
#include "search/replay.h"

#include <cstring>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "search/search_testing.h"
#include "search/shrink.h"
#include "sim/net/network.h"
#include "sim/sources.h"

namespace locklab {
namespace {

using ::testing::HasSubstr;
using testing_search::first_violation;
using testing_search::story;

class Replay : public ::testing::Test {
 protected:
  const Execution& run(std::span<const Deviation> choices) {
    source_.load(choices);
    return runner_.run(scenario_, source_);
  }
  TraceFile trace_of(const Execution& execution) const {
    TraceFile trace;
    trace.deviations = normalised({execution.choices.begin(), execution.choices.end()});
    trace.digest = execution.digest;
    trace.records = static_cast<std::uint32_t>(execution.history->records().size());
    const auto checkpoints = execution.history->checkpoints();
    trace.checkpoints.assign(checkpoints.begin(), checkpoints.end());
    trace.marks = marks_of(*execution.history);
    return trace;
  }

  Scenario scenario_ = story("pause-outlives-lease");
  FoundRun found_ = first_violation(scenario_, "double-ownership");
  std::vector<Deviation> shrunk_ = shrink(scenario_, found_.choices, "double-ownership").choices;
  Runner runner_;
  ReplaySource source_;
};

TEST_F(Replay, OfASeedIsIdenticalAndAsExpected) {
  Token token{"pause-outlives-lease", 0, SeedBody{found_.seed, ""}, shown_bits(found_.digest)};
  const ReplayResult result = replay(scenario_, recorded_in(token));
  EXPECT_FALSE(result.divergence.has_value());
  EXPECT_EQ(result.digest, found_.digest);
  EXPECT_TRUE(result.as_expected);
  ASSERT_FALSE(result.findings.empty());
  EXPECT_EQ(result.findings[0].finding.verdict, found_.findings[0].finding.verdict);
  EXPECT_EQ(result.findings[0].finding.why, found_.findings[0].finding.why);
}

TEST_F(Replay, OfAListSaysWhenItsViolationIsNotExpected) {
  const Execution& execution = run(shrunk_);
  Token token{"", 0, ChoiceBody{1, normalised(shrunk_)}, shown_bits(execution.digest)};
  EXPECT_TRUE(replay(scenario_, recorded_in(token)).as_expected);
  scenario_.expect.clear();
  const ReplayResult result = replay(scenario_, recorded_in(token));
  EXPECT_FALSE(result.divergence.has_value());
  EXPECT_FALSE(result.as_expected);
}

TEST_F(Replay, NamesTheFirstAddressThatNoLongerFits) {
  const std::uint32_t digest = shown_bits(run(shrunk_).digest);
  // As after an edit of the lock: the pause stands at an operation that never comes.
  std::vector<Deviation> edited = shrunk_;
  for (Deviation& deviation : edited) {
    if (deviation.address.kind() != ChoiceKind::fault_at_label) continue;
    const Address old = deviation.address;
    deviation.address =
        Address::of(old.cause(), old.actor(), old.kind(), old.label(), old.n() + 1000);
  }
  Token token{"", 0, ChoiceBody{1, normalised(edited)}, digest};
  const ReplayResult result = replay(scenario_, recorded_in(token));
  ASSERT_TRUE(result.divergence.has_value());
  ASSERT_TRUE(result.divergence->misfit.has_value());
  EXPECT_EQ(result.divergence->misfit->address.kind(), ChoiceKind::fault_at_label);
  EXPECT_THAT(result.divergence->text, HasSubstr("fault@label of client-"));
  EXPECT_THAT(result.divergence->text, HasSubstr("the run does not come there"));
  EXPECT_EQ(result.divergence->first_event, 0U);
}

TEST_F(Replay, ToldApartFromAnotherWitnessAtTheSamePlace) {
  std::vector<Deviation> edited = shrunk_;
  const std::uint32_t digest = shown_bits(run(shrunk_).digest);
  edited.back().witness.bits ^= 0x10;
  Token token{"", 0, ChoiceBody{1, normalised(edited)}, digest};
  const ReplayResult result = replay(scenario_, recorded_in(token));
  ASSERT_TRUE(result.divergence && result.divergence->misfit);
  EXPECT_EQ(result.divergence->misfit->address, edited.back().address);
}

TEST_F(Replay, SaysWhenOnlyTheDigestDiffers) {
  Token token{"", 0, ChoiceBody{1, normalised(shrunk_)}, shown_bits(run(shrunk_).digest) ^ 1};
  const ReplayResult listed = replay(scenario_, recorded_in(token));
  ASSERT_TRUE(listed.divergence.has_value());
  EXPECT_FALSE(listed.divergence->misfit.has_value());
  EXPECT_THAT(listed.divergence->text, HasSubstr("every recorded choice is met"));
  token.body = SeedBody{found_.seed, ""};
  const ReplayResult seeded = replay(scenario_, recorded_in(token));
  ASSERT_TRUE(seeded.divergence.has_value());
  EXPECT_THAT(seeded.divergence->text, HasSubstr("the digest differs"));
}

TEST_F(Replay, OfATraceFileIsIdentical) {
  const TraceFile trace = trace_of(run(found_.choices));
  EXPECT_FALSE(replay(scenario_, recorded_in(trace)).divergence.has_value());
}

TEST_F(Replay, NamesTheFirstEventThatDiffers) {
  // The trace of another run of the same story stands for the trace of another build.
  std::vector<Deviation> fewer = shrunk_;
  fewer.pop_back();
  TraceFile trace = trace_of(run(fewer));
  std::vector<Record> there(runner_.simulation().world().history().records().begin(),
                            runner_.simulation().world().history().records().end());
  trace.deviations = normalised(shrunk_);
  const ReplayResult result = replay(scenario_, recorded_in(trace));
  ASSERT_TRUE(result.divergence.has_value());

  const Execution& here = run(shrunk_);
  const std::span<const Record> records = here.history->records();
  std::uint32_t first = 0;
  while (std::memcmp(&records[first], &there[first], sizeof(Record)) == 0)
    ++first;
  const std::uint32_t exact = first + 1;
  EXPECT_EQ(result.divergence->first_event, exact);
  EXPECT_EQ(result.divergence->last_event, exact);
  EXPECT_THAT(result.divergence->text, HasSubstr("is the first that differs"));
}

TEST_F(Replay, SaysWhenTheRunEndsBeforeTheEventThatDiffers) {
  const Execution& execution = run(found_.choices);
  TraceFile trace = trace_of(execution);
  trace.digest ^= 1;
  trace.records += 64;
  trace.checkpoints.push_back(7);
  const std::optional<Divergence> divergence =
      divergence_of(run(found_.choices), recorded_in(trace));
  ASSERT_TRUE(divergence.has_value());
  EXPECT_GE(divergence->last_event, divergence->first_event);
  EXPECT_FALSE(divergence->misfit.has_value());
}

TEST(PlaceOf, NamesLinksActorsAndOperations) {
  History history;
  history.actors = {{"world", ActorKind::world, {}},
                    {"client-1", ActorKind::process, {}},
                    {"redis-1", ActorKind::node, {}}};
  const Span span = Span::of_operation(ActorId{1}, 0, 3, 1);
  EXPECT_EQ(place_of(Address::of(span, link_actor(ActorId{1}, ActorId{2}),
                                 ChoiceKind::delay_at_link, Label::none, 2),
                     history),
            "delay@link from client-1 to redis-1, visit 2, in operation 3, attempt 1 of client-1");
  EXPECT_EQ(place_of(Address::of(Span::of_actor(ActorId{2}), ActorId{2}, ChoiceKind::fault_at_label,
                                 Label::srv_applied, 1),
                     history),
            "fault@label of redis-1 at srv.applied, visit 1");
}

}  // namespace
}  // namespace locklab
