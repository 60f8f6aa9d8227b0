// Explore: seeds in chunks of a fixed size, so that threads share nothing and change nothing.
// SPDX-License-Identifier: Apache-2.0
#include "search/explore.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "search/strategies/swarm.h"
#include "search/workers.h"
#include "sim/contract.h"

namespace locklab {
namespace {

constexpr std::uint64_t kChunk = 64;  // Seeds; a few milliseconds of work.

struct Chunk : Piece {
  explicit Chunk(std::span<const Property> properties) : tallies(properties) {
    first_violations.resize(properties.size());
  }
  Tallies tallies;
  std::vector<std::optional<FoundRun>> first_violations;
  std::optional<FoundRun> unexpected;
  std::array<std::uint64_t, static_cast<std::size_t>(EventKind::count)> runs_with{};
  Coverage coverage;
  std::uint64_t runs = 0;
  std::uint64_t unexpected_runs = 0;
  std::uint64_t steps = 0;
  std::vector<Lesson> lessons;
  bool last = false;       // Cut short, or told to be the last one.
  bool exhausted = false;  // It is the last one because the engine has no more.
};

/// One thread's part of a search.
class Explorer {
 public:
  Explorer(const Scenario& scenario, const Budget& budget, const SearchHooks& hooks,
           const Laboratory& laboratory, std::span<const Property> properties, const Engine& engine)
      : scenario_(scenario),
        budget_(budget),
        hooks_(hooks),
        properties_(properties),
        engine_(engine),
        proposer_(engine.proposer()),
        runner_(laboratory.find, laboratory.scripts),
        judge_({properties.begin(), properties.end()}) {}

  std::unique_ptr<Piece> work(std::uint64_t number) {
    auto chunk = std::make_unique<Chunk>(properties_);
    const std::uint64_t first = budget_.first_seed + number * kChunk;
    const std::uint64_t left = budget_.last_seed - first;
    for (std::uint64_t i = 0; i <= std::min(left, kChunk - 1) && !chunk->last; ++i) {
      run(first + i, *chunk);
      if (hooks_.cancelled && hooks_.cancelled()) chunk->last = true;
    }
    return chunk;
  }

 private:
  void run(std::uint64_t seed, Chunk& chunk) {
    try {
      ChoiceSource* const source = proposer_->at(seed);
      chunk.exhausted = chunk.last = source == nullptr;
      if (chunk.exhausted) return;
      const Execution& execution = runner_.run(scenario_, *source);
      if (std::optional<Lesson> lesson = engine_.lesson(execution)) {
        chunk.lessons.push_back(*std::move(lesson));
      }
      add(seed, execution, judge_.judge(*execution.history), chunk);
    } catch (const std::exception& failure) {
      throw RunFailed(seed, failure.what());
    }
  }

  void add(std::uint64_t seed, const Execution& execution, std::span<const NamedFinding> findings,
           Chunk& chunk) {
    ++chunk.runs;
    chunk.steps += execution.steps;
    chunk.tallies.add(findings);
    chunk.coverage.add(execution, findings);
    std::uint64_t seen[(static_cast<std::size_t>(EventKind::count) + 63) / 64] = {};
    for (const Record& record : execution.history->records()) {
      const auto kind = static_cast<std::size_t>(record.kind);
      seen[kind / 64] |= 1ULL << kind % 64;
    }
    for (std::size_t kind = 0; kind < chunk.runs_with.size(); ++kind) {
      chunk.runs_with[kind] += seen[kind / 64] >> kind % 64 & 1U;
    }
    for (std::size_t i = 0; i < findings.size(); ++i) {
      const bool violated = findings[i].finding.verdict == Verdict::violated;
      if (violated && !chunk.first_violations[i]) {
        chunk.first_violations[i] = found(seed, execution, findings);
      }
    }
    if (unexpected_violation(findings, scenario_.expect) == nullptr) return;
    ++chunk.unexpected_runs;
    if (!chunk.unexpected) chunk.unexpected = found(seed, execution, findings);
    if (budget_.stop_at_unexpected) chunk.last = true;
  }

  FoundRun found(std::uint64_t seed, const Execution& execution,
                 std::span<const NamedFinding> findings) const {
    FoundRun run{seed, {execution.choices.begin(), execution.choices.end()}, execution.digest, {}};
    for (std::size_t i = 0; i < findings.size(); ++i) {
      run.findings.push_back({&properties_[i], findings[i].finding});
    }
    return run;
  }

  const Scenario& scenario_;
  const Budget& budget_;
  const SearchHooks& hooks_;
  std::span<const Property> properties_;
  const Engine& engine_;
  std::unique_ptr<Proposer> proposer_;
  Runner runner_;
  Judge judge_;
};

void keep_first(std::optional<FoundRun>& kept, std::optional<FoundRun>& run) {
  if (!kept && run) kept = std::move(run);
}

void merge(SearchResult& result, Chunk& chunk) {
  result.runs += chunk.runs;
  result.steps += chunk.steps;
  result.tallies.merge(chunk.tallies);
  for (std::size_t i = 0; i < chunk.first_violations.size(); ++i) {
    keep_first(result.first_violations[i], chunk.first_violations[i]);
  }
  keep_first(result.unexpected, chunk.unexpected);
  result.coverage.add(chunk.coverage);
  for (std::size_t kind = 0; kind < chunk.runs_with.size(); ++kind) {
    result.runs_with[kind] += chunk.runs_with[kind];
  }
  result.exhausted = chunk.exhausted;
}

/// A search in generations: all of the budget is one, unless the engine learns.
class Search {
 public:
  Search(const Scenario& scenario, const Budget& budget, unsigned jobs, const SearchHooks& hooks,
         const Laboratory& laboratory, Engine& engine)
      : scenario_(scenario),
        budget_(budget),
        jobs_(std::max(jobs, 1U)),
        hooks_(hooks),
        laboratory_(laboratory),
        engine_(engine) {
    const std::uint64_t seeds_less_one = budget.last_seed - budget.first_seed;
    progress_.runs_total = seeds_less_one == UINT64_MAX ? UINT64_MAX : seeds_less_one + 1;
  }

  void run(SearchResult& result) {
    engine_.begin(budget_.first_seed);
    Budget part = budget_;
    for (bool goes_on = true; goes_on;) {
      const std::uint64_t size = engine_.generation();
      const std::uint64_t left = budget_.last_seed - part.first_seed;
      part.last_seed = part.first_seed + (size == 0 ? left : std::min(left, size - 1));
      goes_on = run_part(part, result) && part.last_seed < budget_.last_seed;
      if (!goes_on) break;
      engine_.learn(lessons_);
      lessons_.clear();
      part.first_seed = part.last_seed + 1;
    }
    result.complete = result.exhausted || result.runs == progress_.runs_total;
  }

 private:
  /// false: no later one is wanted.
  bool run_part(const Budget& part, SearchResult& result) {
    bool goes_on = true;
    const auto make_work = [&]() -> PieceMaker {
      auto explorer = std::make_shared<Explorer>(scenario_, part, hooks_, laboratory_,
                                                 *result.properties, engine_);
      return [explorer](std::uint64_t number) { return explorer->work(number); };
    };
    const auto take = [&](Piece& piece) {
      auto& chunk = static_cast<Chunk&>(piece);
      merge(result, chunk);
      std::move(chunk.lessons.begin(), chunk.lessons.end(), std::back_inserter(lessons_));
      progress_.runs = result.runs;
      progress_.unexpected += chunk.unexpected_runs;
      if (hooks_.progress) hooks_.progress(progress_);
      goes_on = !chunk.last;
      return goes_on;
    };
    side_by_side(jobs_, (part.last_seed - part.first_seed) / kChunk + 1, make_work, take);
    return goes_on;
  }

  const Scenario& scenario_;
  const Budget& budget_;
  unsigned jobs_;
  const SearchHooks& hooks_;
  const Laboratory& laboratory_;
  Engine& engine_;
  SearchProgress progress_;
  std::vector<Lesson> lessons_;  // Of the generation so far.
};

}  // namespace

std::vector<Property> judged_properties(const Scenario& scenario, const Laboratory& laboratory) {
  auto chosen = choose_properties(laboratory.properties, scenario.properties);
  SIM_ASSERT(chosen.has_value());
  return *std::move(chosen);
}

SearchResult blank_search(const Scenario& scenario, std::uint64_t first_seed,
                          const Laboratory& laboratory) {
  SearchResult result;
  result.scenario = &scenario;
  result.properties =
      std::make_shared<const std::vector<Property>>(judged_properties(scenario, laboratory));
  result.first_seed = first_seed;
  result.tallies = Tallies(*result.properties);
  result.first_violations.resize(result.properties->size());
  return result;
}

SearchResult explore(const Scenario& scenario, const Budget& budget, unsigned jobs,
                     const SearchHooks& hooks, const Laboratory& laboratory, Engine* engine) {
  SIM_ASSERT(budget.first_seed <= budget.last_seed);
  SearchResult result = blank_search(scenario, budget.first_seed, laboratory);
  Swarm swarm;
  Engine& chosen = engine == nullptr ? swarm : *engine;
  result.sampled = chosen.samples();
  Search(scenario, budget, jobs, hooks, laboratory, chosen).run(result);
  result.coverage.schedules.settle();
  return result;
}

std::string_view name_of(CheckVerdict verdict) {
  switch (verdict) {
    case CheckVerdict::as_expected:
      return "as-expected";
    case CheckVerdict::violated:
      return "violated";
    case CheckVerdict::inconclusive:
      return "inconclusive";
    case CheckVerdict::not_violated:
      return "not-violated";
  }
  SIM_UNREACHABLE("a verdict without a name");
}

CheckVerdict verdict_of(const SearchResult& result) {
  auto verdict = CheckVerdict::as_expected;
  if (!unmet_goals(result).empty()) verdict = CheckVerdict::inconclusive;
  bool missed = false;
  for (const Mismatch& mismatch : result.tallies.mismatches(result.scenario->expect)) {
    if (mismatch.expected == Verdict::violated) {
      missed = true;
    } else if (mismatch.actual == Verdict::violated) {
      return CheckVerdict::violated;
    } else {
      verdict = CheckVerdict::inconclusive;
    }
  }
  return missed ? CheckVerdict::not_violated : verdict;
}

std::vector<std::string> unmet_goals(const SearchResult& result) {
  std::vector<std::string> unmet;
  for (const std::string& goal : result.scenario->sometimes) {
    bool met = false;
    for (std::size_t kind = 0; kind < result.runs_with.size(); ++kind) {
      if (name_of(static_cast<EventKind>(kind)) == goal) met = result.runs_with[kind] > 0;
    }
    if (!met) unmet.push_back(goal);
  }
  return unmet;
}

std::vector<const Property*> never_exercised(const SearchResult& result) {
  std::vector<const Property*> never;
  for (const Tally& tally : result.tallies.all()) {
    if (tally.exercised_runs == 0) never.push_back(tally.property);
  }
  return never;
}

}  // namespace locklab
