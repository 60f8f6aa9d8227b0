// What breaks in the simulation breaks on real servers, event by event; and a difference is seen.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <string>
#include <sys/wait.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "search/search_testing.h"
#include "tests/real/table.h"

namespace locklab::real {
namespace {

using ::testing::HasSubstr;
using testing_search::story;
using testing_search::with_any_faults;

constexpr std::string_view kPlayedWithAnyFaults[] = {
    "calm", "failover-forgets-lock", "late-duplicate", "redlock-clock-jump", "watchdog-renews"};
/// Two fibers of one process wake in one instant, and which begins first is that process's affair.
constexpr std::string_view kAmbiguous = "redis-py-2624";

std::vector<std::string> played_with_any_faults() {
  if (LOCKLAB_REAL_ALL == 0) {
    return {std::begin(kPlayedWithAnyFaults), std::end(kPlayedWithAnyFaults)};
  }
  std::vector<std::string> names = embedded_scenario_names();
  std::erase(names, kAmbiguous);
  return names;
}

/// Skipped where there is no server; afterwards no process of ours is left, however it went.
class RealRedis : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!has_redis_server()) GTEST_SKIP() << "there is no " << kRedisServer;
  }
  void TearDown() override {
    EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1) << "a process is left";
    EXPECT_EQ(errno, ECHILD);
  }
};

std::string contents_of(const std::string& path) {
  std::ifstream file(LOCKLAB_SOURCE_DIR + ("/" + path));
  return {std::istreambuf_iterator<char>(file), {}};
}
std::string published_page() {
  return contents_of("docs/real-redis.md");
}
constexpr std::string_view kRenew = "renew it: build/dev/bin/real_redis > docs/real-redis.md";

/// Of each trap at least one, of each means of the simulation one; the rest is for the night.
std::vector<std::string> stories_to_play() {
  if (LOCKLAB_REAL_ALL != 0) return embedded_scenario_names();
  return {"calm",
          "unlock-before-commit",            // trap-0
          "crash-between-setnx-and-expire",  // trap-1: a client is killed, a key without expiry
          "late-blind-del",                  // trap-2
          "get-then-del",
          "watchdog-blind-expire",   // trap-3: two fibers, a pause, a renewal
          "watchdog-leaks",          // a panic, a fiber that outlives its program
          "unread-reply",            // a reply left on the socket, and read as the next one
          "retried-del",             // a command sent again
          "shared-identity",         // trap-4: two call chains, a hash
          "failover-forgets-lock",   // trap-5: replication, a promotion
          "incr-fence-failover",     // a transaction in the stream
          "wait-is-not-enough",      // WAIT, two replicas
          "everysec-power-loss",     // an append-only file, its tail lost
          "redlock-clock-jump",      // five servers, cuts, a wall clock
          "late-write-fenced",       // a fence that refuses
          "late-duplicate",          // a request that is delivered twice
          "compare-and-set",         // a version that refuses
          "compare-and-set-token"};  // a token that is compared
}

/// Their pages show the mend at work, in a run without what else they break.
bool shows_the_mend(std::string_view name) {
  return name == "fresh-token" || name == "unread-reply-closed";
}

class StoryOnRealRedis : public RealRedis, public ::testing::WithParamInterface<std::string> {};

TEST_P(StoryOnRealRedis, EndsAsSimulatedAndThePageSaysSo) {
  const Scenario scenario = story(GetParam());
  const Comparison comparison = compare(scenario, published_run(scenario));
  EXPECT_EQ(disagreement_of(comparison), "");
  EXPECT_TRUE(comparison.agrees());
  const bool breaks =
      std::any_of(scenario.expect.begin(), scenario.expect.end(),
                  [](const auto& expected) { return expected.second == Verdict::violated; });
  const bool shown = breaks && !shows_the_mend(scenario.name);
  EXPECT_EQ(comparison.violated().empty(), !shown) << "what it is told for does not happen";
  const std::string page = published_page();
  EXPECT_THAT(page, HasSubstr(row_of(comparison))) << kRenew;
  EXPECT_THAT(page, HasSubstr(details_of(comparison))) << kRenew;
}

INSTANTIATE_TEST_SUITE_P(Stories, StoryOnRealRedis, ::testing::ValuesIn(stories_to_play()),
                         [](const auto& story) {
                           std::string name = story.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(RealPage, HasEveryStoryAndNoOther) {
  const std::string page = published_page();
  const std::string empty = page_of({});
  const std::size_t rows = empty.find("\nEvents: ");
  EXPECT_THAT(page, ::testing::StartsWith(empty.substr(0, rows))) << kRenew;
  EXPECT_THAT(page, HasSubstr(empty.substr(rows))) << kRenew;
  for (const std::string& name : embedded_scenario_names()) {
    EXPECT_THAT(page, HasSubstr("\n| " + name + " | ")) << kRenew;
    EXPECT_THAT(page, HasSubstr("\n- **" + name + "**: ")) << kRenew;
  }
  const auto lines = [](const std::string& text) {
    return std::count(text.begin(), text.end(), '\n');
  };
  const auto stories = static_cast<std::ptrdiff_t>(embedded_scenario_names().size());
  EXPECT_EQ(lines(page), lines(empty) + 3 * stories) << kRenew;
  EXPECT_THAT(page, ::testing::Not(HasSubstr("**differs**")));
  EXPECT_THAT(page, ::testing::Not(HasSubstr("*cannot be played*")));
}

TEST(RealPage, PlaysTheRunsThatArePublished) {
  const std::string page = published_page();
  for (const std::string& name : embedded_scenario_names()) {
    const std::string begin = "replay ll1:" + name + "@";
    const std::size_t at = page.find(begin);
    ASSERT_NE(at, std::string::npos) << name;
    const std::string token = page.substr(at, page.find('`', at) - at);
    const bool published =
        contents_of("reports/published/" + name + ".txt").find(token) != page.npos;
    EXPECT_TRUE(published) << name << " is published with another run than " << token << "\n  "
                           << kRenew;
  }
}

TEST_F(RealRedis, RunsWithFaultsOfAnyKindEndAsSimulated) {
  Sum sum;
  for (const std::string& name : played_with_any_faults()) {
    const Scenario scenario = with_any_faults(story(name), 2);
    for (std::uint64_t seed = 1; seed <= LOCKLAB_REAL_SEEDS; ++seed) {
      const Comparison comparison = compare(scenario, seeded_run(scenario, seed));
      sum.add(comparison);
      EXPECT_TRUE(comparison.agrees() || !comparison.walk.unmapped.empty())
          << name << ", seed " << seed << ": " << disagreement_of(comparison);
    }
  }
  std::printf("  %s\n", sum.sentence().c_str());
  EXPECT_LE(sum.unmapped * 10, sum.agreeing) << sum.sentence();
}

// --- A difference is seen -----------------------------------------------------------------------

/// Not for want of a server that answers in time, or of a means to play the run.
void expect_difference_alone(const Comparison& comparison) {
  EXPECT_EQ(comparison.walk.trouble, "");
  EXPECT_EQ(comparison.walk.unmapped, "");
  EXPECT_TRUE(comparison.verdicts.empty()) << "half a run has no verdict";
}

TEST_F(RealRedis, AServerWhoseClockDoesNotJumpDiffers) {
  const Scenario scenario = story("redlock-clock-jump");
  const Choice choice = published_run(scenario);
  const Comparison with = compare(scenario, choice);
  const Comparison without = compare(scenario, choice, {.without_jumps = true});
  EXPECT_TRUE(with.agrees()) << disagreement_of(with);
  expect_difference_alone(without);
  EXPECT_THAT(without.walk.difference, HasSubstr("key_lost"));
  EXPECT_THAT(without.walk.difference, HasSubstr("the key lives until"));
}

TEST_F(RealRedis, AReplicaThatReceivedEverythingDiffers) {
  const Scenario scenario = story("failover-forgets-lock");
  const Comparison leaked =
      compare(scenario, published_run(scenario), {.leaking_replication = true});
  EXPECT_THAT(leaked.walk.difference, HasSubstr("promoted"));
  expect_difference_alone(leaked);
}

TEST_F(RealRedis, AServerThatShouldHaveDiedDiffers) {
  Scenario scenario = story("calm");
  scenario.world.search = {FaultKinds{}.with(FaultKind::node_kill), 0, 1};
  scenario.hash = scenario_hash(scenario);
  for (std::uint64_t seed = 1; seed < 100; ++seed) {
    const Choice choice = seeded_run(scenario, seed);
    const Comparison died = compare(scenario, choice);
    const bool killed = !died.faults.empty();
    if (!killed) continue;
    EXPECT_TRUE(died.agrees()) << disagreement_of(died);
    const Comparison lived = compare(scenario, choice, {.without_kills = true});
    EXPECT_THAT(lived.walk.difference, HasSubstr("its server listens"));
    expect_difference_alone(lived);
    return;
  }
  FAIL() << "no seed kills the server";
}

TEST_F(RealRedis, AChangedReplyDiffers) {
  const Scenario scenario = story("late-blind-del");
  const Choice choice = published_run(scenario);
  // The first command takes the lock: OK arrives as (nil).
  const Comparison first = compare(scenario, choice, {.falsified_reply = 1});
  EXPECT_THAT(first.walk.difference, HasSubstr("replied"));
  EXPECT_LT(first.walk.events, 50U) << "it is noticed where it happens";
  expect_difference_alone(first);
}

TEST_F(RealRedis, AClientThatLeavesNoReplyUnreadDiffers) {
  const Scenario scenario = story("unread-reply");
  const Choice choice = published_run(scenario);
  const Comparison kept = compare(scenario, choice);
  const Comparison closed = compare(scenario, choice, {.discarding_pools = true});
  EXPECT_TRUE(kept.agrees()) << disagreement_of(kept);
  EXPECT_THAT(closed.walk.difference, HasSubstr("has been closed"));
  expect_difference_alone(closed);
  EXPECT_LT(closed.walk.events, kept.walk.events);
}

TEST_F(RealRedis, AClientThatWaitsForAReplyLongerOrShorterDiffers) {
  const Scenario scenario = story("unread-reply");  // It times out.
  const Choice choice = published_run(scenario);
  EXPECT_TRUE(compare(scenario, choice).agrees());
  const Comparison patient = compare(scenario, choice, {.added_to_timeouts = 1'000'000});
  EXPECT_THAT(patient.walk.difference, HasSubstr("timed_out"));
  EXPECT_THAT(patient.walk.difference, HasSubstr("and it waits until"));
  expect_difference_alone(patient);
  const Comparison hasty = compare(scenario, choice, {.added_to_timeouts = -1'000'000});
  EXPECT_THAT(hasty.walk.difference, HasSubstr("has given up waiting for a reply"));
  expect_difference_alone(hasty);
}

TEST_F(RealRedis, AKeyThatSomebodyElseWritesBehindTheLastCommandDiffers) {
  const Scenario scenario = story("calm");
  const Choice choice = published_run(scenario);
  const Comparison alone = compare(scenario, choice);
  ASSERT_TRUE(alone.agrees()) << disagreement_of(alone);
  const Comparison strayed = compare(scenario, choice, {.stray_write = alone.walk.commands});
  EXPECT_THAT(strayed.walk.difference, HasSubstr("the key stray has changed besides"));
  expect_difference_alone(strayed);
  EXPECT_EQ(strayed.walk.events, alone.walk.events) << "it is seen at the end";
}

// --- The parts ----------------------------------------------------------------------------------

TEST_F(RealRedis, AServerReadsTheClockThatIsSet) {
  const TemporaryFolder folder;
  RedisServer server(folder, "redis");
  constexpr std::int64_t kBegin = 1'700'000'000'000'000;
  server.set_clock(kBegin);
  server.start();
  server.await_up();
  EXPECT_EQ(server.unix_milliseconds(), kBegin / 1000);
  server.command({"SET", "key", "value", "PX", "1000"});
  server.set_clock(kBegin + 1'000'999);  // Its last millisecond: now > when is what counts.
  EXPECT_EQ(server.command({"EXISTS", "key"}).integer, 1);
  server.set_clock(kBegin + 1'001'000);
  EXPECT_EQ(server.command({"EXISTS", "key"}).integer, 0);
}

TEST(Resp, CutsAStreamIntoWholeValues) {
  const std::string bytes = "*2\r\n:7\r\n$2\r\n\r\n\r\n";
  for (std::size_t length = 0; length < bytes.size(); ++length)
    EXPECT_EQ(value_length(bytes.substr(0, length)), 0U) << length;
  EXPECT_EQ(value_length(bytes + "+OK\r\n"), bytes.size());
  const Value value = decode(bytes);
  ASSERT_EQ(value.children.size(), 2U);
  EXPECT_EQ(value.children[0].integer, 7);
  EXPECT_EQ(value.children[1].text, "\r\n");
  EXPECT_EQ(words_of(decode(encode({"SET", "", "a b"}))), (Words{"SET", "", "a b"}));
}

/// Whoever adds a field gives it a value below, or the field could be forgotten on the way.
constexpr std::size_t kNumbersOfSetup = 24;
constexpr std::size_t kNumbersOfSeat = 5;
static_assert(sizeof(SeatSetup) == 2 * sizeof(std::string) + kNumbersOfSeat * sizeof(std::int64_t));
static_assert(sizeof(ClientSetup) == kNumbersOfSetup * sizeof(std::int64_t) +
                                         3 * sizeof(std::vector<std::int64_t>) +
                                         sizeof(std::vector<SeatSetup>));

TEST(RealSetup, SurvivesItsWords) {
  std::int64_t next = 100;
  const auto fill = [&next](auto... fields) { ((*fields = ++next), ...); };
  ClientSetup setup;
  fill(&setup.probes, &setup.actor, &setup.fiber, &setup.operations, &setup.rounds, &setup.attempts,
       &setup.work, &setup.think, &setup.poll, &setup.effects, &setup.resource_timeout,
       &setup.read_only, &setup.unlock, &setup.nested, &setup.nested_ttl, &setup.nested_effects,
       &setup.chains, &setup.objects, &setup.fence_least, &setup.fence_most, &setup.orchestrated,
       &setup.primary, &setup.resource, &setup.counter);
  ASSERT_EQ(next, 100 + static_cast<std::int64_t>(kNumbersOfSetup));
  setup.progress = {1, 7, 2, 8};
  setup.nodes = {4, 5};
  setup.ports = {0, 1234, 5678};
  setup.seats = {{"redlock", "lock:a", 1, 2, 3, 4, 5}, {"set-nx-px", "lock:b", 6, 7, 8, 9, 10}};
  EXPECT_EQ(ClientSetup::of(setup.words()), setup);
}

}  // namespace
}  // namespace locklab::real
