// Recording: tokens and trace files, and what of them is not what is here.
// SPDX-License-Identifier: Apache-2.0
#include "cli/recording.h"

#include <optional>
#include <utility>

#include <fmt/format.h>

#include "cli/failure.h"
#include "scenarios/loader.h"
#include "search/byte_codec.h"
#include "search/strategies/catalogue.h"

namespace locklab::cli {
namespace {

Recording from_trace(const std::string& path, std::optional<std::uint64_t> name,
                     const std::vector<std::string>& set) {
  if (!set.empty()) {
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

Recording from_token(const std::string& text, const std::string& file,
                     const std::vector<std::string>& set) {
  const TokenResult parsed = parse_token(text);
  if (!parsed.error.empty())
    throw Failure(kBadData, locklab::quoted(text) + " is no token: " + parsed.error);
  const Token& token = parsed.token;
  if (const auto* const body = std::get_if<TraceBody>(&token.body)) {
    const std::string path = file.empty() ? hex(body->file, 16) + ".json" : file;
    Recording recording = from_trace(path, body->file, set);
    if (shown_bits(recording.trace->digest) != token.digest ||
        recording.shown_hash != token.scenario_hash) {
      throw Failure(kBadData, path + ": the trace file is not of the run that the token names");
    }
    recording.token = text;
    return recording;
  }
  const std::string& source = file.empty() ? token.scenario : file;
  if (const auto* const body = std::get_if<SeedBody>(&token.body);
      body != nullptr && !body->strategy.empty()) {
    const StrategyInfo* const strategy = find_strategy(body->strategy);
    if (strategy == nullptr) {
      throw Failure(kBadData, "this version has no strategy " + locklab::quoted(body->strategy));
    }
    if (!strategy->by_number) {
      throw Failure(kBadData, "a number alone names no run of the strategy " + body->strategy);
    }
  }
  Recording recording;
  recording.loaded = load_for(source, set);
  recording.token = text;
  recording.recorded = recorded_in(token);
  recording.shown_hash = token.scenario_hash;
  if (const auto* const list = std::get_if<ChoiceBody>(&token.body)) {
    recording.model_epoch = list->model_epoch;
  }
  return recording;
}

}  // namespace

bool names_trace(const std::string& word) {
  return !word.starts_with("ll1:") &&
         (word.ends_with(".json") || word.find('/') != std::string::npos);
}

Recording recording_of(const std::string& word, const std::string& file,
                       const std::vector<std::string>& set) {
  if (!names_trace(word)) return from_token(word, file, set);
  if (!file.empty()) {
    throw Failure(kUsage, "a trace file carries its own scenario; give none with it");
  }
  return from_trace(word, std::nullopt, set);
}

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

RunView run_recorded(Bench& bench, const Recording& recording) {
  RecordedSource source(recording.loaded.scenario, recording.recorded);
  return bench.run(*source);
}

}  // namespace locklab::cli
