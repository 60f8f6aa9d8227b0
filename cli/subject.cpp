// Subject: recordings are run again, scenarios are searched; what fails is shrunk.
// SPDX-License-Identifier: Apache-2.0
#include "cli/subject.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "cli/failure.h"
#include "cli/found.h"
#include "cli/interrupt.h"
#include "cli/recording.h"
#include "reports/marks.h"
#include "scenarios/loader.h"
#include "scenarios/suggest.h"
#include "search/byte_codec.h"
#include "search/replay.h"
#include "search/shrink.h"
#include "search/trace_file.h"
#include "sim/sources.h"

namespace locklab::cli {
namespace {

void check_property(const std::string& name) {
  if (name.empty()) return;
  const std::vector<std::string>& known = vocabulary().properties;
  if (std::find(known.begin(), known.end(), name) != known.end()) return;
  const std::vector<std::string_view> names(known.begin(), known.end());
  const std::string hint = suggestion(name, names);
  throw Failure(kUsage, fmt::format("there is no property {}{}", locklab::quoted(name),
                                    hint.empty() ? "" : "; " + hint));
}

/// The violated property of a run that is asked for, or that a telling would show; "": none.
std::string violated_in(const RunView& run, const std::string& wanted) {
  if (wanted.empty()) {
    const NamedFinding* const headline = headline_of(run);
    return headline == nullptr || headline->finding.verdict != Verdict::violated
               ? std::string()
               : std::string(headline->property->name);
  }
  for (const NamedFinding& named : run.findings) {
    if (named.property->name == wanted && named.finding.verdict == Verdict::violated) return wanted;
  }
  return {};
}

/// A path may be of a scenario or of a trace file; the latter's name is the hash of its bytes.
bool is_trace_file(const std::string& word) {
  if (!names_trace(word)) return false;
  const std::string stem = std::filesystem::path(word).stem().string();
  return from_hex(stem, 16).has_value() || load_trace(word).trace.has_value();
}

Subject of_recording(const SubjectWish& wish) {
  Recording recording = recording_of(wish.word, wish.file, wish.set);
  std::string diverged = mismatch_of(recording);
  Subject subject;
  {
    Bench bench(recording.loaded.scenario);
    const RunView view = run_recorded(bench, recording);
    if (diverged.empty()) {
      const std::optional<Divergence> divergence =
          divergence_of(bench.execution(), recording.recorded);
      if (divergence) diverged = divergence->text;
    }
    if (!diverged.empty()) throw Failure(kDiverged, "diverged: " + diverged);
    subject.choices.assign(view.choices.begin(), view.choices.end());
    subject.property = violated_in(view, wish.property);
  }
  if (recording.recorded.seed) {
    const std::string& strategy = recording.recorded.strategy;
    subject.told = fmt::format("{} {}", strategy.empty() ? "seed" : strategy + " number",
                               *recording.recorded.seed);
  }
  subject.loaded = std::move(recording.loaded);
  return subject;
}

Subject of_seed(LoadedScenario loaded, std::uint64_t seed, const SubjectWish& wish) {
  Subject subject;
  {
    Bench bench(loaded.scenario);
    SeededSource source(seed);
    const RunView view = bench.run(source);
    subject.choices.assign(view.choices.begin(), view.choices.end());
    subject.property = violated_in(view, wish.property);
  }
  subject.told = fmt::format("seed {}", seed);
  subject.loaded = std::move(loaded);
  return subject;
}

/// The first seed that violates the property; nullopt: none does.
std::optional<std::uint64_t> first_seed(const SearchResult& result, const std::string& property) {
  if (property.empty()) {
    const std::optional<Telling> telling = worth_telling(result);
    return telling ? std::optional(telling->run->seed) : std::nullopt;
  }
  for (std::size_t i = 0; i < result.first_violations.size(); ++i) {
    if ((*result.properties)[i].name == property && result.first_violations[i]) {
      return result.first_violations[i]->seed;
    }
  }
  return std::nullopt;
}

Subject of_scenario(const SubjectWish& wish, const Arguments& arguments) {
  LoadedScenario loaded = load_for(wish.word, wish.set);
  if (arguments.seed) return of_seed(std::move(loaded), *arguments.seed, wish);
  SearchHooks hooks;
  hooks.cancelled = is_interrupted;
  const SearchResult result = explore(loaded.scenario, {1, kTellingSeeds, false}, 1, hooks);
  const std::optional<std::uint64_t> seed = first_seed(result, wish.property);
  if (!seed && wish.must_fail) {
    throw Failure(kNotViolated,
                  fmt::format("{} is violated in seeds 1..{} of {}",
                              wish.property.empty() ? "nothing" : "no run: " + wish.property,
                              result.runs, loaded.scenario.name));
  }
  SubjectWish exact = wish;
  if (const std::optional<Telling> telling = worth_telling(result);
      seed && exact.property.empty() && telling) {
    exact.property = telling->property;
  }
  return of_seed(std::move(loaded), seed.value_or(1), exact);
}

void shrink_subject(Subject& subject, const Arguments& arguments, const Console& console) {
  FoundRun run;
  run.choices = subject.choices;
  const Shrunk shrunk = shrink_found(subject.loaded.scenario, {&run, subject.property},
                                     arguments.shrink_runs, console);
  subject.choices = shrunk.choices;
  subject.told += fmt::format("{}shrunk from {} to {} deviation{} in {} runs{}",
                              subject.told.empty() ? "" : ", ", shrunk.before, shrunk.after,
                              shrunk.after == 1 ? "" : "s", shrunk.runs,
                              shrunk.minimal ? "" : ", not yet the smallest");
}

}  // namespace

bool is_token(const std::string& word) {
  return word.starts_with("ll1:");
}

Subject subject_of(const SubjectWish& wish, const Arguments& arguments, const Console& console) {
  check_property(wish.property);
  const bool recorded = is_token(wish.word) || is_trace_file(wish.word);
  if (recorded && arguments.seed) {
    throw Failure(kUsage, "--seed chooses a run of a scenario; a token names its own");
  }
  Subject subject = recorded ? of_recording(wish) : of_scenario(wish, arguments);
  if (subject.property.empty() && wish.must_fail) {
    throw Failure(kNotViolated, wish.property.empty()
                                    ? "nothing is violated in this run"
                                    : wish.property + " is not violated in this run");
  }
  if (wish.shrinks && !subject.property.empty()) shrink_subject(subject, arguments, console);
  return subject;
}

}  // namespace locklab::cli
