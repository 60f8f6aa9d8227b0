// Environment: LOCKLAB_SEED and LOCKLAB_REPLAY, and what else was probably meant.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "search/token.h"

namespace locklab::testkit {

struct Environment {
  std::optional<std::uint64_t> seed;  // The first of every search.
  std::optional<Token> replay;        // The one run to run.
  std::string replay_text;
  std::string problem;                // What is wrong with a value; empty: nothing.
  std::vector<std::string> warnings;  // A line for each LOCKLAB_ name that nobody reads.
};

/// Of "NAME=value" texts; other names are of no interest.
Environment environment_of(const std::vector<std::string_view>& variables);
/// Of this process, as it is now.
Environment environment();

}  // namespace locklab::testkit
