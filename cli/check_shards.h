// Check shards: a part of a check for one machine, and all parts told as the whole.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cli/arguments.h"
#include "cli/console.h"
#include "cli/exit_code.h"
#include "cli/lab.h"

namespace locklab::cli {

/// Searches the shard's seeds of each scenario, and writes what was found for merge. kViolated as
/// soon as something unexpected was; else kOk, whatever the other shards will say.
ExitCode check_shard(const std::vector<LoadedScenario>& scenarios, const Arguments& arguments,
                     Console& console);

struct ShardText {
  std::string path;
  std::string text;
};
/// The shards told as check would have told the whole.
ExitCode merge_checks(const std::vector<ShardText>& shards, const Arguments& arguments,
                      Console& console);

}  // namespace locklab::cli
