// Told: the published run of a story shows the trap that the story is named after.
// SPDX-License-Identifier: Apache-2.0
//
// A property may be violated in many ways, and the shrinker takes the cheapest. So each row says
// what must be read in the run, line by line and in this order; $A, $B and $C are clients, each
// another one, and * is anything.
#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "reports/lines.h"
#include "search/search_testing.h"
#include "search/token.h"
#include "sim/sources.h"

namespace locklab::testing {
namespace {

/// In order; the first empty one ends them.
using Steps = std::array<std::string_view, 9>;

struct Shown {
  std::string_view story;
  Steps steps;
};

constexpr Shown kShown[] = {
    {"redis-py-818", {"SETNX*→ 1*[$A]", "$A's connection to redis-1 breaks", "a probe asks"}},
    {"retried-setnx", {"SETNX*→ 1*[$A]", "$A sends SETNX to redis-1 again", "$A asks*refused"}},
    {"getset-skewed-clock", {"$A gets", "GETSET*→ \"*[$B]", "$B gets", "$A leaves"}},
    {"ttl-without-unit", {"$A's*expires", "$A gets", "$B gets", "$A leaves"}},
    {"reply-in-buffer",
     {"$A stops for", "SET*→ OK*[$A]", "$A's*expires", "$B gets", "$A runs on", "$A gets"}},
    {"late-blind-del", {"$A's*expires", "$B gets", "DEL*→ 1*[$A]", "$C gets", "$B leaves"}},
    {"constant-token",
     {"$A's*expires", "$B gets", "compare-and-delete*→ 1*[$A]", "$C gets", "$B leaves"}},
    {"get-then-del",
     {"GET*[$A]", "$A stops for", "$A's*expires", "$B gets", "DEL*→ 1*[$A]", "$C gets"}},
    {"reused-token",
     {"$A sends compare-and-delete", "$A gets", "compare-and-delete*→ 1*[$A]", "$B gets"}},
    {"retried-del",
     {"DEL*→ 1*[$A]", "$B gets", "$A sends DEL to redis-1 again", "DEL*→ 1*[$A]", "$C gets"}},
    {"watchdog-leaks", {"$A panics", "compare-and-expire*→ 1*[$A]", "a probe asks"}},
    {"watchdog-blind-expire", {"$A's*expires", "$B gets", "PEXPIRE*→ 1*[$A]", "$B leaves"}},
    {"watchdog-silent", {"$A renews*not-held", "accepts $A's append"}},
    {"pause-outlives-lease",
     {"$A stops for*at hold.check_ok", "$A's*expires", "$B gets", "accepts $A's append"}},
    {"watchdog-resurrects",
     {"$A's*expires", "$B gets", "$B has released", "extend-or-set*→ 1*[$A]",
      "$A renews*: renewed"}},
    {"redis-semaphore-175",
     {"$A's*expires", "$B gets", "$B has released", "extend-or-set*→ 1*[$A]",
      "$A renews*: renewed"}},
    {"watchdog-receipt", {"$A gets", "$A's*expires on redis-1", "$B gets", "accepts $A's append"}},
    {"renewed-on-the-old-primary",
     {"replica-1 becomes the primary", "$A's*expires on replica-1",
      "redis-1: compare-and-expire*→ 1*[$A]", "$A renews*: renewed", "replica-1: SET*→ OK*[$B]"}},
    {"self-deadlock", {"$A gets", "SET*→ (nil)*[$A]", "$A's*expires", "$A gets"}},
    {"no-count", {"$A gets", "$A gets", "$A has released", "$B gets", "$A leaves"}},
    {"retried-unlock",
     {"reentrant-leave*→ 1*[$A]", "$A sends reentrant-leave to redis-1 again",
      "reentrant-leave*→ 0*[$A]", "$B gets", "$A leaves"}},
    {"redisson-1966",
     {"$A sends reentrant-enter to redis-1 again", "reentrant-enter*→ 2*[$A]",
      "reentrant-leave*→ 1*[$A]", "reentrant-extend*→ 1*[$A]"}},
    {"failover-forgets-lock",
     {"redis-1: SET*→ OK*[$A]", "becomes the primary, without", "replica-1: SET*→ OK*[$B]",
      "$B gets"}},
    {"split-brain", {"redis-1: SET*→ OK*[$A]", "replica-1: SET*→ OK*[$B]"}},
    {"redisson-3994", {"WAIT*→ 0*[$A]", "$A gets", "$B gets"}},
    {"wait-is-not-enough",
     {"redis-1: SET*→ OK*[$A]", "replica-1 stores lock:order-42", "redis-1: WAIT 1*→ 1*[$A]",
      "replica-2 becomes the primary, without", "$A gets", "replica-2: SET*→ OK*[$B]", "$B gets",
      "$A leaves"}},
    {"restart-forgets-lock", {"$A gets", "starts again, its data gone", "$B gets", "$A leaves"}},
    {"redlock-instant-restart", {"$A gets", "starts again, its data gone", "$B gets", "$A leaves"}},
    {"redlock-clock-jump", {"jumps", "$A's*expires", "$B gets", "$A leaves"}},
    {"redlock-no-time-check",
     {"SET*→ OK*[$A]", "SET*→ OK*[$A]", "$A's*expires", "$A's*expires", "$B gets", "$A runs on",
      "$A gets"}},
    {"incr-fence-failover",
     {"$A gets*with fence 2", "$B gets*with fence 2", "accepts $A's append (fence 2)",
      "accepts $B's append (fence 2)"}},
    {"write-only-fence",
     {"accepts $B's read (fence 2): version 0", "accepts $A's append (fence 1)",
      "accepts $B's append (fence 2)"}},
    {"fence-after-lock",
     {"SET*→ OK*[$A]", "SET*→ OK*[$B]", "INCR*→ 1*[$B]", "INCR*→ 2*[$A]",
      "refuses $B's append (fence 1)"}},
    {"compare-and-set-token",
     {"$A gets", "$B gets", "accepts $B's append", "accepts $A's read", "accepts $A's append"}},
    {"redislock-93",
     {"$A gets*with fence 1", "$B gets*with fence 2", "refuses $A's append (fence 1)"}},
    {"expired-deleted-twice",
     {"$C is killed", "DEL*→ 1*[$A]", "SETNX*→ 1*[$A]", "DEL*→ 1*[$B]", "SETNX*→ 1*[$B]",
      "$B gets"}},
    {"two-ttls", {"SET*200 → OK*[$A]", "$A's*expires", "$B gets", "accepts $A's append"}},
    {"watchdog-unanswered",
     {"link between $A and redis-1 is cut", "$A's*expires", "$B gets", "accepts $A's append"}},
    {"compare-and-set", {"accepts $A's append", "refuses $B's append"}},
    {"late-write",
     {"sends an append to resource", "leaves (lease-over)", "gets", "a newer fence was seen"}},
    {"unlock-before-commit", {"$A has released", "$B gets", "accepts $A's append"}},
    {"redisson-6651",
     {"compare-and-delete*→ 1*[$A]", "compare-and-delete*→ 0*[$A]", "$A releases*told: not held"}},
};

std::size_t count_of(const Steps& steps) {
  return static_cast<std::size_t>(std::find(steps.begin(), steps.end(), "") - steps.begin());
}

/// The run that the page of a story tells.
class Told {
 public:
  explicit Told(const Scenario& scenario) : execution_(replayed(scenario)) {}

  /// Of no free dimension: it needs more than that clients start, poll and work at other times.
  std::size_t deviations() const {
    return static_cast<std::size_t>(std::count_if(
        execution_.choices.begin(), execution_.choices.end(),
        [](const Deviation& deviation) { return !is_free_dimension(deviation.address.kind()); }));
  }
  /// With nothing folded.
  std::vector<std::string> lines() {
    Judge judge(all_properties());
    judge.judge(*execution_.history);
    std::vector<std::string> texts;
    for (const Line& line : lines_of(view_of(execution_, judge), {.most = 0, .everything = true}))
      texts.push_back(line.text);
    return texts;
  }

 private:
  const Execution& replayed(const Scenario& scenario) {
    std::ifstream file(LOCKLAB_SOURCE_DIR "/reports/published/" + scenario.name + ".json");
    const auto json = nlohmann::json::parse(file, nullptr, false);
    const TokenResult token = parse_token(json.value("token", ""));
    if (const auto* choices = std::get_if<ChoiceBody>(&token.token.body))
      source_.load(choices->deviations);
    const auto* seed = std::get_if<SeedBody>(&token.token.body);
    SeededSource seeded(seed != nullptr ? seed->seed : 0);
    const Execution& execution =
        seed != nullptr ? runner_.run(scenario, seeded) : runner_.run(scenario, source_);
    EXPECT_EQ(shown_bits(execution.digest), token.token.digest)
        << scenario.name << ": build/dev/bin/locklab publish reports/published";
    return execution;
  }

  Runner runner_;
  ReplaySource source_;
  const Execution& execution_;
};

/// Its parts, between the stars, one after the other.
bool reads(std::string_view line, std::string_view pattern) {
  std::size_t from = 0;
  for (;;) {
    const std::size_t star = std::min(pattern.find('*'), pattern.size());
    const std::size_t at = line.find(pattern.substr(0, star), from);
    if (at == std::string_view::npos) return false;
    if (star == pattern.size()) return true;
    from = at + star;
    pattern.remove_prefix(star + 1);
  }
}

std::string cast(std::string_view pattern, const std::string& clients) {
  std::string line;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const bool role = pattern[i] == '$';
    if (role)
      line += std::string("client-") + clients.at(pattern[++i] - 'A');
    else
      line += pattern[i];
  }
  return line;
}

/// How many of the steps are read, in order, by the best cast.
std::size_t steps_read(const std::vector<std::string>& lines, const Steps& steps) {
  std::size_t most = 0;
  std::string clients = "123";
  do {
    std::size_t step = 0;
    for (const std::string& line : lines)
      if (!steps[step].empty() && reads(line, cast(steps[step], clients))) ++step;
    most = std::max(most, step);
  } while (std::next_permutation(clients.begin(), clients.end()));
  return most;
}

TEST(Told, IsWhatTheStoryIsNamedAfter) {
  for (const Shown& row : kShown) {
    const std::size_t read = steps_read(Told(testing_search::story(row.story)).lines(), row.steps);
    EXPECT_EQ(read, count_of(row.steps)) << row.story << " is not told to: " << row.steps[read];
  }
}

TEST(Told, NeedsNoDeviationWhereItsTagSaysNoFault) {
  for (const Scenario& story : testing_search::all_stories()) {
    const auto has = [&story](std::string_view tag) {
      return std::find(story.tags.begin(), story.tags.end(), tag) != story.tags.end();
    };
    if (has("fixed") || has("calm")) continue;
    EXPECT_EQ(has("no-fault"), Told(story).deviations() == 0) << story.name;
  }
}

/// Of stories that were told by a run with the same violations, and without the trap.
TEST(Told, IsNotAnyRunThatBreaksTheSame) {
  for (const std::string_view name : {"reply-in-buffer", "redlock-no-time-check"}) {
    const auto row = std::find_if(std::begin(kShown), std::end(kShown),
                                  [name](const Shown& shown) { return shown.story == name; });
    // Read while the votes live, and used beyond their end.
    const std::vector<std::string> late = {
        "client-1 stops for 980ms, at acq.sent",
        "redis-1: SET lock:order-42 c1.1.1 … 1000 → OK  [client-1]",
        "redis-2: SET lock:order-42 c1.1.1 … 1000 → OK  [client-1]",
        "client-1 runs on",
        "client-1 gets lock:order-42 and enters",
        "client-1's lock:order-42 expires on redis-1",
        "client-1's lock:order-42 expires on redis-2",
        "client-2 gets lock:order-42 and enters"};
    EXPECT_LT(steps_read(late, row->steps), count_of(row->steps)) << name;
  }
}

}  // namespace
}  // namespace locklab::testing
