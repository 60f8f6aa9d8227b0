// Flags: each spelt once, in groups, and which verb takes which.
// SPDX-License-Identifier: Apache-2.0
#include "cli/flags.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "cli/report_formats.h"
#include "cli/usage.h"
#include "properties/linearizability/model.h"
#include "scenarios/diagnostic.h"
#include "scenarios/suggest.h"
#include "search/strategies/catalogue.h"
#include "sim/time.h"

namespace locklab::cli {
namespace {

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

class Flags {
 public:
  /// Callbacks outlive the flags: they refer to the arguments and to nothing here.
  Flags(CLI::App& app, Arguments& arguments) : app_(app), a_(arguments) {}

  void appearance() {
    const std::map<std::string, ColorMode> modes = {
        {"auto", ColorMode::automatic}, {"always", ColorMode::always}, {"never", ColorMode::never}};
    text("--color", "WHEN", "auto, always or never; default auto",
         [&a = a_, modes](const std::string& value) {
           const auto mode = modes.find(value);
           if (mode == modes.end()) {
             usage(fmt::format("--color must be auto, always or never, not {}",
                               locklab::quoted(value)));
           }
           a.paper.color = mode->second;
         });
    text("--width", "N", "columns of the output, 40 to 500; default 80, with colour 100",
         [&a = a_](const std::string& value) {
           a.paper.width = number_within(value, "--width", Paper::kNarrowest, Paper::kWidest);
         });
    app_.add_flag("--ascii", a_.paper.ascii, "draw with ASCII characters only");
  }
  void json() { app_.add_flag("--json", a_.json, "one JSON object per line on stdout"); }
  void set() {
    text("--set", "PATH=VALUE", "replace a value of the scenario; repeatable",
         [&a = a_](const std::string& value) { a.set.push_back(value); })
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  }
  void seed() {
    text("--seed", "N", "the seed, also as 0xHEX; default 1",
         [&a = a_](const std::string& value) { a.seed = number_of(value, "--seed"); });
    app_.add_flag("--calm", a_.calm, "no seed: every choice is the harmless one");
  }
  void out() {
    directory("--out", "also write story.txt, result.json, events.ndjson and a trace file there",
              a_.out);
  }
  void certificate_out() {
    directory("--out", "write certificate.json there, now and then and at the end", a_.out);
  }
  void report_of_run() {
    text("--report", "html", "also write report.html into the directory of --out",
         [&a = a_](const std::string& value) { read_report_formats(value, false, a.report); });
  }
  void report_of_search() {
    text("--report", "html,junit",
         "also write report.html or junit.xml, or both, into the directory of --out",
         [&a = a_](const std::string& value) { read_report_formats(value, true, a.report); });
  }
  void corpus() {
    directory("--corpus", "the directory of kept failures; default locklab-corpus", a_.corpus);
  }
  void status() {
    text("--status", "STATUS", "add: open, fixed or expected; default what the scenario expects",
         [&a = a_](const std::string& value) { a.status = value; });
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
         [&a = a_](const std::string& value) {
           if (!linearizability::spec_named(value)) {
             usage("there is no model " + locklab::quoted(value),
                   suggestion(value, linearizability::model_names()));
           }
           a.model = value;
         });
    text("--time", "DUR", "for each file, such as 10s; default 1m",
         [&a = a_](const std::string& value) {
           const std::optional<Duration> time = parse_duration(value);
           if (!time || *time < milliseconds(1) || *time > milliseconds(86'400'000)) {
             usage(fmt::format("--time must be 1ms to 24h, not {}", locklab::quoted(value)));
           }
           a.time_ms = times_in(milliseconds(1), *time);
         });
    count("--memory", "in MiB, for each file, about; default 1024", 1, 1048576, a_.memory_mib);
  }
  void search() {
    seeds("the seeds to run, both included; default 1..1000");
    strategy();
    app_.add_flag("--until-violation", a_.until_violation,
                  "stop at the first violation that is not expected");
    jobs();
    app_.add_flag_callback(
        "--no-shrink", [&a = a_] { a.shrink = false; }, "show the run as it was found");
    text("--tag", "TAG", "without SCENARIO: all that carry this tag",
         [&a = a_](const std::string& value) { a.tag = value; });
  }
  void strategy() {
    text("--strategy", "NAME",
         "what draws the runs, as `list strategies` names them; default swarm",
         [&a = a_](const std::string& value) {
           if (find_strategy(value) == nullptr) {
             std::vector<std::string_view> known;
             for (const StrategyInfo& strategy : all_strategies())
               known.push_back(strategy.name);
             usage("there is no strategy " + locklab::quoted(value), suggestion(value, known));
           }
           a.strategy = value;
         });
  }
  void jobs() {
    count("--jobs", "runs side by side; default as many as there are processors", 1, 256, a_.jobs);
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
    text("--resume", "FILE", "go on from an interrupted certificate, with its bound and shard",
         [&wish](const std::string& value) { wish.resume = value; });
    text("--verify", "FILE", "enumerate again by other means, and compare",
         [&wish](const std::string& value) { wish.verify = value; });
  }
  void shard() {
    text("--shard", "K/N", "only the kth of n equal parts; locklab merge adds up all n",
         [&a = a_](const std::string& value) {
           const std::size_t slash = value.find('/');
           if (slash == std::string::npos)
             usage("--shard must be such as 1/4, not " + locklab::quoted(value));
           const std::uint64_t of =
               number_within(value.substr(slash + 1), "the number of shards", 1, kShardsMost);
           a.shard = {number_within(value.substr(0, slash), "the shard", 1, of), of};
         });
  }
  void coverage() {
    app_.add_flag("--coverage", a_.coverage,
                  "also where faults struck, and what was put to the test then");
  }
  /// Of the verbs that look into one failing run.
  void subject() {
    seed_of_scenario();
    text("--property", "NAME", "what must be violated in it; default the worst that is",
         [&a = a_](const std::string& value) { a.property = value; });
    count("--runs", "runs for making it small; default 2000", 1, 10'000'000, a_.shrink_runs);
  }
  void forks() { count("--forks", "runs from each decision; default 200", 1, 1'000'000, a_.forks); }
  void actors() {
    app_.add_flag("--actors", a_.actors,
                  "also fewer clients, rounds, replicas and nodes, as --set flags");
  }
  void other() {
    text("--with", "LOCK", "B has this algorithm for all clients",
         [&a = a_](const std::string& value) { a.with = value; });
    text("--base", "PATH=VALUE", "as --set, for both A and B; repeatable",
         [&a = a_](const std::string& value) { a.base.push_back(value); })
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    seeds("the seeds to count, both included; default 1..1000");
  }
  void no_shrink() {
    app_.add_flag_callback(
        "--no-shrink", [&a = a_] { a.shrink = false; }, "take the run as it was found");
  }
  void merge_out() {
    directory("--out", "of checks what check writes there, of certificates certificate.json",
              a_.out);
  }

 private:
  void directory(const char* name, const char* meaning, std::string& slot) {
    text(name, "DIR", meaning, [name, &slot](const std::string& value) {
      if (value.empty()) usage(std::string(name) + " needs a directory");
      slot = value;
    });
  }
  void seeds(const char* meaning) {
    text("--seeds", "A..B", meaning, [&a = a_](const std::string& value) { read_seeds(value, a); });
  }
  void seed_of_scenario() {
    text("--seed", "N", "of a scenario: the run of this seed, also as 0xHEX",
         [&a = a_](const std::string& value) { a.seed = number_of(value, "--seed"); });
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
    // One word each time, so that the words behind a flag stay words.
    return option->type_name(type)->expected(1)->allow_extra_args(false)->multi_option_policy(
        CLI::MultiOptionPolicy::TakeLast);
  }

  CLI::App& app_;
  Arguments& a_;
};

/// In the order in which help lists them.
void add_own_flags(std::string_view verb, Flags& flags) {
  using Group = void (Flags::*)();
  struct Row {
    std::string_view verb;
    std::vector<Group> groups;
  };
  const std::vector<Row> rows = {
      {"list", {&Flags::json}},
      {"version", {&Flags::json}},
      {"run",
       {&Flags::seed, &Flags::set, &Flags::drawing, &Flags::out, &Flags::report_of_run,
        &Flags::json}},
      {"replay", {&Flags::set, &Flags::drawing, &Flags::out, &Flags::report_of_run, &Flags::json}},
      {"check",
       {&Flags::search, &Flags::set, &Flags::corpus, &Flags::coverage, &Flags::shard, &Flags::out,
        &Flags::report_of_search, &Flags::json}},
      {"certify",
       {&Flags::certify, &Flags::shard, &Flags::jobs, &Flags::set, &Flags::certificate_out,
        &Flags::json}},
      {"merge",
       {&Flags::no_shrink, &Flags::corpus, &Flags::coverage, &Flags::merge_out,
        &Flags::report_of_search, &Flags::json}},
      {"history", {&Flags::history, &Flags::json}},
      {"why", {&Flags::subject, &Flags::set, &Flags::no_shrink, &Flags::forks, &Flags::json}},
      {"compare", {&Flags::subject, &Flags::set, &Flags::no_shrink, &Flags::other, &Flags::json}},
      {"shrink",
       {&Flags::subject, &Flags::set, &Flags::actors, &Flags::drawing, &Flags::out, &Flags::json}},
      {"corpus", {&Flags::subject, &Flags::set, &Flags::corpus, &Flags::status, &Flags::json}}};
  for (const Row& row : rows) {
    if (row.verb != verb) continue;
    for (const Group group : row.groups)
      (flags.*group)();
  }
}

}  // namespace

void add_flags(const Verb& verb, CLI::App& app, Arguments& arguments) {
  Flags flags(app, arguments);
  add_own_flags(verb.name, flags);
  flags.appearance();
  app.add_option("words", arguments.words)->group("");
  app.set_help_flag("-h,--help", "this text");
  app.allow_extras();
}

}  // namespace locklab::cli
