// Environment: reads the variables that begin with LOCKLAB_.
// SPDX-License-Identifier: Apache-2.0
#include "testkit/environment.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <unistd.h>

#include "scenarios/diagnostic.h"
#include "scenarios/suggest.h"

namespace locklab::testkit {
namespace {

constexpr std::string_view kPrefix = "LOCKLAB_";
constexpr std::string_view kSeed = "LOCKLAB_SEED";
constexpr std::string_view kReplay = "LOCKLAB_REPLAY";
/// The third is the documentation's name for the folder of a build.
constexpr std::array<std::string_view, 3> kKnown = {kSeed, kReplay, "LOCKLAB_BUILD"};

void read_seed(std::string_view value, Environment& environment) {
  std::uint64_t seed = 0;
  const char* const end = value.data() + value.size();
  const auto [last, error] = std::from_chars(value.data(), end, seed);
  if (error == std::errc() && last == end) {
    environment.seed = seed;
  } else {
    environment.problem = "LOCKLAB_SEED is " + quoted(value) +
                          ", and a seed is a number from 0 to " + std::to_string(UINT64_MAX);
  }
}

void read_replay(std::string_view value, Environment& environment) {
  TokenResult parsed = parse_token(value);
  environment.replay_text = value;
  if (parsed.error.empty()) {
    environment.replay = std::move(parsed.token);
  } else {
    environment.problem = "LOCKLAB_REPLAY is " + quoted(value) + ", and no token: " + parsed.error;
  }
}

}  // namespace

Environment environment_of(const std::vector<std::string_view>& variables) {
  Environment environment;
  for (const std::string_view variable : variables) {
    const std::size_t equals = std::min(variable.find('='), variable.size());
    const std::string_view name = variable.substr(0, equals);
    if (!name.starts_with(kPrefix) || equals == variable.size()) continue;
    const std::string_view value = variable.substr(equals + 1);
    if (std::find(kKnown.begin(), kKnown.end(), name) == kKnown.end()) {
      const std::string hint = suggestion(name, kKnown);
      environment.warnings.push_back(printable(name) + " means nothing to locklab" +
                                     (hint.empty() ? "" : "; " + hint));
    } else if (!value.empty() && name == kSeed) {
      read_seed(value, environment);
    } else if (!value.empty() && name == kReplay) {
      read_replay(value, environment);
    }
  }
  return environment;
}

Environment environment() {
  std::vector<std::string_view> variables;
  for (char** variable = ::environ; variable != nullptr && *variable != nullptr; ++variable)
    variables.emplace_back(*variable);
  return environment_of(variables);
}

}  // namespace locklab::testkit
