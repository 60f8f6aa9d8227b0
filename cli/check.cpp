// check: a range of seeds, judged against what the scenario expects; the verb for CI.
// SPDX-License-Identifier: Apache-2.0
#include "cli/check.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "cli/check_shards.h"
#include "cli/corpus_runs.h"
#include "cli/failure.h"
#include "cli/found.h"
#include "cli/interrupt.h"
#include "cli/lab.h"
#include "cli/progress.h"
#include "cli/record.h"
#include "cli/telling.h"
#include "cli/verbs.h"
#include "reports/coverage.h"
#include "reports/json.h"
#include "reports/junit.h"
#include "reports/story.h"
#include "reports/verdicts.h"
#include "scenarios/loader.h"
#include "search/strategies/catalogue.h"

namespace locklab::cli {
namespace {

ExitCode code_of(CheckVerdict verdict) {
  switch (verdict) {
    case CheckVerdict::as_expected:
      return kOk;
    case CheckVerdict::violated:
      return kViolated;
    case CheckVerdict::inconclusive:
      return kInconclusive;
    case CheckVerdict::not_violated:
      return kNotViolated;
  }
  return kInternal;
}

/// The worst of several scenarios: violated, a trap that no longer bites, inconclusive, ok.
ExitCode worse(ExitCode a, ExitCode b) {
  for (const ExitCode code : {kInterrupted, kViolated, kNotViolated, kInconclusive}) {
    if (a == code || b == code) return code;
  }
  return kOk;
}

class Check {
 public:
  /// `keeps`: --out keeps the run that is told. What is done is not searched again.
  Check(const LoadedScenario& loaded, const Arguments& arguments, bool keeps, Console& console,
        SearchResult* done)
      : loaded_(loaded), arguments_(arguments), keeps_(keeps), console_(console), done_(done) {}

  ExitCode run() {
    const Budget budget{arguments_.first_seed, arguments_.last_seed, arguments_.until_violation};
    result_ = done_ != nullptr ? std::move(*done_)
                               : searched(loaded_.scenario, budget, arguments_, console_);
    const bool cut = is_interrupted() && !result_.complete;
    code_ = cut ? kInterrupted : code_of(verdict_of(result_));
    if (!arguments_.json) print_tables();
    const std::optional<Telling> telling = worth_telling(result_);
    if (telling) {
      tell(*telling, cut);
    } else if (keeps_) {
      console_.say("nothing was violated: no run is kept\n");
    }
    if (arguments_.json) {
      console_.print(check_json(result_, about()));
    } else {
      console_.print(last_line());
    }
    return code_;
  }

  /// After run().
  JunitSuite suite() const {
    JunitStory story{{}, code_ == kInterrupted};
    for (const std::optional<FoundRun>& first : result_.first_violations) {
      story.commands.push_back(
          first ? replay_command(found_token(loaded_.scenario, *first, arguments_.strategy),
                                 loaded_.scenario, loaded_.set)
                : "");
    }
    return junit_suite(result_, story);
  }

 private:
  CheckStory about() const {
    return {loaded_.set, arguments_.strategy, token_, shrunk_token_, code_ == kInterrupted, code_};
  }

  void print_tables() {
    const Scenario& scenario = loaded_.scenario;
    const Paper& paper = console_.paper();
    const std::string title = scenario.title.empty() ? "" : ": " + scenario.title;
    console_.print(paper.paragraph("", scenario.name + title, 0, Ink::bold) +
                   paper.paragraph("", range(), 0, Ink::dim));
    console_.print(
        tally_table(result_.tallies.all(), scenario.expect, run_count_of(result_), paper));
    for (const std::string& goal : unmet_goals(result_)) {
      console_.print(paper.paragraph(
          "? ", goal + " should have happened in some run, and never did", 2, Ink::yellow));
    }
    console_.print(coverage_line(result_, paper));
    if (arguments_.coverage) console_.print(coverage_table(result_, paper));
  }

  std::string range() const {
    const bool seeded = arguments_.strategy == kSwarm;
    const std::uint64_t last = result_.first_seed + (result_.runs == 0 ? 0 : result_.runs - 1);
    return fmt::format("{} {}..{} · {} runs{}",
                       seeded ? "seeds" : "strategy " + arguments_.strategy + ", numbers",
                       result_.first_seed, last, result_.runs,
                       result_.exhausted  ? ": it has no more"
                       : result_.complete ? ""
                                          : ", stopped early");
  }

  void tell(const Telling& telling, bool cut) {
    const FoundRun& found = *telling.run;
    token_ = found_token(loaded_.scenario, found, arguments_.strategy);
    const std::string command = replay_command(token_, loaded_.scenario, loaded_.set);
    // Before shrinking: whatever happens now, this is known.
    if (!arguments_.json) {
      console_.print(fmt::format("\nfound at {} {}:  ",
                                 arguments_.strategy == kSwarm ? "seed" : "number", found.seed) +
                     console_.paper().say(command) + "\n");
    }
    Shrunk shrunk{found.choices, 0, 0, 0, false};
    const bool shrinks = arguments_.shrink && !cut;
    if (shrinks) shrunk = shrink_found(loaded_.scenario, telling, arguments_.shrink_runs, console_);
    Bench bench(loaded_.scenario);
    RunView view = bench.replay(shrunk.choices);
    view.token = token_;
    if (shrinks) {
      shrunk_token_ = choice_token(loaded_.scenario, view.choices, view.digest).value_or("");
      if (!shrunk_token_.empty()) view.token = shrunk_token_;
    }
    view.replay = replay_command(view.token, loaded_.scenario, loaded_.set);
    if (!arguments_.json) print_story(view, shrunk, shrinks);
    keep_run(view);
  }

  void print_story(const RunView& view, const Shrunk& shrunk, bool shrinks) {
    const Paper& paper = console_.paper();
    if (shrinks) {
      console_.print(
          paper.paragraph("",
                          fmt::format("shrunk from {} to {} deviation{} in {} runs{}",
                                      shrunk.before, shrunk.after, shrunk.after == 1 ? "" : "s",
                                      shrunk.runs, shrunk.minimal ? "" : ", not yet the smallest"),
                          0, Ink::dim));
    }
    console_.print(
        "\n" + short_story(view, paper) + "\n" + reasons(view, paper, Reasons::headline) +
        advice(view, paper) + replay_line(view, paper) +
        paper.paragraph("why     ", "locklab why and the same words: what of it is needed", 8,
                        Ink::dim));
  }

  void keep_run(const RunView& view) {
    if (!keeps_) return;
    OutputDirectory directory(arguments_.out);
    console_.say(keep(directory, view, loaded_, check_json(result_, about()), arguments_.report));
  }

  std::string last_line() const {
    const Paper& paper = console_.paper();
    switch (code_) {
      case kOk:
        return paper.paragraph("✓ ", loaded_.scenario.name + ": as expected", 2, Ink::green);
      case kNotViolated:
        return paper.paragraph("✗ ",
                               loaded_.scenario.name + ": the trap no longer bites: " +
                                   mismatches(Verdict::violated) + " never violated",
                               2, Ink::red);
      case kInconclusive:
        return paper.paragraph("? ", loaded_.scenario.name + ": inconclusive", 2, Ink::yellow);
      case kInterrupted:
        return paper.paragraph("? ", loaded_.scenario.name + ": interrupted", 2, Ink::yellow);
      default:
        return paper.paragraph(
            "✗ ", loaded_.scenario.name + ": violated: " + mismatches(Verdict::holds), 2, Ink::red);
    }
  }

  /// The first name of what should be `expected` and is not, and how many there are beside it.
  std::string mismatches(Verdict expected) const {
    std::string first;
    unsigned others = 0;
    for (const Mismatch& mismatch : result_.tallies.mismatches(loaded_.scenario.expect)) {
      const bool counts = expected == Verdict::violated ? mismatch.expected == expected
                                                        : mismatch.actual == Verdict::violated;
      if (!counts) continue;
      if (first.empty()) {
        first = mismatch.property;
      } else {
        ++others;
      }
    }
    return others == 0 ? first : fmt::format("{} and {} more", first, others);
  }

  const LoadedScenario& loaded_;
  const Arguments& arguments_;
  bool keeps_;
  Console& console_;
  SearchResult* done_;
  SearchResult result_;
  std::string token_;
  std::string shrunk_token_;
  ExitCode code_ = kOk;
};

/// The scenarios named, or all embedded ones with the tag.
std::vector<LoadedScenario> chosen(const Arguments& arguments) {
  std::vector<LoadedScenario> scenarios;
  for (const std::string& word : arguments.words)
    scenarios.push_back(load_for(word, arguments.set));
  if (!arguments.words.empty()) return scenarios;
  for (const std::string& name : embedded_scenario_names()) {
    LoadedScenario loaded = load_for(name, arguments.set);
    const std::vector<std::string>& tags = loaded.scenario.tags;
    const bool matches =
        arguments.tag.empty() || std::find(tags.begin(), tags.end(), arguments.tag) != tags.end();
    if (matches) scenarios.push_back(std::move(loaded));
  }
  return scenarios;
}

}  // namespace

SearchResult searched(const Scenario& scenario, const Budget& budget, const Arguments& arguments,
                      const Console& console) {
  Progress progress(console);
  SearchHooks hooks;
  hooks.cancelled = is_interrupted;
  hooks.progress = [&progress](const SearchProgress& p) {
    progress.update("runs", p.runs, p.runs_total,
                    p.unexpected == 0 ? "" : fmt::format("{} violated", p.unexpected));
  };
  const Laboratory laboratory;
  const auto engine = find_strategy(arguments.strategy)->make(scenario, laboratory);
  return explore(scenario, budget, jobs_of(arguments), hooks, laboratory, engine.get());
}

ExitCode check(const Arguments& arguments, Console& console) {
  if (!arguments.words.empty() && !arguments.tag.empty()) {
    throw Failure(kUsage,
                  "--tag chooses among the embedded scenarios; give it or SCENARIO, not both");
  }
  const std::vector<LoadedScenario> scenarios = chosen(arguments);
  if (scenarios.empty()) {
    throw Failure(kNothingRun, fmt::format("no embedded scenario has the tag {}; see locklab list",
                                           locklab::quoted(arguments.tag)));
  }
  if (arguments.shard) return check_shard(scenarios, arguments, console);
  return tell_searches(scenarios, {}, arguments, console);
}

ExitCode tell_searches(const std::vector<LoadedScenario>& scenarios, std::vector<SearchResult> done,
                       const Arguments& arguments, Console& console) {
  const bool only_junit = arguments.report.junit && !arguments.report.html;
  if (scenarios.size() > 1 && !arguments.out.empty() && !only_junit) {
    throw Failure(kUsage, "--out keeps one run; give one SCENARIO with it, or --report junit");
  }
  std::optional<OutputDirectory> directory;
  if (!arguments.out.empty()) directory.emplace(arguments.out);  // Before any work is done.
  std::vector<JunitSuite> suites;
  ExitCode code = kOk;
  const CorpusFolder corpus = corpus_folder(arguments);
  if (!arguments.corpus.empty() && !corpus.exists()) {
    throw Failure(kNoInput, "there is no corpus " + locklab::quoted(corpus.path()));
  }
  const std::vector<StoredEntry> kept = corpus.entries();
  for (std::size_t i = 0; i < scenarios.size(); ++i) {
    const LoadedScenario& loaded = scenarios[i];
    code = worse(code, run_corpus_of(word_for(loaded.scenario), loaded, kept, arguments, console));
    Check one(loaded, arguments, directory && scenarios.size() == 1, console,
              done.empty() ? nullptr : &done[i]);
    code = worse(code, one.run());
    suites.push_back(one.suite());
    if (is_interrupted()) break;
    if (!arguments.json && scenarios.size() > 1) console.print("\n");
  }
  if (arguments.report.junit) {
    directory->write("junit.xml", junit_xml(suites));
    console.say(fmt::format("report in {}\n", directory->path_of("junit.xml")));
  }
  return is_interrupted() ? kInterrupted : code;
}

}  // namespace locklab::cli
