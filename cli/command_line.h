// Command line: words and flags to arguments; help; a suggestion for what is misspelt.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "cli/arguments.h"

namespace locklab::cli {

struct CommandLine {
  Arguments arguments;
  std::optional<std::string> help;  // To print instead of doing anything.
};

/// Throws Failure (kUsage).
CommandLine parse_command_line(int argc, const char* const* argv);

}  // namespace locklab::cli
