// Command line: CLI11 parses; verbs, help and suggestions are ours.
// SPDX-License-Identifier: Apache-2.0
#include "cli/command_line.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "cli/failure.h"
#include "cli/report_formats.h"
#include "cli/verbs.h"
#include "properties/linearizability/model.h"
#include "reports/text.h"
#include "scenarios/diagnostic.h"
#include "scenarios/suggest.h"
#include "sim/time.h"

namespace locklab::cli {
namespace {

constexpr std::size_t kHelpColumns = 80;
constexpr std::size_t kFlagColumns = 24;

[[noreturn]] void usage(const std::string& message, const std::string& hint = {}) {
  throw Failure(kUsage, hint.empty() ? message : message + "; " + hint);
}

std::uint64_t number_of(std::string_view text, std::string_view what) {
  const bool hex = text.starts_with("0x") || text.starts_with("0X");
  const std::string_view digits = hex ? text.substr(2) : text;
  std::uint64_t value = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), value, hex ? 16 : 10);
  if (error != std::errc() || end != digits.data() + digits.size() || digits.empty()) {
    usage(fmt::format("{} must be a whole number, not {}", what, locklab::quoted(text)));
  }
  return value;
}

std::uint32_t count_of(std::string_view text, std::string_view what, std::uint64_t most) {
  const std::uint64_t count = number_of(text, what);
  if (count < 1 || count > most) usage(fmt::format("{} must be 1 to {}", what, most));
  return static_cast<std::uint32_t>(count);
}

void read_seeds(std::string_view text, Arguments& arguments) {
  const std::size_t dots = text.find("..");
  if (dots == std::string_view::npos) {
    usage(fmt::format("--seeds must be a range such as 1..1000, not {}", locklab::quoted(text)));
  }
  arguments.first_seed = number_of(text.substr(0, dots), "the first seed");
  arguments.last_seed = number_of(text.substr(dots + 2), "the last seed");
  if (arguments.first_seed > arguments.last_seed) {
    usage(fmt::format("--seeds {} holds no seed: the first is after the last", text));
  }
}

// --- Flags --------------------------------------------------------------------------------------

/// Which flags a verb takes; each is spelt once, here.
class Flags {
 public:
  Flags(CLI::App& app, Arguments& arguments) : app_(app), a_(arguments) {}

  void appearance() {
    const std::map<std::string, ColorMode> modes = {
        {"auto", ColorMode::automatic}, {"always", ColorMode::always}, {"never", ColorMode::never}};
    text("--color", "WHEN", "auto, always or never; default auto",
         [this, modes](const std::string& value) {
           const auto mode = modes.find(value);
           if (mode == modes.end()) {
             usage(fmt::format("--color must be auto, always or never, not {}",
                               locklab::quoted(value)));
           }
           a_.paper.color = mode->second;
         });
    text("--width", "N", "columns of the output, 40 to 500; default 80, with colour 100",
         [this](const std::string& value) {
           const std::uint64_t width = number_of(value, "--width");
           if (width < Paper::kNarrowest || width > Paper::kWidest)
             usage("--width must be 40 to 500");
           a_.paper.width = width;
         });
    app_.add_flag("--ascii", a_.paper.ascii, "draw with ASCII characters only");
  }
  void json() { app_.add_flag("--json", a_.json, "one JSON object per line on stdout"); }
  void set() {
    text("--set", "PATH=VALUE", "replace a value of the scenario; repeatable",
         [this](const std::string& value) { a_.set.push_back(value); })
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  }
  void seed() {
    text("--seed", "N", "the seed, also as 0xHEX; default 1",
         [this](const std::string& value) { a_.seed = number_of(value, "--seed"); });
    app_.add_flag("--calm", a_.calm, "no seed: every choice is the harmless one");
  }
  void out() {
    text("--out", "DIR", "also write story.txt, result.json, events.ndjson and a trace file there",
         [this](const std::string& value) {
           if (value.empty()) usage("--out needs a directory");
           a_.out = value;
         });
  }
  void certificate_out() {
    text("--out", "DIR", "write certificate.json there, now and then and at the end",
         [this](const std::string& value) {
           if (value.empty()) usage("--out needs a directory");
           a_.out = value;
         });
  }
  void report(bool search) {
    text("--report", search ? "html,junit" : "html",
         search ? "also write report.html or junit.xml, or both, into the directory of --out"
                : "also write report.html into the directory of --out",
         [this, search](const std::string& value) {
           read_report_formats(value, search, a_.report);
         });
  }
  void corpus() {
    text("--corpus", "DIR", "the directory of kept failures; default locklab-corpus",
         [this](const std::string& value) {
           if (value.empty()) usage("--corpus needs a directory");
           a_.corpus = value;
         });
  }
  void status() {
    text("--status", "STATUS", "add: open, fixed or expected; default what the scenario expects",
         [this](const std::string& value) { a_.status = value; });
  }
  void drawing() {
    app_.add_flag("--timeline", a_.timeline, "draw a timeline instead of telling a story");
    app_.add_flag("--full", a_.full, "every record, nothing folded");
  }
  void history() {
    text("--model", "NAME",
         "what it is a history of: register, key-value, queue, mutex, "
         "owner-aware-mutex, reentrant-mutex:2, fenced-mutex, reentrant-fenced-mutex:2 or "
         "semaphore:2, with any limit; default what the file says, or what its operations suggest",
         [this](const std::string& value) {
           if (!linearizability::spec_named(value)) {
             usage("there is no model " + locklab::quoted(value),
                   suggestion(value, linearizability::model_names()));
           }
           a_.model = value;
         });
    text("--time", "DUR", "for each file, such as 10s; default 1m",
         [this](const std::string& value) {
           const std::optional<Duration> time = parse_duration(value);
           if (!time || *time < milliseconds(1) || *time > milliseconds(86'400'000)) {
             usage(fmt::format("--time must be 1ms to 24h, not {}", locklab::quoted(value)));
           }
           a_.time_ms = times_in(milliseconds(1), *time);
         });
    text("--memory", "MIB", "for each file, about; default 1024", [this](const std::string& value) {
      const std::uint64_t memory = number_of(value, "--memory");
      if (memory < 1 || memory > 1048576) usage("--memory must be 1 to 1048576");
      a_.memory_mib = static_cast<std::uint32_t>(memory);
    });
  }
  void search() {
    text("--seeds", "A..B", "the seeds to run, both included; default 1..1000",
         [this](const std::string& value) { read_seeds(value, a_); });
    app_.add_flag("--until-violation", a_.until_violation,
                  "stop at the first violation that is not expected");
    jobs();
    app_.add_flag_callback(
        "--no-shrink", [this] { a_.shrink = false; }, "show the run as it was found");
    text("--tag", "TAG", "without SCENARIO: all that carry this tag",
         [this](const std::string& value) { a_.tag = value; });
  }
  void jobs() {
    text("--jobs", "N", "runs side by side; default as many as there are processors",
         [this](const std::string& value) {
           const std::uint64_t jobs = number_of(value, "--jobs");
           if (jobs < 1 || jobs > 256) usage("--jobs must be 1 to 256");
           a_.jobs = static_cast<unsigned>(jobs);
         });
  }
  void certify() {
    CertifyWish& wish = a_.certify;
    count("--faults", "most faults in one schedule; default 2", 0, 9, wish.faults);
    count("--orders", "most deviations of order, delay or hold; default 0", 0, 9, wish.orders);
    text("--deviations", "N", "most of both together; default the greater of the two",
         [&wish](const std::string& value) {
           wish.deviations =
               static_cast<std::uint32_t>(number_within(value, "--deviations", 0, 18));
         });
    count("--steps", "values tried of a choice that has more; default 2", 1, 1000, wish.steps);
    app_.add_flag_callback(
        "--natural-targets", [&wish] { wish.every_target = false; },
        "a fault strikes only the natural victim of its point");
    count("--start-phases", "tried for each client; default 2", 1, 32, wish.start_phases);
    count("--poll-phases", "tried for all clients alike; default 2", 1, 32, wish.poll_phases);
    count("--work-times", "tried for all clients alike; default 2", 1, 32, wish.work_times);
    text("--shard", "K/N", "only the kth of n equal parts", [&wish](const std::string& value) {
      const std::size_t slash = value.find('/');
      if (slash == std::string::npos)
        usage("--shard must be such as 1/4, not " + locklab::quoted(value));
      wish.shard_of = number_within(value.substr(slash + 1), "the number of shards", 1, 4096);
      wish.shard_number = number_within(value.substr(0, slash), "the shard", 1, wish.shard_of);
    });
    text("--resume", "FILE", "go on from an interrupted certificate, with its bound and shard",
         [&wish](const std::string& value) { wish.resume = value; });
    text("--verify", "FILE", "enumerate again by other means, and compare",
         [&wish](const std::string& value) { wish.verify = value; });
  }
  /// Of the verbs that look into one failing run.
  void subject() {
    seed_of_scenario();
    text("--property", "NAME", "what must be violated in it; default the worst that is",
         [this](const std::string& value) { a_.property = value; });
    text("--runs", "N", "runs for making it small; default 2000", [this](const std::string& value) {
      a_.shrink_runs = count_of(value, "--runs", 10'000'000);
    });
  }
  void forks() {
    text("--forks", "N", "runs from each decision; default 200",
         [this](const std::string& value) { a_.forks = count_of(value, "--forks", 1'000'000); });
  }
  void actors() {
    app_.add_flag("--actors", a_.actors,
                  "also fewer clients, rounds, replicas and nodes, as --set flags");
  }
  void other() {
    text("--with", "LOCK", "B has this algorithm for all clients",
         [this](const std::string& value) { a_.with = value; });
    text("--base", "PATH=VALUE", "as --set, for both A and B; repeatable",
         [this](const std::string& value) { a_.base.push_back(value); })
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    text("--seeds", "A..B", "the seeds to count, both included; default 1..1000",
         [this](const std::string& value) { read_seeds(value, a_); });
  }
  void no_shrink() {
    app_.add_flag_callback(
        "--no-shrink", [this] { a_.shrink = false; }, "take the run as it was found");
  }

 private:
  void seed_of_scenario() {
    text("--seed", "N", "of a scenario: the run of this seed, also as 0xHEX",
         [this](const std::string& value) { a_.seed = number_of(value, "--seed"); });
  }

  static std::uint64_t number_within(std::string_view value, std::string_view what,
                                     std::uint64_t least, std::uint64_t most) {
    const std::uint64_t number = number_of(value, what);
    if (number < least || number > most)
      usage(fmt::format("{} must be {} to {}", what, least, most));
    return number;
  }
  void count(const char* name, const char* meaning, std::uint32_t least, std::uint32_t most,
             std::uint32_t& slot) {
    text(name, "N", meaning, [name, least, most, &slot](const std::string& value) {
      slot = static_cast<std::uint32_t>(number_within(value, name, least, most));
    });
  }
  template <class Take>
  CLI::Option* text(const char* name, const char* type, const char* meaning, Take take) {
    auto* const option = app_.add_option_function<std::vector<std::string>>(
        name,
        [take](const std::vector<std::string>& values) {
          for (const std::string& value : values)
            take(value);
        },
        meaning);
    return option->type_name(type)->expected(1)->multi_option_policy(
        CLI::MultiOptionPolicy::TakeLast);
  }

  CLI::App& app_;
  Arguments& a_;
};

void add_flags(const Verb& verb, CLI::App& app, Arguments& arguments) {
  Flags flags(app, arguments);
  const std::string_view name = verb.name;
  const bool search = name == "check";
  const bool single = name == "run" || name == "replay";
  if (name == "run") flags.seed();
  if (search) flags.search();
  const bool certify = name == "certify";
  const bool corpus = name == "corpus";
  if (certify) flags.certify();
  if (certify) flags.jobs();
  if (search || single || corpus || certify) flags.set();
  if (search || corpus) flags.corpus();
  if (corpus) flags.status();
  if (single) flags.drawing();
  if (search || single) flags.out();
  if (certify || name == "merge") flags.certificate_out();
  if (search || single) flags.report(search);
  const bool history = name == "history";
  if (history) flags.history();
  const bool explains = name == "why" || name == "compare" || name == "shrink";
  if (explains) {
    flags.subject();
    flags.set();
    if (name != "shrink") flags.no_shrink();
  }
  if (name == "why") flags.forks();
  if (name == "compare") flags.other();
  if (name == "shrink") flags.actors();
  if (name == "shrink") flags.drawing();
  if (name == "shrink") flags.out();
  const bool prints_json = search || single || corpus || history || certify || explains ||
                           name == "merge" || name == "list" || name == "version";
  if (prints_json) flags.json();
  flags.appearance();
  app.add_option("words", arguments.words)->group("");
  app.set_help_flag("-h,--help", "this text");
  app.allow_extras();
}

// --- Help ---------------------------------------------------------------------------------------

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

// --- Parsing ------------------------------------------------------------------------------------

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
