// Running: the state of one process's tests, and a listener that ends each of them.
// SPDX-License-Identifier: Apache-2.0
#include "testkit/running.h"

#include <algorithm>
#include <cerrno>
#include <iostream>
#include <utility>

#include <gtest/gtest.h>

#include "reports/text.h"
#include "search/byte_codec.h"

namespace locklab::testkit {
namespace {

std::string& command_prefix() {
  static std::string words;
  return words;
}

ReplayState& state() {
  static ReplayState of_the_running_test;
  return of_the_running_test;
}

/// GTEST_SKIP and ADD_FAILURE belong into functions without a result.
void say(const AtEnd& end) {
  if (end.what == AtEnd::What::skip) GTEST_SKIP() << end.text;
  if (end.what == AtEnd::What::fail) ADD_FAILURE() << end.text;
}

class Watcher : public ::testing::EmptyTestEventListener {
  // NOLINTBEGIN(readability-identifier-naming): GoogleTest's names.
  void OnTestStart(const ::testing::TestInfo&) override { state() = {}; }
  void OnTestEnd(const ::testing::TestInfo&) override {
    const Environment now = environment();
    if (now.replay) say(at_end(state(), *now.replay));
    state() = {};
  }
  // NOLINTEND(readability-identifier-naming)
};

bool start_watching() {
  for (const std::string& warning : environment().warnings)
    std::cerr << "locklab: warning: " << warning << "\n";
  // GoogleTest owns it.
  ::testing::UnitTest::GetInstance()->listeners().Append(new Watcher);
  return true;
}

}  // namespace

std::string running_test() {
  const ::testing::TestInfo* const test = ::testing::UnitTest::GetInstance()->current_test_info();
  if (test == nullptr) return {};
  return std::string(test->test_suite_name()) + "." + test->name();
}

std::string replay_command(const std::string& token) {
  std::string command = command_prefix() + "LOCKLAB_REPLAY=" + shell_word(token) + " " +
                        shell_word(program_invocation_name);
  const std::string test = running_test();
  return test.empty() ? command : command + " --gtest_filter=" + shell_word(test);
}

CommandPrefix::CommandPrefix(std::string words) {
  command_prefix() = std::move(words);
}
CommandPrefix::~CommandPrefix() {
  command_prefix().clear();
}

void begin_watching() {
  static const bool kWatching = start_watching();
  static_cast<void>(kWatching);
}

bool is_world_of(const Token& token, const Setting& setting) {
  if (token.scenario != setting.scenario.name) {
    state().other = setting.scenario.name;
    return false;
  }
  const std::uint32_t hash = shown_bits(setting.scenario.hash);
  if (token.scenario_hash == hash) {
    ++state().replayed;
    return true;
  }
  std::vector<std::string>& namesakes = state().namesakes;
  const std::string shown = hex(hash, 8);
  const bool known = std::find(namesakes.begin(), namesakes.end(), shown) != namesakes.end();
  if (!known && namesakes.size() < 4) namesakes.push_back(shown);
  return false;
}

AtEnd at_end(const ReplayState& state, const Token& token) {
  if (state.replayed > 0) return {};
  if (!state.namesakes.empty()) {
    std::string hashes;
    for (const std::string& hash : state.namesakes)
      hashes += (hashes.empty() ? "" : ", ") + hash;
    return {AtEnd::What::fail,
            "LOCKLAB_REPLAY is of another " + token.scenario + ": the token's world has the hash " +
                hex(token.scenario_hash, 8) + ", this test's " + hashes +
                ". The test has changed since, or a property test was not given the RC_PARAMS "
                "that were printed with the token."};
  }
  if (state.other.empty()) return {};
  return {AtEnd::What::skip, "LOCKLAB_REPLAY names " + token.scenario + ", this is " + state.other};
}

}  // namespace locklab::testkit
