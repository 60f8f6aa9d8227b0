// Corpus runs: loads, reruns, tells.
// SPDX-License-Identifier: Apache-2.0
#include "cli/corpus_runs.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/failure.h"
#include "cli/interrupt.h"
#include "properties/judge.h"
#include "scenarios/diagnostic.h"

namespace locklab::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string_view name_of(Standing standing) {
  switch (standing) {
    case Standing::as_recorded:
      return "as-recorded";
    case Standing::mended:
      return "mended";
    case Standing::regression:
      return "regression";
    case Standing::dead:
      return "dead";
  }
  return "";
}

/// "late-write-3f9c21e0", the file without its ending.
std::string name_of(const StoredEntry& stored) {
  return stored.file.substr(0, stored.file.rfind('.'));
}

std::string sentence_of(const EntryRun& run) {
  const CorpusEntry& entry = run.stored->entry;
  switch (run.standing) {
    case Standing::regression:
      return "a failure that was fixed is back: " + entry.summary;
    case Standing::mended:
      return "fails no more: " + entry.summary +
             ". Mended? locklab corpus migrate keeps it as fixed";
    case Standing::dead:
      return "the trap no longer bites: " + entry.summary;
    case Standing::as_recorded:
      return run.result.rerun == Rerun::passes ? "stays fixed: " + entry.summary
                                               : "fails as recorded: " + entry.summary;
  }
  return "";
}

}  // namespace

CorpusFolder corpus_folder(const Arguments& arguments) {
  return CorpusFolder(arguments.corpus.empty() ? kCorpusFolder : arguments.corpus);
}

LoadedScenario scenario_of(const CorpusEntry& entry) {
  LoadedScenario loaded = load_for(entry.scenario, entry.set);
  const std::vector<Property>& known = all_properties();
  const bool judged = std::any_of(known.begin(), known.end(), [&](const Property& property) {
    return property.name == entry.property;
  });
  if (!judged) {
    throw Failure(kBadData, "there is no property " + locklab::quoted(entry.property) +
                                ", which a corpus entry of " + loaded.scenario.name + " names");
  }
  return loaded;
}

EntryRun run_entry(const StoredEntry& stored, const LoadedScenario& loaded) {
  RerunOptions options;
  options.cancelled = is_interrupted;
  EntryRun run{&stored, rerun(loaded.scenario, stored.entry, options), Standing::as_recorded, {}};
  run.standing = standing_of(stored.entry.status, run.result.rerun);
  const auto token = choice_token(loaded.scenario, run.result.choices, run.result.digest);
  if (token) run.replay = replay_command(*token, loaded.scenario, loaded.set);
  return run;
}

std::string told(const EntryRun& run, const Paper& paper) {
  const bool good = run.standing == Standing::as_recorded || run.standing == Standing::mended;
  const std::string_view status = locklab::name_of(run.stored->entry.status);
  std::string text =
      paper.paragraph(good ? "✓ " : "✗ ",
                      fmt::format("{} ({}): {}", name_of(*run.stored), status, sentence_of(run)), 2,
                      good ? Ink::green : Ink::red);
  if (run.result.rerun == Rerun::near) {
    text += paper.paragraph(
        "  ", "its own deviations fit no more, others near them fail: " + run.result.divergence, 2,
        Ink::dim);
  }
  if (!good && !run.replay.empty()) text += "  " + paper.say(run.replay) + "\n";
  return text;
}

std::string json_of(const EntryRun& run) {
  const CorpusEntry& entry = run.stored->entry;
  Json json;
  json["schema"] = "locklab.corpus/1";
  json["entry"] = name_of(*run.stored);
  json["status"] = locklab::name_of(entry.status);
  json["scenario"] = entry.scenario;
  json["property"] = entry.property;
  json["summary"] = entry.summary;
  json["rerun"] = locklab::name_of(run.result.rerun);
  json["standing"] = name_of(run.standing);
  json["divergence"] = run.result.divergence;
  json["replay"] = run.replay;
  json["executions"] = run.result.executions;
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

ExitCode code_of(Standing standing) {
  switch (standing) {
    case Standing::regression:
      return kViolated;
    case Standing::dead:
      return kNotViolated;
    default:
      return kOk;
  }
}

ExitCode run_corpus_of(const std::string& scenario, const LoadedScenario& loaded,
                       std::span<const StoredEntry> entries, const Arguments& arguments,
                       Console& console) {
  ExitCode code = kOk;
  unsigned count = 0;
  for (const StoredEntry& stored : entries) {
    if (stored.entry.scenario != scenario || stored.entry.set != loaded.set) continue;
    const EntryRun run = run_entry(stored, loaded);
    if (is_interrupted()) return kInterrupted;
    const ExitCode one = code_of(run.standing);
    if (code == kOk || one == kViolated) code = one;
    ++count;
    if (arguments.json) {
      console.print(json_of(run));
    } else if (run.standing != Standing::as_recorded) {
      console.print(told(run, console.paper()));
    }
  }
  if (count > 0 && code == kOk && !arguments.json) {
    console.print(console.paper().paragraph(
        "", fmt::format("corpus: {} kept run{} ended as recorded", count, count == 1 ? "" : "s"), 0,
        Ink::dim));
  }
  return code;
}

}  // namespace locklab::cli
