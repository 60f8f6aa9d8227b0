// Check shards: merged they are the whole search; what is not of it is refused.
// SPDX-License-Identifier: Apache-2.0
#include "search/check_shard.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "search/search_testing.h"
#include "search/strategies/catalogue.h"

namespace locklab {
namespace {

using ::testing::HasSubstr;
using testing_search::story;

constexpr SeedRange kSeeds{3, 132};

SavedScenario saved_story(const std::string& name, const std::vector<std::string>& set = {}) {
  LoadResult loaded = load_scenario(name);
  apply_set(*loaded.scenario, set);
  return {loaded.scenario->source, loaded.text, set, loaded.scenario->hash};
}

Scenario scenario_in(const SavedScenario& saved) {
  DecodeResult decoded = scenario_of(saved);
  EXPECT_TRUE(decoded.scenario);
  return *std::move(decoded.scenario);
}

/// One machine's part, by way of its file.
CheckShard shard_of(const SavedScenario& scenario, Shard shard, unsigned jobs = 1,
                    const SeedRange& seeds = kSeeds, std::string_view strategy = kSwarm) {
  const Scenario decoded = scenario_in(scenario);
  const Laboratory laboratory;
  const std::unique_ptr<Engine> engine = find_strategy(strategy)->make(decoded, laboratory);
  const std::optional<SeedRange> part = part_of(seeds, shard);
  SearchResult result = blank_search(decoded, seeds.first);
  result.complete = true;
  if (part) {
    result = explore(decoded, {part->first, part->last, false}, jobs, {}, laboratory, engine.get());
  }
  const CheckShard one{shard, {saved(result, scenario, seeds, std::string(strategy))}};
  CheckShardResult read = parse_check_shard(check_shard_text(one));
  EXPECT_EQ(read.error, "");
  EXPECT_EQ(*read.shard, one);
  return *std::move(read.shard);
}

std::vector<CheckShard> shards_of(const SavedScenario& scenario, std::uint64_t of,
                                  unsigned jobs = 1) {
  std::vector<CheckShard> shards;
  for (std::uint64_t number = of; number > 0; --number)
    shards.push_back(shard_of(scenario, {number, of}, jobs));
  return shards;
}

CheckShard whole_of(const SavedScenario& scenario) {
  return shard_of(scenario, {1, 1});
}

TEST(CheckShard, MergedIsTheWholeForAnyNumberOfShardsAndJobs) {
  for (const char* const name : {"failover-forgets-lock", "calm", "pause-outlives-lease"}) {
    const SavedScenario scenario = saved_story(name);
    const CheckShard whole = whole_of(scenario);
    EXPECT_EQ(whole.searches[0].runs, 130U);
    for (const std::uint64_t of : {1U, 2U, 3U, 7U}) {
      for (const unsigned jobs : {1U, 2U}) {
        const CheckShardResult merged = merge_check_shards(shards_of(scenario, of, jobs));
        ASSERT_EQ(merged.error, "");
        EXPECT_EQ(*merged.shard, whole) << name << ", " << of << " shards, " << jobs << " jobs";
      }
    }
  }
}

TEST(CheckShard, MergedIsTheWholeForEachStrategyThatDoesNotLearn) {
  // So little happens in it that the strategies that end do so soon.
  const SavedScenario scenario = saved_story("calm", {"clients.0.count=1", "workload.rounds=1"});
  const Scenario decoded = scenario_in(scenario);
  std::size_t ended = 0;
  for (const StrategyInfo& strategy : all_strategies()) {
    if (strategy.make(decoded, {})->generation() != 0) continue;
    const SeedRange seeds{1, strategy.name == "single" ? 1500U : 120U};
    std::vector<CheckShard> shards;
    for (std::uint64_t number = 1; number <= 3; ++number)
      shards.push_back(shard_of(scenario, {number, 3}, 1, seeds, strategy.name));
    const CheckShardResult merged = merge_check_shards(shards);
    ASSERT_EQ(merged.error, "") << strategy.name;
    EXPECT_EQ(*merged.shard, shard_of(scenario, {1, 1}, 1, seeds, strategy.name)) << strategy.name;
    ended += merged.shard->searches[0].exhausted;
  }
  EXPECT_GT(ended, 0U);
}

TEST(CheckShard, WithMoreShardsThanSeedsIsTheWhole) {
  const SavedScenario scenario = saved_story("calm");
  std::vector<CheckShard> shards;
  for (std::uint64_t number = 1; number <= 7; ++number)
    shards.push_back(shard_of(scenario, {number, 7}, 1, {1, 3}));
  const CheckShardResult merged = merge_check_shards(shards);
  ASSERT_EQ(merged.error, "");
  EXPECT_EQ(*merged.shard, shard_of(scenario, {1, 1}, 1, {1, 3}));
}

TEST(CheckShard, IsRestoredAsTheSearchThatItWas) {
  const SavedScenario scenario = saved_story("failover-forgets-lock", {"expect={}"});
  const Scenario decoded = scenario_in(scenario);
  const SearchResult searched = explore(decoded, {kSeeds.first, kSeeds.last, false});
  const CheckShardResult merged = merge_check_shards(shards_of(scenario, 3));
  ASSERT_EQ(merged.error, "");
  const RestoreResult back = restored(merged.shard->searches[0], decoded);
  ASSERT_TRUE(back.result) << back.error;
  ASSERT_TRUE(searched.unexpected);
  EXPECT_EQ(back.result->unexpected->seed, searched.unexpected->seed);
  EXPECT_EQ(back.result->unexpected->choices, searched.unexpected->choices);
  EXPECT_EQ(back.result->coverage, searched.coverage);
  EXPECT_EQ(verdict_of(*back.result), verdict_of(searched));
  EXPECT_EQ(saved(*back.result, scenario, kSeeds), saved(searched, scenario, kSeeds));
  for (std::size_t i = 0; i < searched.first_violations.size(); ++i) {
    const std::optional<FoundRun>& there = searched.first_violations[i];
    const std::optional<FoundRun>& here = back.result->first_violations[i];
    ASSERT_EQ(here.has_value(), there.has_value());
    if (!there) continue;
    EXPECT_EQ(here->choices, there->choices);
    EXPECT_EQ(here->findings[i].finding.why, there->findings[i].finding.why);
  }
}

TEST(CheckShard, IsNotRestoredWhereItsRunsEndOtherwise) {
  const SavedScenario scenario = saved_story("failover-forgets-lock");
  const Scenario decoded = scenario_in(scenario);
  SavedSearch search = whole_of(scenario).searches[0];
  ASSERT_FALSE(search.found.empty());
  search.found[0].digest ^= 1;
  EXPECT_THAT(restored(search, decoded).error, HasSubstr("ends otherwise here"));
  search.found.clear();
  EXPECT_THAT(restored(search, decoded).error, HasSubstr("ends otherwise here"));
  search.tallies.pop_back();
  EXPECT_THAT(restored(search, decoded).error, HasSubstr("its properties are not those"));
}

TEST(CheckShard, MeetsAGoalThatOneShardMet) {
  // Failovers are rare enough that the first seeds alone have none.
  const SavedScenario scenario = saved_story(
      "failover-forgets-lock", {"sometimes=promoted", "expect.double-ownership=unknown"});
  const Scenario decoded = scenario_in(scenario);
  std::vector<CheckShard> shards = shards_of(scenario, 130);
  const auto unmet_in = [&](const CheckShard& shard) {
    return unmet_goals(*restored(shard.searches[0], decoded).result).size();
  };
  EXPECT_TRUE(std::any_of(shards.begin(), shards.end(),
                          [&](const CheckShard& shard) { return unmet_in(shard) == 1; }));
  const CheckShardResult merged = merge_check_shards(shards);
  ASSERT_EQ(merged.error, "");
  EXPECT_EQ(unmet_in(*merged.shard), 0U);
}

std::string error_of(std::vector<CheckShard> shards) {
  return merge_check_shards(std::move(shards)).error;
}

TEST(CheckShard, MergesNoGapAndNoOverlap) {
  const SavedScenario scenario = saved_story("calm");
  const CheckShard one = shard_of(scenario, {1, 3});
  const CheckShard two = shard_of(scenario, {2, 3});
  const CheckShard three = shard_of(scenario, {3, 3});
  EXPECT_EQ(error_of({one, two, three}), "");
  EXPECT_EQ(error_of({}), "there is nothing to merge");
  EXPECT_EQ(error_of({one, three}), "shard 2 is missing");
  EXPECT_EQ(error_of({two, three}), "shard 1 is missing");
  EXPECT_EQ(error_of({one, two}), "shard 3 is missing");
  EXPECT_EQ(error_of({one, two, two, three}), "shard 2 is there twice");
  EXPECT_EQ(error_of({one, shard_of(scenario, {2, 2})}),
            "shard 2 is one of 2, and others are of 3");
}

TEST(CheckShard, MergesNothingOfAnotherCheck) {
  const SavedScenario scenario = saved_story("calm");
  const CheckShard one = shard_of(scenario, {1, 2});
  const Shard second{2, 2};
  EXPECT_EQ(error_of({one, shard_of(saved_story("late-write"), second)}),
            "shard 2 is of another scenario");
  EXPECT_EQ(error_of({one, shard_of(saved_story("calm", {"workload.rounds=1"}), second)}),
            "shard 2 was made with other --set flags");
  EXPECT_EQ(error_of({one, shard_of(scenario, second, 1, {3, 133})}),
            "shard 2 was made with other seeds");
  CheckShard two = shard_of(scenario, second);
  two.searches.push_back(two.searches[0]);
  EXPECT_EQ(error_of({one, two}), "shard 2 is of another check");
  two.searches.pop_back();
  two.searches[0].tallies.pop_back();
  EXPECT_EQ(error_of({one, two}), "shard 2 was made by another version of locklab");
  two = shard_of(scenario, second);
  two.searches[0].strategy = "pct:3";
  EXPECT_EQ(error_of({one, two}), "shard 2 was made with another strategy");
}

TEST(CheckShard, MergesNothingThatWasInterrupted) {
  const SavedScenario scenario = saved_story("calm");
  const Scenario decoded = scenario_in(scenario);
  SearchHooks hooks;
  hooks.cancelled = [] { return true; };
  const SearchResult cut = explore(decoded, {68, 132, false}, 1, hooks);
  const CheckShard two{{2, 2}, {saved(cut, scenario, kSeeds, std::string(kSwarm))}};
  EXPECT_EQ(error_of({shard_of(scenario, {1, 2}), two}), "shard 2 was interrupted");
}

TEST(CheckShardFile, ThatWasChangedIsRejected) {
  const std::string text = check_shard_text(shard_of(saved_story("late-write"), {1, 3}));
  std::string changed = text;
  for (std::size_t i = 0; i < text.size(); i += 61) {
    changed[i] = changed[i] == '1' ? '2' : '1';
    EXPECT_FALSE(parse_check_shard(changed).shard) << i;
    changed[i] = text[i];
  }
  EXPECT_FALSE(parse_check_shard(text + " ").shard);
  EXPECT_FALSE(parse_check_shard(text.substr(0, text.size() / 2)).shard);
  EXPECT_FALSE(parse_check_shard("").shard);
}

TEST(CheckShardFile, KeepsSeedsOfAllSixtyFourBits) {
  const SeedRange last{UINT64_MAX - 3, UINT64_MAX};
  const CheckShard shard = shard_of(saved_story("failover-forgets-lock"), {1, 1}, 1, last);
  EXPECT_EQ(shard.searches[0].seeds, last);
}

TEST(CheckShardFile, SaysWhenSchedulesAreTooManyToCount) {
  CheckShard shard = shard_of(saved_story("calm"), {1, 1});
  shard.searches[0].coverage.schedules = Distinct::too_many();
  const CheckShardResult read = parse_check_shard(check_shard_text(shard));
  ASSERT_TRUE(read.shard) << read.error;
  EXPECT_FALSE(read.shard->searches[0].coverage.schedules.exact());
}

}  // namespace
}  // namespace locklab
