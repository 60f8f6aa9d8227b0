// Verbs: what the program can do; one file each.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "cli/arguments.h"
#include "cli/console.h"
#include "cli/exit_code.h"

namespace locklab::cli {

struct Verb {
  std::string_view name;
  std::string_view words;     // "SCENARIO", for help.
  std::string_view summary;   // For the list of verbs.
  std::string_view purpose;   // For its own help.
  std::string_view examples;  // Three lines or four.
  std::size_t words_least = 0;
  std::size_t words_most = 0;
  ExitCode (*run)(const Arguments& arguments, Console& console) = nullptr;
  bool for_maintainers = false;  // Help lists it apart.
};

/// In the order in which help lists them.
std::span<const Verb> verbs();

ExitCode demo(const Arguments& arguments, Console& console);
ExitCode list(const Arguments& arguments, Console& console);
ExitCode run(const Arguments& arguments, Console& console);
ExitCode check(const Arguments& arguments, Console& console);
ExitCode replay(const Arguments& arguments, Console& console);
ExitCode corpus(const Arguments& arguments, Console& console);
ExitCode certify(const Arguments& arguments, Console& console);
ExitCode merge(const Arguments& arguments, Console& console);
ExitCode why(const Arguments& arguments, Console& console);
ExitCode compare(const Arguments& arguments, Console& console);
ExitCode shrink(const Arguments& arguments, Console& console);
ExitCode publish(const Arguments& arguments, Console& console);
ExitCode history(const Arguments& arguments, Console& console);
ExitCode version(const Arguments& arguments, Console& console);

}  // namespace locklab::cli
