// Engines: what each strategy proposes, that threads change nothing, and that a token repeats it.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "search/certificate_testing.h"
#include "search/questions.h"
#include "search/replay.h"
#include "search/search_testing.h"
#include "search/strategies/catalogue.h"
#include "search/strategies/enumeration.h"
#include "search/strategies/mutation.h"
#include "search/strategies/priorities.h"
#include "search/strategies/shape.h"
#include "search/strategies/single_deviation.h"
#include "search/strategies/uniform.h"
#include "search/token.h"

namespace locklab {
namespace {

using testing_search::story;

// The first number of deepening that fails in this story is 179; all others come sooner.
constexpr std::uint64_t kNumbers = 250;

SearchResult search_with(const StrategyInfo& strategy, const Scenario& scenario, unsigned jobs) {
  const Laboratory laboratory;
  const std::unique_ptr<Engine> engine = strategy.make(scenario, laboratory);
  return explore(scenario, {1, kNumbers, false}, jobs, {}, laboratory, engine.get());
}

class Strategies : public ::testing::TestWithParam<std::string_view> {
 protected:
  const StrategyInfo& strategy() const { return *find_strategy(GetParam()); }
};

std::vector<std::string_view> names() {
  std::vector<std::string_view> names;
  for (const StrategyInfo& strategy : all_strategies())
    names.push_back(strategy.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(All, Strategies, ::testing::ValuesIn(names()), [](const auto& name) {
  std::string text(name.param);
  std::erase(text, '-');
  return text;
});

TEST_P(Strategies, FindALateWriteTheSameOnAnyNumberOfJobs) {
  const Scenario scenario = story("late-write");
  const SearchResult one = search_with(strategy(), scenario, 1);
  const SearchResult three = search_with(strategy(), scenario, 3);
  EXPECT_EQ(one.runs, kNumbers);
  EXPECT_EQ(one.steps, three.steps);
  EXPECT_EQ(one.runs_with, three.runs_with);
  std::size_t violated = 0;
  for (std::size_t i = 0; i < one.first_violations.size(); ++i) {
    const std::optional<FoundRun>& a = one.first_violations[i];
    const std::optional<FoundRun>& b = three.first_violations[i];
    EXPECT_EQ(one.tallies.all()[i].violated, three.tallies.all()[i].violated);
    ASSERT_EQ(a.has_value(), b.has_value());
    if (!a) continue;
    ++violated;
    EXPECT_EQ(a->seed, b->seed);
    EXPECT_EQ(a->digest, b->digest);
    EXPECT_EQ(a->choices, b->choices);
  }
  EXPECT_GT(violated, 0U);
}

Token token_of(const Scenario& scenario, const FoundRun& run) {
  return {scenario.name, shown_bits(scenario.hash), {}, shown_bits(run.digest)};
}

TEST_P(Strategies, AreRepeatedByTheirChoicesAndByTheirNumber) {
  const Scenario scenario = story("late-write");
  const SearchResult result = search_with(strategy(), scenario, 1);
  std::size_t tried = 0;
  for (const std::optional<FoundRun>& found : result.first_violations) {
    if (!found) continue;
    ++tried;
    Token token = token_of(scenario, *found);
    token.body = ChoiceBody{History::kModelEpoch, found->choices};
    EXPECT_FALSE(replay(scenario, recorded_in(token)).divergence.has_value());
    if (!strategy().by_number) continue;
    token.body = SeedBody{found->seed, std::string(strategy().name)};
    const TokenResult read = parse_token(to_string(token));
    ASSERT_EQ(read.error, "");
    EXPECT_FALSE(replay(scenario, recorded_in(read.token)).divergence.has_value());
  }
  EXPECT_GT(tried, 0U);
}

TEST_P(Strategies, ProposeTheSameForANumberWhateverCameBefore) {
  const Scenario scenario = story("late-write");
  const Laboratory laboratory;
  const std::unique_ptr<Engine> engine = strategy().make(scenario, laboratory);
  engine->begin(1);
  Runner runner;
  const auto digest = [&](Proposer& proposer, std::uint64_t number) {
    return runner.run(scenario, *proposer.at(number)).digest;
  };
  const std::unique_ptr<Proposer> busy = engine->proposer();
  for (const std::uint64_t number : {150ULL, 3ULL, 90ULL}) {
    const std::uint64_t again = digest(*busy, number);
    EXPECT_EQ(digest(*engine->proposer(), number), again) << number;
  }
}

TEST(Strategies, HaveNamesThatTokensCanCarry) {
  std::set<std::string_view> seen;
  for (const StrategyInfo& strategy : all_strategies()) {
    EXPECT_TRUE(seen.insert(strategy.name).second);
    Token token{"x", 1, SeedBody{1, std::string(strategy.name)}, 1};
    EXPECT_EQ(parse_token(to_string(token)).error, "");
  }
  EXPECT_EQ(all_strategies().front().name, kSwarm);
  EXPECT_EQ(find_strategy("magic"), nullptr);
}

/// What a run was asked, and what the source said.
std::vector<Question> questions_of(const Scenario& scenario, ChoiceSource& source) {
  Runner runner;
  ListeningSource listening(source, runner.simulation().world().history());
  runner.run(scenario, listening);
  return listening.questions();
}

bool is_order(const Question& question) {
  return question.bound > 1 && !is_free_dimension(question.address.kind());
}

/// The levels that agree with all that the actor was asked.
unsigned levels_of(const std::vector<Question>& questions, ActorId actor) {
  unsigned fitting = 0;
  for (std::uint64_t level = 0; level < 8; ++level) {
    const bool fits = std::all_of(questions.begin(), questions.end(), [&](const Question& q) {
      return !is_order(q) || q.address.actor() != actor || q.answer == (q.bound - 1) * level / 7;
    });
    fitting += fits ? 1 : 0;
  }
  return fitting;
}

struct Seen {
  unsigned faults = 0;
  unsigned changed = 0;  // Actors without one level for the whole run.
};

Seen seen_at_depth(std::uint32_t depth) {
  const Scenario scenario = story("late-write");
  const Priorities engine(scenario, Laboratory{}, depth);
  const std::unique_ptr<Proposer> proposer = engine.proposer();
  Seen seen;
  for (std::uint64_t number = 1; number <= 20; ++number) {
    const std::vector<Question> questions = questions_of(scenario, *proposer->at(number));
    std::set<ActorId> actors;
    for (const Question& question : questions) {
      if (question.bound == 0 && question.answer != 0) ++seen.faults;
      if (is_order(question)) actors.insert(question.address.actor());
    }
    EXPECT_GT(actors.size(), 3U);
    for (const ActorId actor : actors)
      seen.changed += levels_of(questions, actor) == 0 ? 1 : 0;
  }
  return seen;
}

TEST(Priorities, OfDepthOneAreOneLevelForEachActorAndNoFault) {
  const Seen seen = seen_at_depth(1);
  EXPECT_EQ(seen.faults, 0U);
  EXPECT_EQ(seen.changed, 0U);
}

TEST(Priorities, OfDepthThreeChangeAtTwoPoints) {
  // A change point strikes, or drops somebody, with even odds: none of either in 40 is 2^-40.
  const Seen seen = seen_at_depth(3);
  EXPECT_GT(seen.faults, 0U);
  EXPECT_GT(seen.changed, 0U);
  EXPECT_LE(seen.faults + seen.changed, 40U);
}

/// Of its choices of order, in hundredths: those that are not the default.
std::uint64_t share_of_deviations(const Scenario& scenario, ChoiceSource& source) {
  std::uint64_t asked = 0;
  std::uint64_t deviating = 0;
  for (const Question& question : questions_of(scenario, source)) {
    if (!is_order(question)) continue;
    ++asked;
    deviating += question.answer != 0 ? 1 : 0;
  }
  return deviating * 100 / asked;
}

TEST(Uniform, IsAlikeInAllRunsWhereTheSwarmDiffers) {
  const Scenario scenario = story("late-write");
  const Uniform engine(scenario, Laboratory{});
  const std::unique_ptr<Proposer> proposer = engine.proposer();
  SeededSource seeded(0);
  std::uint64_t sparsest = 100;
  for (std::uint64_t number = 1; number <= 20; ++number) {
    const std::uint64_t share = share_of_deviations(scenario, *proposer->at(number));
    EXPECT_GT(share, 70U) << number;
    seeded.reseed(number);
    sparsest = std::min(sparsest, share_of_deviations(scenario, seeded));
  }
  EXPECT_LT(sparsest, 10U);
}

TEST(Singles, AreTheCalmRunsThenEachSingleDeviationOnceAndThenEnd) {
  const Scenario scenario = testing_search::lost_answers();
  Bound bound;
  bound.deviations = 1;
  bound.orders = 2;
  const std::uint64_t cells = cell_count(bound.phases, scenario.client_count());
  Runner runner;
  const PhaseCell cell(bound.phases, scenario.client_count(), 0);
  const std::vector<PathStep> steps = single_deviations(runner, scenario, bound, cell);
  std::multiset<std::uint64_t> expected;
  SingleDeviation one_by_one(bound, cell, steps);
  while (ChoiceSource* const source = one_by_one.next())
    expected.insert(runner.run(scenario, *source).digest);

  const Singles engine(scenario, Laboratory{});
  const std::unique_ptr<Proposer> proposer = engine.proposer();
  for (std::uint64_t number = 1; number <= cells; ++number)
    EXPECT_EQ(runner.run(scenario, *proposer->at(number)).deviation_count(), 0U);
  std::multiset<std::uint64_t> found;
  for (std::uint64_t number = 1; number <= steps.size(); ++number)
    found.insert(runner.run(scenario, *proposer->at(cells + number)).digest);
  EXPECT_EQ(found, expected);
}

TEST(Singles, SayThatTheyHaveEnded) {
  Scenario scenario = story("calm", {"clients.0.count=1", "workload.rounds=1"});
  const Laboratory laboratory;
  Singles engine(scenario, laboratory);
  const SearchResult all = explore(scenario, {1, 1'000'000, false}, 2, {}, laboratory, &engine);
  EXPECT_TRUE(all.exhausted);
  EXPECT_TRUE(all.complete);
  EXPECT_GT(all.runs, 100U);
  const SearchResult most = explore(scenario, {1, all.runs, false}, 2, {}, laboratory, &engine);
  EXPECT_FALSE(most.exhausted);
  EXPECT_TRUE(most.complete);
  EXPECT_EQ(most.steps, all.steps);
}

TEST(Mutation, NeverProposesAnAddressTwiceInASet) {
  const Scenario scenario = story("late-write");
  Mutation engine;
  engine.begin(1);
  EXPECT_TRUE(engine.proposal(77).empty());  // Nothing is known yet: a fresh draw.
  Runner runner;
  SeededSource source(0);
  std::vector<Lesson> lessons;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    source.reseed(seed);
    if (auto lesson = engine.lesson(runner.run(scenario, source)))
      lessons.push_back(*std::move(lesson));
  }
  engine.learn(lessons);
  std::size_t fresh = 0;
  for (std::uint64_t number = 1; number <= 2000; ++number) {
    const std::vector<Deviation> set = engine.proposal(number);
    fresh += set.empty() ? 1 : 0;
    EXPECT_LE(set.size(), kTokenDeviations);
    EXPECT_EQ(set, normalised(set));
    EXPECT_TRUE(std::adjacent_find(set.begin(), set.end(), [](const auto& a, const auto& b) {
                  return a.address == b.address;
                }) == set.end());
  }
  // A quarter is meant; a set may also have lost its last deviation.
  EXPECT_GT(fresh, 400U);
  EXPECT_LT(fresh, 700U);
}

TEST(Mutation, LearnsAShapeOnce) {
  const Scenario scenario = story("late-write");
  Mutation engine;
  engine.begin(1);
  Runner runner;
  SeededSource source(3);
  const std::optional<Lesson> lesson = engine.lesson(runner.run(scenario, source));
  ASSERT_TRUE(lesson.has_value());
  engine.learn(std::vector<Lesson>{*lesson});
  EXPECT_FALSE(engine.lesson(runner.run(scenario, source)).has_value());
  engine.begin(1);
  EXPECT_TRUE(engine.lesson(runner.run(scenario, source)).has_value());
}

TEST(Shape, IsThatOfTheWayAndNotOfItsTimes) {
  const Scenario scenario = story("calm", {"clients.0.count=1"});
  Runner runner;
  ZeroSource zeros;
  const std::uint64_t calm = shape_of(*runner.run(scenario, zeros).history);
  SeededSource seeded(2);
  const Execution& later = runner.run(scenario, seeded);
  EXPECT_FALSE(later.choices.empty());
  EXPECT_EQ(shape_of(*later.history), calm);
  const Scenario two = story("calm");
  EXPECT_NE(shape_of(*runner.run(two, zeros).history), calm);
}

}  // namespace
}  // namespace locklab
