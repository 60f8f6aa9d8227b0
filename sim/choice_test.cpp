// Choices: addresses, visit counts, clamping, and what is recorded as taken.
// SPDX-License-Identifier: Apache-2.0
#include "sim/choice.h"

#include <vector>

#include <gtest/gtest.h>

#include "sim/contract.h"
#include "sim/sources.h"
#include "sim/testing.h"

namespace locklab {
namespace {

using testing::ScriptedSource;

constexpr Span kSpan = Span::of_operation(ActorId{1}, 0, 3, 1);
constexpr ActorId kNode{7};
constexpr Witness kWitness{9};

std::uint64_t choose(Choices& choices, ChoiceKind kind = ChoiceKind::promote,
                     std::uint64_t bound = 4, Span span = kSpan, ActorId actor = kNode) {
  return choices.choose(kind, span, actor, Label::none, bound, kWitness);
}

TEST(Address, GivesBackItsParts) {
  const Address address =
      Address::of(kSpan, kNode, ChoiceKind::fault_at_label, Label::wd_sent, 70'000);
  EXPECT_EQ(address.cause(), kSpan);
  EXPECT_EQ(address.actor(), kNode);
  EXPECT_EQ(address.kind(), ChoiceKind::fault_at_label);
  EXPECT_EQ(address.label(), Label::wd_sent);
  EXPECT_EQ(address.n(), 70'000U);
}

TEST(FaultValue, IsTheSameAfterPacking) {
  FaultValue value;
  value.kind = FaultKind::freeze;
  value.target = 200;
  value.length = Bucket::at(DeadlineKind::fault_end, ActorId{63}, 15, Bucket::Side::after);
  value.fine = 63;
  value.second = 65'535;
  EXPECT_EQ(FaultValue::unpack(value.pack()), value);
  EXPECT_EQ(value.length.deadline(), DeadlineKind::fault_end);
  EXPECT_EQ(value.length.owner(), ActorId{63});
  EXPECT_EQ(value.length.ordinal(), 15U);
  EXPECT_EQ(value.length.side(), Bucket::Side::after);
  EXPECT_TRUE(value.length.is_deadline());
  EXPECT_FALSE(Bucket::constant(Bucket::twice_ttl).is_deadline());
}

TEST(Witness, IsNeverTheOneThatMatchesAll) {
  EXPECT_NE(witness_of(0, 0), kAnyWitness);
  EXPECT_NE(witness_of(1, 2), witness_of(2, 1));
  EXPECT_NE(witness_of(1, 2, 3), witness_of(1, 2));
}

TEST(Choices, AreAllBenignOnceSettled) {
  ScriptedSource source;
  source.set(ChoiceKind::promote, 3);
  Choices choices;
  choices.begin(source);
  EXPECT_EQ(choose(choices), 3U);
  choices.settle();
  EXPECT_EQ(choose(choices), 0U);
  EXPECT_EQ(choices.visits(), 2U);
  choices.begin(source);
  EXPECT_EQ(choose(choices), 3U);
}

TEST(Choices, CountVisitsOfEachTupleFromOneDrawnOrNot) {
  ScriptedSource source;
  Choices choices;
  choices.begin(source);
  choose(choices);                                               // n = 1
  choices.pass(ChoiceKind::promote, kSpan, kNode, Label::none);  // n = 2
  choose(choices, ChoiceKind::promote, 1);                       // n = 3, nothing to choose from
  choose(choices, ChoiceKind::promote, 4, Span{1});              // another span
  choose(choices, ChoiceKind::detect);                           // another kind
  choose(choices, ChoiceKind::promote, 4, kSpan, ActorId{8});    // another actor
  choose(choices);                                               // n = 4
  std::vector<std::uint32_t> numbers;
  for (const auto& draw : source.draws())
    numbers.push_back(draw.address.n());
  EXPECT_EQ(numbers, (std::vector<std::uint32_t>{1, 1, 1, 1, 4}));
  EXPECT_EQ(choices.visits(), 7U);
}

TEST(Choices, StartAgainFromOneInTheNextExecution) {
  ScriptedSource source;
  Choices choices;
  for (int execution = 0; execution < 3; ++execution) {
    choices.begin(source);
    choose(choices);
    choose(choices);
    ASSERT_EQ(source.draws().size(), 2U);
    EXPECT_EQ(source.draws()[0].address.n(), 1U);
    EXPECT_EQ(source.draws()[1].address.n(), 2U);
    EXPECT_EQ(choices.visits(), 2U);
  }
}

TEST(Choices, KeepCountingWhenTheTableGrows) {
  ZeroSource source;
  Choices choices;
  choices.begin(source);
  for (std::uint64_t span = 1; span <= 5000; ++span)
    choose(choices, ChoiceKind::work, 2, Span{span});
  ScriptedSource second;
  VisitCounter counter;
  for (std::uint64_t span = 1; span <= 5000; ++span)
    EXPECT_EQ(counter.visit(span, 5), 1U);
  for (std::uint64_t span = 1; span <= 5000; ++span)
    EXPECT_EQ(counter.visit(span, 5), 2U);
  counter.reset();
  EXPECT_EQ(counter.visit(1, 5), 1U);
}

TEST(Choices, ClampAValueAndNeverWrapIt) {
  ScriptedSource source;
  source.set(ChoiceKind::promote, 1'000'000);
  Choices choices;
  choices.begin(source);
  EXPECT_EQ(choose(choices, ChoiceKind::promote, 4), 3U);
  EXPECT_EQ(choose(choices, ChoiceKind::promote, 1), 0U);
  ASSERT_EQ(choices.taken().size(), 1U);
  EXPECT_EQ(choices.taken()[0].value, 3U);  // What was taken, not what was asked for.
}

TEST(Choices, RecordWhatDeviatesAndNothingElse) {
  ScriptedSource source;
  source.set(ChoiceKind::promote, 2, {.nth = 2});
  Choices choices;
  choices.begin(source);
  for (int i = 0; i < 3; ++i)
    choose(choices);
  ASSERT_EQ(choices.taken().size(), 1U);
  EXPECT_EQ(choices.taken()[0].address.n(), 2U);
  EXPECT_EQ(choices.taken()[0].value, 2U);
  EXPECT_EQ(choices.taken()[0].witness, kWitness);
}

TEST(Choices, RecordAFaultOnlyWhenItIsAccepted) {
  ZeroSource source;
  Choices choices;
  choices.begin(source);
  const Address first = choices.visit_fault(kSpan, kNode, Label::acq_sent);
  const Address second = choices.visit_fault(kSpan, kNode, Label::acq_sent);
  EXPECT_EQ(first.n(), 1U);
  EXPECT_EQ(second.n(), 2U);
  EXPECT_EQ(first.kind(), ChoiceKind::fault_at_label);
  EXPECT_TRUE(choices.taken().empty());
  choices.accept_fault(second, 5, kWitness);
  EXPECT_EQ(choices.taken().size(), 1U);
  EXPECT_THROW(choices.accept_fault(second, 0, kWitness), ContractFailure);
}

TEST(FreeDimensions, AreTheThreeThatTheContractNames) {
  for (int kind = 0; kind < static_cast<int>(ChoiceKind::count); ++kind) {
    const auto k = static_cast<ChoiceKind>(kind);
    const bool free =
        k == ChoiceKind::start_phase || k == ChoiceKind::poll_phase || k == ChoiceKind::work;
    EXPECT_EQ(is_free_dimension(k), free) << name_of(k);
  }
}

}  // namespace
}  // namespace locklab
