// Question: seeds one after another until one answers; what answers is run again before it is told.
// SPDX-License-Identifier: Apache-2.0
#include "testkit/question.h"

#include <algorithm>
#include <exception>
#include <iostream>
#include <optional>
#include <utility>
#include <vector>

#include "reports/bench.h"
#include "reports/odds.h"
#include "scenarios/diagnostic.h"
#include "scenarios/suggest.h"
#include "search/explore.h"
#include "sim/sources.h"
#include "testkit/counterexample.h"
#include "testkit/replayed.h"
#include "testkit/running.h"

namespace locklab::testkit {
namespace {

Judgement no(Reason reason, std::string text) {
  Judgement judgement;
  judgement.reason = reason;
  judgement.text = std::move(text);
  return judgement;
}

Judgement cannot_run(std::string text) {
  return no(Reason::cannot_run, std::move(text));
}

std::string seeds_of(const Budget& budget) {
  return "seeds " + std::to_string(budget.first_seed) + " to " + std::to_string(budget.last_seed);
}

/// What can be known before the first run. → the seeds, or what is wrong.
struct Ready {
  Budget budget;
  std::string problem;
};
Ready make_ready(const Setting& setting, const Range& range, const Environment& now) {
  Ready ready;
  const std::int64_t count = range.runs.count;
  if (!setting.problem.empty()) {
    ready.problem = setting.problem;
  } else if (!now.problem.empty()) {
    ready.problem = now.problem;
  } else if (count < 1) {
    ready.problem = "runs(" + std::to_string(count) + ") tries no schedule, and proves nothing";
  } else {
    const std::uint64_t first = range.first.value_or(now.seed.value_or(1));
    const auto more = static_cast<std::uint64_t>(count) - 1;
    ready.budget = {first, first + more, true};
    if (first > UINT64_MAX - more) {
      ready.problem = "from seed " + std::to_string(first) + " on there are no " +
                      std::to_string(count) + " seeds";
    }
  }
  return ready;
}

// --- One question -------------------------------------------------------------------------------

class Search {
 public:
  Search(const SharedSetting& setting, PropertyMaker property, Wanted wanted, const Budget& budget)
      : setting_(setting),
        property_(property),
        name_(property().name),
        wanted_(wanted),
        budget_(budget) {}

  Judgement run() {
    // A green search of code that cannot be repeated would say nothing either.
    const std::string twice = unrepeatable(*setting_, budget_.first_seed, std::nullopt);
    if (!twice.empty()) return no(Reason::not_repeatable, twice);
    const Laboratory laboratory = setting_->laboratory_of(property_);
    const SearchResult result = explore(setting_->scenario, budget_, 1, {}, laboratory);
    if (result.unexpected) return found(*result.unexpected);
    return wanted_ == Wanted::holds ? held(result.tallies.all()[0]) : never(result);
  }

 private:
  Judgement found(const FoundRun& run) const {
    const std::string twice = unrepeatable(*setting_, run.seed, run.digest);
    if (!twice.empty()) return no(Reason::not_repeatable, twice);
    Judgement judgement;
    judgement.token = seed_token(setting_->scenario, run.seed, run.digest);
    if (wanted_ == Wanted::violated) return judgement;
    judgement.reason = Reason::violated;
    judgement.text = name_ + " is violated, in run " +
                     std::to_string(run.seed - budget_.first_seed + 1) + " of at most " +
                     std::to_string(budget_.last_seed - budget_.first_seed + 1) + ": seed " +
                     std::to_string(run.seed) + ", " + judgement.token;
    judgement.shown = std::make_shared<const Counterexample>(
        Counterexample{setting_, property_, run.seed, run.choices, run.digest, judgement.token});
    return judgement;
  }

  Judgement held(const Tally& tally) const {
    if (tally.unknown > 0) return undecided(tally);
    if (tally.exercised_runs > 0) return {};
    return no(Reason::never_exercised,
              name_ + " was never put to the test in " + seeds_of(budget_) + ": nothing is shown");
  }

  /// The first of them: explore() counts them only.
  Judgement undecided(const Tally& tally) const {
    Bench bench(setting_->scenario, setting_->laboratory_of(property_));
    Judgement judgement =
        no(Reason::unknown, name_ + " is unknown in " + std::to_string(tally.unknown) + " of " +
                                std::to_string(tally.runs) + " runs");
    for (std::uint64_t seed = budget_.first_seed; seed <= budget_.last_seed; ++seed) {
      SeededSource source(seed);
      const RunView view = bench.run(source);
      if (view.findings[0].finding.verdict != Verdict::unknown) continue;
      judgement.token = seed_token(setting_->scenario, seed, view.digest);
      judgement.text += ", first with seed " + std::to_string(seed) + ": " +
                        view.findings[0].finding.why + ".\nreplay  " +
                        replay_command(judgement.token);
      break;
    }
    return judgement;
  }

  Judgement never(const SearchResult& result) const {
    const std::uint64_t exercised = result.tallies.all()[0].exercised_runs;
    return no(Reason::not_violated, name_ + " should be violated, and never was in " +
                                        seeds_of(budget_) + ": " +
                                        odds_of_none(exercised, RunCount::fixed_beforehand) +
                                        ". The trap no longer bites.");
  }

  const SharedSetting& setting_;
  PropertyMaker property_;
  std::string name_;
  Wanted wanted_;
  Budget budget_;
};

// --- LOCKLAB_REPLAY -----------------------------------------------------------------------------

/// nullopt: nothing is to be replayed. `judge` is given the run, if it is the recorded one.
template <class Judge>
std::optional<Judgement> replayed(const SharedSetting& setting, const Environment& now,
                                  PropertyMaker property, Judge judge) {
  if (!now.replay || !setting->problem.empty()) return std::nullopt;
  if (!is_world_of(*now.replay, *setting)) return no(Reason::passed_over, {});
  const std::string objection = unfit(*now.replay, *setting);
  if (!objection.empty()) return cannot_run("LOCKLAB_REPLAY: " + objection);
  const Scenario scenario = property == nullptr ? setting->scenario : about(*setting, property);
  Bench bench(scenario, setting->laboratory_of_all(property));
  RunView view;
  const std::string diverged = run_again(*now.replay, bench, view);
  if (!diverged.empty()) return no(Reason::diverged, "LOCKLAB_REPLAY " + diverged);
  view.token = now.replay_text;
  view.replay = replay_command(view.token);
  Judgement judgement = judge(view);
  judgement.token = view.token;
  return judgement;
}

const NamedFinding& finding_of(const RunView& view, std::string_view property) {
  return *std::find_if(view.findings.begin(), view.findings.end(),
                       [&](const NamedFinding& named) { return named.property->name == property; });
}

std::optional<Judgement> replayed_property(const SharedSetting& setting, const Environment& now,
                                           PropertyMaker property, Wanted wanted) {
  return replayed(setting, now, property, [&](const RunView& view) {
    const NamedFinding& named = finding_of(view, property().name);
    const Verdict verdict = named.finding.verdict;
    const std::string said =
        "replayed by LOCKLAB_REPLAY, identical: " + std::string(named.property->name) + " " +
        std::string(name_of(verdict));
    std::cout << "locklab: " << said << "\n";
    if (wanted == Wanted::violated) {
      if (verdict == Verdict::violated) return Judgement{};
      return no(Reason::not_violated, said);
    }
    if (verdict == Verdict::holds) return Judgement{};
    return no(verdict == Verdict::violated ? Reason::violated : Reason::unknown,
              said + "\n\n" + told_run(view));
  });
}

std::optional<EventKind> event_named(std::string_view name) {
  for (int kind = 1; kind < static_cast<int>(EventKind::count); ++kind) {
    if (name_of(static_cast<EventKind>(kind)) == name) return static_cast<EventKind>(kind);
  }
  return std::nullopt;
}

std::string no_event(std::string_view name) {
  std::vector<std::string_view> names;
  for (int kind = 1; kind < static_cast<int>(EventKind::count); ++kind)
    names.push_back(name_of(static_cast<EventKind>(kind)));
  const std::string hint = suggestion(name, names);
  return "no event is named " + quoted(name) + (hint.empty() ? "" : "; " + hint);
}

bool has(const History& history, EventKind kind) {
  const auto records = history.records();
  return std::any_of(records.begin(), records.end(),
                     [kind](const Record& record) { return record.kind == kind; });
}

Judgement search_event(const Setting& setting, EventKind kind, const Budget& budget) {
  const Laboratory laboratory = setting.laboratory_of(nullptr);
  Runner runner(laboratory.find, laboratory.scripts);
  SeededSource source(0);
  for (std::uint64_t seed = budget.first_seed;; ++seed) {
    source.reseed(seed);
    const Execution& execution = runner.run(setting.scenario, source);
    if (has(*execution.history, kind)) {
      Judgement judgement;
      judgement.token = seed_token(setting.scenario, seed, execution.digest);
      return judgement;
    }
    if (seed == budget.last_seed) break;
  }
  return no(Reason::not_reached,
            std::string(name_of(kind)) + " never happened in " + seeds_of(budget));
}

/// What a run throws is a bug of the lock, or of locklab.
template <class F>
Judgement guarded(F f) {
  try {
    return f();
  } catch (const std::exception& failure) {
    return cannot_run(std::string("a run threw, ") + failure.what());
  }
}

}  // namespace

Judgement ask(const SharedSetting& setting, PropertyMaker property, Wanted wanted,
              const Range& range) {
  begin_watching();
  if (property == nullptr) return cannot_run("there is no such property");
  const Environment now = environment();
  const Ready ready = make_ready(*setting, range, now);
  if (!ready.problem.empty()) return cannot_run(ready.problem);
  return guarded([&] {
    const std::optional<Judgement> again = replayed_property(setting, now, property, wanted);
    return again ? *again : Search(setting, property, wanted, ready.budget).run();
  });
}

Judgement ask_for_event(const SharedSetting& setting, std::string_view event, const Range& range) {
  begin_watching();
  const Environment now = environment();
  const Ready ready = make_ready(*setting, range, now);
  if (!ready.problem.empty()) return cannot_run(ready.problem);
  const std::optional<EventKind> kind = event_named(event);
  if (!kind) return cannot_run(no_event(event));
  return guarded([&] {
    const std::optional<Judgement> again =
        replayed(setting, now, nullptr, [&](const RunView& view) {
          if (has(*view.history, *kind)) return Judgement{};
          return no(Reason::not_reached, "replayed by LOCKLAB_REPLAY: " + std::string(event) +
                                             " does not happen in this run");
        });
    return again ? *again : search_event(*setting, *kind, ready.budget);
  });
}

}  // namespace locklab::testkit
