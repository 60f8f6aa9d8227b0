// Command line: CLI11 parses; which verb, and what is left over, is ours.
// SPDX-License-Identifier: Apache-2.0
#include "cli/command_line.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "cli/flags.h"
#include "cli/help.h"
#include "cli/usage.h"
#include "cli/verbs.h"
#include "scenarios/diagnostic.h"
#include "scenarios/suggest.h"

namespace locklab::cli {
namespace {

const Verb& verb_named(std::string_view name) {
  std::vector<std::string_view> names;
  for (const Verb& verb : verbs()) {
    if (verb.name == name) return verb;
    names.push_back(verb.name);
  }
  usage(fmt::format("there is no verb {}", locklab::quoted(name)), suggestion(name, names));
}

[[noreturn]] void unknown_flag(const Verb& verb, const CLI::App& app, const std::string& flag) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames())
      names.push_back("--" + name);
  }
  const std::vector<std::string_view> known(names.begin(), names.end());
  const std::string_view near = nearest(std::string_view(flag).substr(0, flag.find('=')), known);
  const std::string hint = near.empty() ? fmt::format("see locklab {} -h", verb.name)
                                        : fmt::format("did you mean {}?", near);
  usage(fmt::format("{} has no flag {}", verb.name, locklab::quoted(flag)), hint);
}

void check_words(const Verb& verb, const Arguments& arguments) {
  if (arguments.words.size() < verb.words_least) {
    usage(fmt::format("{} needs {}", verb.name, verb.words),
          fmt::format("see locklab {} -h", verb.name));
  }
  if (arguments.words.size() > verb.words_most) {
    usage(fmt::format("{} takes no word {}", verb.name,
                      locklab::quoted(arguments.words[verb.words_most])),
          fmt::format("see locklab {} -h", verb.name));
  }
}

}  // namespace

CommandLine parse_command_line(int argc, const char* const* argv) {
  CommandLine line;
  std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  if (words.empty()) words.emplace_back("demo");
  if (words[0] == "-h" || words[0] == "--help" || words[0] == "help") {
    if (words.size() < 2 || words[0] != "help") {
      line.help = general_help();
      return line;
    }
    words = {words[1], "--help"};
  }
  if (words[0] == "--version") words[0] = "version";
  // Flags before a verb belong to the demo, which is what no verb means.
  if (words[0].starts_with("-")) words.insert(words.begin(), "demo");

  const Verb& verb = verb_named(words[0]);
  line.arguments.verb = verb.name;
  CLI::App app;
  add_flags(verb, app, line.arguments);
  std::vector<std::string> rest(words.rbegin(), words.rend() - 1);  // CLI11 wants them reversed.
  try {
    app.parse(std::move(rest));
  } catch (const CLI::CallForHelp&) {
    line.help = help_of(verb, app);
    return line;
  } catch (const CLI::ArgumentMismatch& error) {  // "--seed: 1 required N missing"
    const std::string what = error.what();
    usage(what.substr(0, what.find(':')) + " needs a value",
          fmt::format("see locklab {} -h", verb.name));
  } catch (const CLI::ParseError& error) {
    usage(error.what(), fmt::format("see locklab {} -h", verb.name));
  }
  for (const std::string& extra : app.remaining())
    unknown_flag(verb, app, extra);
  check_words(verb, line.arguments);
  if (line.arguments.report.any() && line.arguments.out.empty()) {
    usage("--report writes files and needs --out DIR to write them into");
  }
  return line;
}

}  // namespace locklab::cli
