// demo: the five traps, each found live, drawn on one screen, and shown mended.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "cli/failure.h"
#include "cli/found.h"
#include "cli/interrupt.h"
#include "cli/lab.h"
#include "cli/mended.h"
#include "cli/verbs.h"
#include "reports/marks.h"
#include "reports/story.h"
#include "reports/text.h"
#include "reports/timeline.h"
#include "scenarios/loader.h"
#include "sim/sources.h"

namespace locklab::cli {
namespace {

/// A trap, and what mends it. Where the fence is the answer, the same faults run against it.
struct Lesson {
  std::string_view trap;
  std::string_view mended;
  bool by_fence = false;
};
constexpr Lesson kLessons[] = {
    {"crash-between-setnx-and-expire", "crash-after-set-nx-px"},
    {"late-blind-del", "late-compare-and-delete"},
    {"work-outlives-lease", "watchdog-renews"},
    {"no-count", "nested-with-token"},
    {"failover-forgets-lock", "failover-forgets-lock-fenced", true},
};
constexpr std::uint64_t kMendedSeeds = 200;
constexpr std::uint32_t kShrinkRuns = 500;  // The lessons need far less; each takes under a second.
constexpr std::size_t kTimelineLines = 10;

struct Catch {
  std::uint64_t seed = 0;
  Shrunk shrunk;
};

/// What the published page of the story shows, found anew.
std::optional<Catch> catch_trap(const Scenario& scenario, const Console& console) {
  SearchHooks hooks;
  hooks.cancelled = is_interrupted;
  const SearchResult result = explore(scenario, {1, kTellingSeeds, false}, 1, hooks);
  const std::optional<Telling> telling = worth_telling(result);
  if (!telling) return std::nullopt;
  return Catch{telling->run->seed, shrink_found(scenario, *telling, kShrinkRuns, console)};
}

RunView tokened(RunView view, const LoadedScenario& loaded) {
  give_command(view, loaded);
  return view;
}

unsigned refusals(const RunView& run) {
  const std::span<const Record> records = run.history->records();
  return static_cast<unsigned>(std::count_if(records.begin(), records.end(), [](const Record& r) {
    return r.kind == EventKind::resource_op && r.has(event_flags::kRejected);
  }));
}

bool is_harmed(std::span<const NamedFinding> findings) {
  return std::any_of(findings.begin(), findings.end(), [](const NamedFinding& named) {
    return named.property->severity == Severity::harm && named.finding.verdict == Verdict::violated;
  });
}

/// The same deviations with the fence enforced: a choice of the resource, so that they all align.
std::string with_fence(const Lesson& lesson, const std::vector<Deviation>& choices,
                       const Paper& paper) {
  const LoadedScenario fenced = load_for(std::string(lesson.trap), {"resource.mode=ge_rw"});
  Bench bench(fenced.scenario);
  const RunView view = bench.replay(choices);
  if (is_harmed(view.findings)) {
    return paper.paragraph("✗ ", "The same fault with the fence enforced still does harm.", 2,
                           Ink::red);
  }
  const unsigned refused = refusals(view);
  return paper.paragraph(
      "✓ ",
      fmt::format("The same fault with the fence enforced (resource.mode=ge_rw): the resource "
                  "refuses {} operation{} with an old fence, and no update is lost.",
                  refused, refused == 1 ? "" : "s"),
      2, Ink::green);
}

/// A search of the mended twin, for as many seeds as an eye's blink allows.
std::string with_mended(const Lesson& lesson, const Paper& paper) {
  const LoadedScenario mended = load_for(std::string(lesson.mended), {});
  SearchHooks hooks;
  hooks.cancelled = is_interrupted;
  const SearchResult result = explore(mended.scenario, {1, kMendedSeeds, false}, 1, hooks);
  const bool good = !result.unexpected.has_value();
  return paper.paragraph(
      good ? "✓ " : "✗ ",
      fmt::format("{} ({}): {} in {} schedules.", mended.scenario.title, lesson.mended,
                  good ? "no violation" : "violated", result.runs),
      2, good ? Ink::green : Ink::red);
}

std::string next_steps(const RunView& view, const Paper& paper) {
  return paper.paint(Ink::dim, "next") + "  " + paper.paint(Ink::bold, paper.say(view.replay)) +
         "\n      " + paper.paint(Ink::bold, "locklab why") +
         paper.paint(Ink::dim, " and the same token: what of it is needed") + "\n      " +
         paper.paint(Ink::bold, "locklab check " + view.scenario->name) + "\n";
}

void tell(const Lesson& lesson, Console& console) {
  const LoadedScenario loaded = load_for(std::string(lesson.trap), {});
  const Paper& paper = console.paper();
  const std::optional<Catch> caught = catch_trap(loaded.scenario, console);
  if (!caught) {
    if (is_interrupted()) return;
    throw Failure(kNotViolated,
                  fmt::format("{} was not violated by {} seeds", lesson.trap, kTellingSeeds));
  }
  Bench bench(loaded.scenario);
  const RunView view = tokened(bench.replay(caught->shrunk.choices), loaded);
  std::string out = paper.paragraph(
      "", fmt::format("Trap {}: {}", &lesson - kLessons + 1, loaded.scenario.title), 0, Ink::bold);
  out += paper.paragraph(
      "",
      fmt::format("found by seed {} of a random search, then shrunk from {} to {} deviation{} · "
                  "virtual time, no Redis",
                  caught->seed, caught->shrunk.before, caught->shrunk.after,
                  caught->shrunk.after == 1 ? "" : "s"),
      0, Ink::dim);
  out += "\n" + timeline(view, {.most = kTimelineLines, .everything = false}, paper);
  out += "\n" + reasons(view, paper, Reasons::headline);
  out += lesson.by_fence ? with_fence(lesson, caught->shrunk.choices, paper)
                         : with_mended(lesson, paper);
  console.print(out + next_steps(view, paper));
}

ExitCode five_traps(Console& console) {
  for (const Lesson& lesson : kLessons) {
    tell(lesson, console);
    if (is_interrupted()) return kInterrupted;
    console.print("\n");
  }
  const Paper& paper = console.paper();
  console.print(paper.paragraph(
      "", "Each again by its number: locklab demo 3. Every story there is: locklab demo all", 0,
      Ink::dim));
  return kOk;
}

// --- demo all -----------------------------------------------------------------------------------

bool bites(const Scenario& scenario) {
  return std::any_of(scenario.expect.begin(), scenario.expect.end(),
                     [](const auto& e) { return e.second == Verdict::violated; });
}

/// false: the trap did not bite.
bool brief_trap(const LoadedScenario& loaded, Console& console) {
  const Paper& paper = console.paper();
  console.print(
      paper.paragraph("", loaded.scenario.name + ": " + loaded.scenario.title, 0, Ink::bold));
  const std::optional<Catch> caught = catch_trap(loaded.scenario, console);
  if (!caught) {
    console.print(paper.paragraph("  ? ", fmt::format("not violated by {} seeds", kTellingSeeds), 4,
                                  Ink::yellow));
    return false;
  }
  Bench bench(loaded.scenario);
  const RunView view = tokened(bench.replay(caught->shrunk.choices), loaded);
  const NamedFinding* const headline = headline_of(view);
  if (headline != nullptr) {
    console.print(paper.paragraph("  ✗ ", headline->finding.why, 4, Ink::red));
  }
  console.print(
      paper.paragraph("    ",
                      fmt::format("seed {}, {} deviation{}", caught->seed, caught->shrunk.after,
                                  caught->shrunk.after == 1 ? "" : "s"),
                      4));
  console.print("    " + paper.say(view.replay) + "\n");
  return true;
}

/// A story in which nothing is violated may tell of work that is refused all the same.
std::string refused_work(const LoadedScenario& loaded) {
  if (is_mended(loaded.scenario)) return {};
  Bench bench(loaded.scenario);
  SeededSource source(1);
  const unsigned refused = refusals(bench.run(source));
  if (refused == 0) return {};
  return fmt::format(", but with seed 1 the resource refuses {} operation{}", refused,
                     refused == 1 ? "" : "s");
}

/// false: something is violated that should hold.
bool brief_good(const LoadedScenario& loaded, Console& console) {
  const Paper& paper = console.paper();
  SearchHooks hooks;
  hooks.cancelled = is_interrupted;
  const SearchResult result = explore(loaded.scenario, {1, kMendedSeeds, false}, 1, hooks);
  const bool good = !result.unexpected.has_value();
  const char* const what = !good                    ? "violated"
                           : bites(loaded.scenario) ? "what it promises holds"
                                                    : "no violation";
  console.print(
      paper.paragraph(good ? "✓ " : "✗ ",
                      fmt::format("{}: {} ({} in {} runs{})", loaded.scenario.name,
                                  loaded.scenario.title, what, result.runs, refused_work(loaded)),
                      2, good ? Ink::green : Ink::red));
  return good;
}

ExitCode every_trap(Console& console) {
  bool good = true;
  for (const std::string& name : embedded_scenario_names()) {
    const LoadedScenario loaded = load_for(name, {});
    if (is_interrupted()) return kInterrupted;
    const bool trap = bites(loaded.scenario) && !is_mended(loaded.scenario);
    good = (trap ? brief_trap(loaded, console) : brief_good(loaded, console)) && good;
  }
  return is_interrupted() ? kInterrupted : good ? kOk : kViolated;
}

/// "1=late-blind-del, 2=…", for whoever has asked for another.
std::string traps() {
  std::string out;
  for (const Lesson& lesson : kLessons) {
    out += fmt::format("{}{}={}", out.empty() ? "" : ", ", &lesson - kLessons + 1, lesson.trap);
  }
  return out;
}

}  // namespace

ExitCode demo(const Arguments& arguments, Console& console) {
  if (arguments.words.empty()) return five_traps(console);
  const std::string& word = arguments.words[0];
  if (word == "all") return every_trap(console);
  if (word.size() == 1 && word[0] >= '1' && word[0] <= '5') {
    tell(kLessons[word[0] - '1'], console);
    return is_interrupted() ? kInterrupted : kOk;
  }
  throw Failure(kUsage,
                "demo takes a trap's number or all, not " + locklab::quoted(word) + ": " + traps());
}

}  // namespace locklab::cli
