// Lab: the thin layer between words on a command line and the libraries.
// SPDX-License-Identifier: Apache-2.0
#include "cli/lab.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "cli/console.h"
#include "cli/drawn_error.h"
#include "cli/failure.h"
#include "reports/text.h"
#include "scenarios/loader.h"

namespace locklab::cli {
namespace {

Vocabulary make_vocabulary() {
  Vocabulary words;
  for (const LockInfo& lock : all_locks())
    words.locks.push_back({std::string(lock.name), lock.fenced});
  for (const Property& property : all_properties())
    words.properties.emplace_back(property.name);
  return words;
}

std::string line_of(const Diagnostic& error) {
  return error.headline() + (error.hint.empty() ? "" : "; " + error.hint);
}

ExitCode code_of(LoadStatus status) {
  return status == LoadStatus::no_input ? kNoInput : kBadData;
}

}  // namespace

const Vocabulary& vocabulary() {
  static const Vocabulary kWords = make_vocabulary();
  return kWords;
}

unsigned jobs_of(const Arguments& arguments) {
  if (arguments.jobs != 0) return arguments.jobs;
  return std::max(1U, std::thread::hardware_concurrency());
}

std::string file_text(const std::string& path, std::size_t limit) {
  FileText file = read_file(path, limit);
  if (!file.error.empty()) {
    throw Failure(code_of(file.status), locklab::quoted(path) + " " + file.error);
  }
  return std::move(file.text);
}

void fail_with(const std::vector<Diagnostic>& errors, ExitCode code) {
  if (errors.empty()) throw Failure(code, "wrong input");
  const Console console{PaperWish{ColorMode::never, std::nullopt, false}};
  for (const Diagnostic& error : errors) {
    if (on_terminal() && error.line > 0) {
      console.say(drawn(error, console.err_paper()));
    } else {
      complain(line_of(error));
    }
  }
  throw Failure(code, "");
}

LoadedScenario load_for(const std::string& name_or_path, const std::vector<std::string>& set) {
  LoadResult loaded = load_scenario(name_or_path, &vocabulary());
  if (!loaded.scenario) fail_with(loaded.errors, code_of(loaded.status));
  LoadedScenario result{*std::move(loaded.scenario), std::move(loaded.text), set};
  const std::vector<Diagnostic> errors = apply_set(result.scenario, set, &vocabulary());
  if (!errors.empty()) fail_with(errors, kUsage);
  const std::string objection = check_locks(result.scenario);
  if (!objection.empty()) {
    throw Failure(set.empty() ? kBadData : kUsage, result.scenario.name + ": " + objection);
  }
  return result;
}

std::string replay_command(const std::string& token, const Scenario& scenario,
                           const std::vector<std::string>& set) {
  std::string command = "locklab replay " + shell_word(token);
  if (!scenario.source.starts_with("embedded:")) command += " " + shell_word(scenario.source);
  for (const std::string& assignment : set)
    command += " --set " + shell_word(assignment);
  return command;
}

void give_command(RunView& run, const LoadedScenario& loaded) {
  if (run.token.empty()) {
    run.token = choice_token(loaded.scenario, run.choices, run.digest).value_or("");
  }
  if (!run.token.empty()) run.replay = replay_command(run.token, loaded.scenario, loaded.set);
}

std::string word_for(const Scenario& scenario) {
  return scenario.source.starts_with("embedded:") ? scenario.name : scenario.source;
}

}  // namespace locklab::cli
