// Running: the GoogleTest test that asks, and what LOCKLAB_REPLAY makes of it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "testkit/environment.h"
#include "testkit/setting.h"

namespace locklab::testkit {

/// "Suite.Name"; empty outside a test.
std::string running_test();
/// The command that runs only this test, and in it only that schedule.
std::string replay_command(const std::string& token);
/// What has to stand before that command besides, while this object lives.
class CommandPrefix {
 public:
  explicit CommandPrefix(std::string words);
  CommandPrefix(const CommandPrefix&) = delete;
  CommandPrefix& operator=(const CommandPrefix&) = delete;
  ~CommandPrefix();
};

/// Warns, once in a process, of variables that mean nothing; from then on watches each test's end.
void begin_watching();

/// What the worlds of the running test are to LOCKLAB_REPLAY.
struct ReplayState {
  std::uint32_t replayed = 0;
  std::vector<std::string> namesakes;  // Hashes of worlds with the token's name and another hash.
  std::string other;                   // The name of a world with another name.
};
/// true: the world is the one that the token names. Keeps count.
bool is_world_of(const Token& token, const Setting& setting);

/// What must be said when a test ends in which nothing was replayed.
struct AtEnd {
  enum class What : std::uint8_t { nothing, skip, fail } what = What::nothing;
  std::string text;
};
AtEnd at_end(const ReplayState& state, const Token& token);

}  // namespace locklab::testkit
