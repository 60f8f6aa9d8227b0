// Help: examples first, then what there is, in two columns.
// SPDX-License-Identifier: Apache-2.0
#include "cli/help.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "reports/text.h"

namespace locklab::cli {
namespace {

constexpr std::size_t kHelpColumns = 80;
constexpr std::size_t kFlagColumns = 24;

std::string row(const std::string& left, std::string_view right) {
  std::string out = "  " + padded(left, kFlagColumns - 2);
  if (columns_of(left) + 3 > kFlagColumns) out += "\n" + std::string(kFlagColumns, ' ');
  bool first = true;
  for (const std::string& line : wrapped(right, kHelpColumns - kFlagColumns)) {
    out += (first ? "" : std::string(kFlagColumns, ' ')) + line + "\n";
    first = false;
  }
  return out;
}

}  // namespace

std::string help_of(const Verb& verb, const CLI::App& app) {
  std::string out = "Examples\n" + std::string(verb.examples);
  out += fmt::format("\nlocklab {}{}{}\n\n", verb.name, verb.words.empty() ? "" : " ", verb.words);
  for (const std::string& line : wrapped(verb.purpose, kHelpColumns))
    out += line + "\n";
  out += "\n";
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group().empty()) continue;
    std::string left = option->get_name(false, true);
    const std::string type = option->get_type_name();
    if (option->get_expected_max() > 0 && !type.empty()) left += " " + type;
    out += row(left, option->get_description());
  }
  return out;
}

std::string general_help() {
  std::string out =
      "Examples\n"
      "  locklab                               five traps, each found and mended\n"
      "  locklab check late-write              1000 runs, the smallest failing one told\n"
      "  locklab run calm --seed 7             one run, step by step\n"
      "\nlocklab VERB [WORD...] [FLAG...]\n\n";
  std::string for_maintainers;
  for (const Verb& verb : verbs()) {
    (verb.for_maintainers ? for_maintainers : out) += row(std::string(verb.name), verb.summary);
  }
  out += "\nFor those who work on locklab:\n" + for_maintainers;
  out +=
      "\nlocklab VERB -h tells a verb's flags. Results go to stdout, talk to stderr.\n"
      "Exit codes: 0 as expected, 1 violated, 2 inconclusive, 3 a trap that no longer\n"
      "bites, 4 nothing run, 5 replay diverged, 64 usage, 65 bad data, 66 no input,\n"
      "70 internal, 73 cannot create, 74 write error, 130 interrupted.\n";
  return out;
}

}  // namespace locklab::cli
