// corpus: failing runs that are kept with the code, run again, and brought up to date.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>

#include "cli/corpus_runs.h"
#include "cli/failure.h"
#include "cli/found.h"
#include "cli/interrupt.h"
#include "cli/subject.h"
#include "cli/verbs.h"
#include "reports/story.h"
#include "scenarios/diagnostic.h"
#include "scenarios/loader.h"
#include "scenarios/suggest.h"
#include "search/shrink.h"
#include "search/token.h"

namespace locklab::cli {
namespace {

/// More entries than this and nobody reads them any more.
constexpr std::size_t kEntriesMost = 200;
constexpr std::size_t kStoryLines = 30;
constexpr std::size_t kStoryColumns = 160;  // A sentence a line.

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    if (end > begin) lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

/// What a run of these choices is recorded as. `set` and `scenario` as the user gave them.
void record(const LoadedScenario& loaded, std::span<const Deviation> choices, CorpusEntry& entry) {
  Bench bench(loaded.scenario);
  const RunView view = bench.replay(choices);
  entry.set = loaded.set;
  entry.scenario_hash = loaded.scenario.hash;
  entry.model_epoch = History::kModelEpoch;
  entry.digest = view.digest;
  entry.deviations = normalised({view.choices.begin(), view.choices.end()});
  entry.token = choice_token(loaded.scenario, view.choices, view.digest).value_or("");
  entry.story = lines_of(
      story(view, {.most = kStoryLines, .everything = false}, Paper{kStoryColumns, false, false}));
}

/// Shrunk, with what it shows. Throws Failure when the property is not violated.
void record_shrunk(const LoadedScenario& loaded, std::span<const Deviation> choices,
                   const Arguments& arguments, CorpusEntry& entry) {
  ShrinkOptions options;
  options.budget = arguments.shrink ? arguments.shrink_runs : 1;
  options.cancelled = is_interrupted;
  const ShrinkResult shrunk = shrink(loaded.scenario, choices, entry.property, options);
  if (!shrunk.reproduced) {
    throw Failure(kInternal, "the failure to keep does not show when it is run again");
  }
  entry.first_wrong = shrunk.signature.first_wrong;
  entry.detail = shrunk.signature.detail;
  entry.summary = to_string(shrunk.signature);
  record(loaded, shrunk.choices, entry);
}

EntryStatus status_named(const std::string& name) {
  for (const EntryStatus status : kEntryStatuses) {
    if (name == name_of(status)) return status;
  }
  throw Failure(kUsage, "--status must be open, fixed or expected, not " + locklab::quoted(name));
}

// --- add ----------------------------------------------------------------------------------------

ExitCode add(const Arguments& arguments, Console& console) {
  const std::vector<std::string>& words = arguments.words;
  if (words.size() < 2 || words.size() > 3) {
    throw Failure(
        kUsage,
        "corpus add takes a token, a trace file or a scenario, and the scenario's file if "
        "the token needs it");
  }
  const Subject subject = subject_of({.word = words[1],
                                      .file = words.size() > 2 ? words[2] : "",
                                      .set = arguments.set,
                                      .property = arguments.property,
                                      .must_fail = true,
                                      .shrinks = false},
                                     arguments, console);
  const Scenario& scenario = subject.loaded.scenario;
  StoredEntry stored;
  stored.entry.property = subject.property;
  stored.entry.scenario = word_for(scenario);
  stored.entry.status = expected_of(scenario.expect, subject.property) == Verdict::violated
                            ? EntryStatus::expected
                            : EntryStatus::open;
  if (!arguments.status.empty()) stored.entry.status = status_named(arguments.status);
  record_shrunk(subject.loaded, subject.choices, arguments, stored.entry);
  stored.file = file_of(stored.entry, scenario.name);

  const CorpusFolder folder = corpus_folder(arguments);
  const std::vector<StoredEntry> there = folder.entries();
  const auto same = std::find_if(there.begin(), there.end(), [&](const StoredEntry& other) {
    return other.file == stored.file;
  });
  const bool known = same != there.end();
  if (known && size_of(same->entry.deviations) <= size_of(stored.entry.deviations)) {
    console.print(console.paper().paragraph(
        "", "known already, no larger: " + folder.path_of(stored.file), 0));
    return kOk;
  }
  folder.write(stored);
  console.print(console.paper().paragraph(
      "✓ ",
      fmt::format("{} {} ({}): {}", known ? "smaller now:" : "kept in", folder.path_of(stored.file),
                  name_of(stored.entry.status), stored.entry.summary),
      2, Ink::green));
  if (there.size() >= kEntriesMost) {
    console.say(fmt::format("the corpus has {} entries; see locklab corpus prune\n",
                            there.size() + (known ? 0 : 1)));
  }
  return kOk;
}

// --- The others ---------------------------------------------------------------------------------

/// All, or those of the scenarios named.
std::vector<StoredEntry> chosen(const Arguments& arguments, const CorpusFolder& folder) {
  if (!folder.exists()) {
    throw Failure(kNoInput, "there is no corpus " + locklab::quoted(folder.path()) +
                                "; locklab corpus add TOKEN begins one");
  }
  std::vector<StoredEntry> entries = folder.entries();
  const std::vector<std::string> scenarios(arguments.words.begin() + 1, arguments.words.end());
  if (entries.empty()) {
    throw Failure(kNothingRun, "the corpus " + locklab::quoted(folder.path()) + " has no entry");
  }
  if (scenarios.empty()) return entries;
  std::erase_if(entries, [&](const StoredEntry& stored) {
    return std::find(scenarios.begin(), scenarios.end(), stored.entry.scenario) == scenarios.end();
  });
  if (entries.empty()) throw Failure(kNothingRun, "the corpus has no entry of what is named");
  return entries;
}

ExitCode list_entries(const Arguments& arguments, Console& console) {
  for (const StoredEntry& stored : chosen(arguments, corpus_folder(arguments))) {
    const CorpusEntry& entry = stored.entry;
    console.print(console.paper().paragraph(
        fmt::format("{:<10}", name_of(entry.status)),
        stored.file.substr(0, stored.file.rfind('.')) + "  " + entry.summary, 10));
  }
  return kOk;
}

ExitCode worse(ExitCode a, ExitCode b) {
  return a == kOk || b == kViolated ? b : a;
}

ExitCode run_all(const Arguments& arguments, Console& console) {
  ExitCode code = kOk;
  const std::vector<StoredEntry> entries = chosen(arguments, corpus_folder(arguments));
  for (const StoredEntry& stored : entries) {
    const LoadedScenario loaded = scenario_of(stored.entry);
    const EntryRun run = run_entry(stored, loaded);
    if (is_interrupted()) return kInterrupted;
    code = worse(code, code_of(run.standing));
    console.print(arguments.json ? json_of(run) : told(run, console.paper()));
  }
  return code;
}

/// What is kept of an entry whose run has moved; says what it did.
std::string brought_up_to_date(const EntryRun& run, const LoadedScenario& loaded,
                               const Arguments& arguments, StoredEntry& stored) {
  CorpusEntry& entry = stored.entry;
  const bool fails = run.result.rerun != Rerun::passes;
  const bool moved =
      run.result.rerun != Rerun::identical || entry.scenario_hash != loaded.scenario.hash;
  if (run.standing == Standing::dead) return "";
  if (fails && !moved) return "";
  if (!fails && entry.status == EntryStatus::fixed && run.result.digest == entry.digest) return "";
  if (fails) {
    if (run.standing == Standing::regression) entry.status = EntryStatus::open;
    record_shrunk(loaded, run.result.choices, arguments, entry);
    return run.standing == Standing::regression ? "open again, recorded as it fails now"
                                                : "recorded as it fails now";
  }
  const bool mended = entry.status == EntryStatus::open;
  entry.status = EntryStatus::fixed;
  record(loaded, run.result.choices, entry);
  return mended ? "kept as fixed" : "recorded as it passes now";
}

ExitCode migrate(const Arguments& arguments, Console& console) {
  ExitCode code = kOk;
  const CorpusFolder folder = corpus_folder(arguments);
  for (StoredEntry& stored : chosen(arguments, folder)) {
    const LoadedScenario loaded = scenario_of(stored.entry);
    const EntryRun run = run_entry(stored, loaded);
    if (is_interrupted()) return kInterrupted;
    code = worse(code, code_of(run.standing));
    console.print(told(run, console.paper()));
    const std::string old_file = stored.file;
    StoredEntry renewed = stored;
    const std::string done = brought_up_to_date(run, loaded, arguments, renewed);
    if (done.empty()) continue;
    renewed.file = file_of(renewed.entry, loaded.scenario.name);
    folder.write(renewed);
    if (renewed.file != old_file) folder.remove(old_file);
    console.print(console.paper().paragraph("  ", done + ": " + folder.path_of(renewed.file), 2));
  }
  return code;
}

/// Whose scenario is gone, and of those with one failure all but the smallest.
ExitCode prune(const Arguments& arguments, Console& console) {
  const CorpusFolder folder = corpus_folder(arguments);
  std::vector<StoredEntry> entries = chosen(arguments, folder);
  std::stable_sort(entries.begin(), entries.end(), [](const StoredEntry& a, const StoredEntry& b) {
    return size_of(a.entry.deviations) < size_of(b.entry.deviations);
  });
  std::vector<std::string> kept;
  for (const StoredEntry& stored : entries) {
    const CorpusEntry& entry = stored.entry;
    const std::string failure =
        fmt::format("{} {} {} {} {}", entry.scenario, fmt::join(entry.set, " "), entry.property,
                    static_cast<unsigned>(entry.first_wrong), entry.detail);
    std::string why;
    if (load_scenario(entry.scenario, &vocabulary()).status == LoadStatus::no_input) {
      why = "its scenario is gone";
    } else if (std::find(kept.begin(), kept.end(), failure) != kept.end()) {
      why = "a smaller run shows the same failure";
    }
    if (why.empty()) {
      kept.push_back(failure);
      continue;
    }
    folder.remove(stored.file);
    console.print(console.paper().paragraph(
        "", fmt::format("removed {}: {}", folder.path_of(stored.file), why), 2));
  }
  console.print(fmt::format("{} kept\n", kept.size()));
  return kOk;
}

}  // namespace

ExitCode corpus(const Arguments& arguments, Console& console) {
  struct Action {
    std::string_view name;
    ExitCode (*run)(const Arguments&, Console&);
  };
  static constexpr std::array<Action, 5> kActions = {{{"add", add},
                                                      {"list", list_entries},
                                                      {"run", run_all},
                                                      {"migrate", migrate},
                                                      {"prune", prune}}};
  std::vector<std::string_view> names;
  for (const Action& action : kActions) {
    if (arguments.words[0] == action.name) return action.run(arguments, console);
    names.push_back(action.name);
  }
  throw Failure(kUsage, fmt::format("corpus does not {}; {}", locklab::quoted(arguments.words[0]),
                                    suggestion(arguments.words[0], names)));
}

}  // namespace locklab::cli
