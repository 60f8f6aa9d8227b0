// replay: the same run again, and proof that it is the same.
// SPDX-License-Identifier: Apache-2.0
#include "search/replay.h"

#include <memory>
#include <optional>

#include <fmt/format.h>

#include "cli/failure.h"
#include "cli/lab.h"
#include "cli/record.h"
#include "cli/telling.h"
#include "cli/verbs.h"
#include "reports/json.h"
#include "scenarios/loader.h"
#include "search/byte_codec.h"
#include "search/trace_file.h"
#include "sim/sources.h"

namespace locklab::cli {
namespace {

/// What is to be run again, whatever named it.
struct Recording {
  LoadedScenario loaded;
  std::string token;
  std::unique_ptr<TraceFile> trace;
  Recorded recorded;  // Points at the trace.
  std::uint32_t model_epoch = History::kModelEpoch;
  std::uint32_t shown_hash = 0;
};

bool names_trace(const std::string& word) {
  return !word.starts_with("ll1:") &&
         (word.ends_with(".json") || word.find('/') != std::string::npos);
}

Recording from_trace(const std::string& path, std::optional<std::uint64_t> name,
                     const Arguments& arguments) {
  if (!arguments.set.empty()) {
    throw Failure(kUsage, "a trace file carries its own --set flags; give none with it");
  }
  TraceResult read = load_trace(path, name);
  if (!read.trace)
    fail_with(read.errors, read.status == LoadStatus::no_input ? kNoInput : kBadData);
  DecodeResult decoded = scenario_of(*read.trace, &vocabulary());
  if (!decoded.scenario) fail_with(decoded.errors, kBadData);
  Recording recording;
  recording.loaded = {*std::move(decoded.scenario), read.trace->scenario_text, read.trace->set};
  const std::string objection = check_locks(recording.loaded.scenario);
  if (!objection.empty()) throw Failure(kBadData, path + ": " + objection);
  recording.trace = std::make_unique<TraceFile>(*std::move(read.trace));
  recording.recorded = recorded_in(*recording.trace);
  recording.model_epoch = recording.trace->model_epoch;
  recording.shown_hash = shown_bits(recording.trace->scenario_hash);
  return recording;
}

Recording from_token(const std::string& text, const Arguments& arguments) {
  const TokenResult parsed = parse_token(text);
  if (!parsed.error.empty())
    throw Failure(kBadData, locklab::quoted(text) + " is no token: " + parsed.error);
  const Token& token = parsed.token;
  if (const auto* const body = std::get_if<TraceBody>(&token.body)) {
    const std::string path =
        arguments.words.size() > 1 ? arguments.words[1] : hex(body->file, 16) + ".json";
    Recording recording = from_trace(path, body->file, arguments);
    if (shown_bits(recording.trace->digest) != token.digest ||
        recording.shown_hash != token.scenario_hash) {
      throw Failure(kBadData, path + ": the trace file is not of the run that the token names");
    }
    recording.token = text;
    return recording;
  }
  const std::string source = arguments.words.size() > 1 ? arguments.words[1] : token.scenario;
  if (const auto* const body = std::get_if<SeedBody>(&token.body);
      body != nullptr && !body->strategy.empty()) {
    throw Failure(kBadData, "this version has no strategy " + locklab::quoted(body->strategy));
  }
  Recording recording;
  recording.loaded = load_for(source, arguments.set);
  recording.token = text;
  recording.recorded = recorded_in(token);
  recording.shown_hash = token.scenario_hash;
  if (const auto* const list = std::get_if<ChoiceBody>(&token.body)) {
    recording.model_epoch = list->model_epoch;
  }
  return recording;
}

/// Known before running: what the recording was made with is not what is here. "" otherwise.
std::string mismatch_of(const Recording& recording) {
  if (recording.model_epoch != History::kModelEpoch) {
    return fmt::format(
        "recorded with model epoch {}, this is epoch {}: the same choices may give "
        "another history",
        recording.model_epoch, History::kModelEpoch);
  }
  const std::uint32_t here = shown_bits(recording.loaded.scenario.hash);
  if (here == recording.shown_hash) return {};
  return fmt::format(
      "the scenario is not the recorded one (hash {}, recorded {}): edited since, or "
      "--set flags are missing",
      hex(here, 8), hex(recording.shown_hash, 8));
}

void print_result(const RunView& run, const Recording& recording, const std::string& diverged,
                  const Arguments& arguments, Console& console) {
  RunStory about{recording.loaded.set, recording.recorded.seed,
                 diverged.empty() ? "identical" : "diverged", diverged};
  if (arguments.json) {
    console.print((diverged.empty() ? events_json(run) : "") + run_json(run, about));
    return;
  }
  const Paper& paper = console.paper();
  if (!diverged.empty()) {
    console.print(paper.paragraph("✗ ", "diverged: " + diverged, 2, Ink::red));
    return;
  }
  console.print(paper.paragraph("✓ ",
                                fmt::format("identical: {} events, digest {}",
                                            run.history->records().size(), hex(run.digest, 16)),
                                2, Ink::green) +
                told(run, "replayed", arguments, paper));
}

}  // namespace

ExitCode replay(const Arguments& arguments, Console& console) {
  const std::string& word = arguments.words[0];
  const bool is_trace = names_trace(word);
  if (is_trace && arguments.words.size() > 1) {
    throw Failure(kUsage, "a trace file carries its own scenario; give none with it");
  }
  const Recording recording =
      is_trace ? from_trace(word, std::nullopt, arguments) : from_token(word, arguments);
  std::optional<OutputDirectory> directory;
  if (!arguments.out.empty()) directory.emplace(arguments.out);

  SeededSource seeded(recording.recorded.seed.value_or(0));
  ReplaySource listed;
  listed.load(recording.recorded.deviations);
  Bench bench(recording.loaded.scenario);
  RunView view = bench.run(recording.recorded.seed ? static_cast<ChoiceSource&>(seeded)
                                                   : static_cast<ChoiceSource&>(listed));
  view.token = recording.token.empty()
                   ? choice_token(*view.scenario, view.choices, view.digest).value_or("")
                   : recording.token;
  if (!view.token.empty()) {
    view.replay = replay_command(view.token, recording.loaded.scenario, recording.loaded.set);
  }
  std::string diverged = mismatch_of(recording);
  if (diverged.empty()) {
    const std::optional<Divergence> divergence =
        divergence_of(bench.execution(), recording.recorded);
    if (divergence) diverged = divergence->text;
  }
  print_result(view, recording, diverged, arguments, console);
  if (!diverged.empty()) return kDiverged;
  if (directory) {
    const RunStory about{recording.loaded.set, recording.recorded.seed, "identical", {}};
    console.say(keep(*directory, view, recording.loaded, run_json(view, about), arguments.report));
  }
  return unexpected_violation(view.findings, view.scenario->expect) == nullptr ? kOk : kViolated;
}

}  // namespace locklab::cli
