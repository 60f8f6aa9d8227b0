// Tests of check --shard and merge: the same bytes as one machine's, and refusals of all else.
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "cli/exit_code.h"
#include "cli/testing.h"

namespace locklab::cli {
namespace {

using ::testing::HasSubstr;
using testing::lines_in;
using testing::Outcome;
using testing::run_program;
using testing::Scratch;
using testing::token_in;

using Words = std::vector<std::string>;

constexpr const char* kSeeds = "5..94";

Words with(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

std::string file_of(const Scratch& scratch, unsigned number, unsigned of) {
  return scratch.path("parts/check-" + std::to_string(number) + "-of-" + std::to_string(of) +
                      ".json");
}

/// One shard, its file in parts/.
Outcome shard(const Scratch& scratch, const Words& check, unsigned number, unsigned of,
              const Words& more = {}) {
  const Words words = {"--seeds", kSeeds,
                       "--shard", std::to_string(number) + "/" + std::to_string(of),
                       "--out",   scratch.path("parts")};
  return run_program(with(with(with({"check"}, check), words), more));
}

/// All shards, then their merge.
Outcome merged(const Scratch& scratch, const Words& check, unsigned of, const Words& told = {},
               const Words& more = {}) {
  Words merge = {"merge"};
  for (unsigned number = of; number > 0; --number) {
    const Outcome part = shard(scratch, check, number, of, more);
    EXPECT_LE(part.exit_code, kViolated) << part.err;
    merge.push_back(file_of(scratch, number, of));
  }
  return run_program(with(merge, told));
}

Outcome whole(const Words& check, const Words& told = {}) {
  return run_program(with(with({"check"}, check), with({"--seeds", kSeeds}, told)));
}

void expect_same(const Outcome& merged, const Outcome& whole, int code) {
  EXPECT_EQ(whole.exit_code, code) << whole.err;
  EXPECT_EQ(merged.exit_code, code) << merged.err;
  EXPECT_EQ(merged.out, whole.out);
}

TEST(CheckShards, MergedAreTheWholeForAnyNumberOfShardsAndJobs) {
  const Words check = {"failover-forgets-lock", "--set", "expect={}"};
  const Outcome one = whole(check, {"--coverage"});
  EXPECT_THAT(one.out, HasSubstr("shrunk from"));
  for (const unsigned of : {1U, 2U, 3U, 7U}) {
    for (const char* const jobs : {"1", "2"}) {
      const Scratch scratch;
      const Outcome all = merged(scratch, check, of, {"--coverage"}, {"--jobs", jobs});
      expect_same(all, one, kViolated);
    }
  }
  const Scratch scratch;
  expect_same(merged(scratch, check, 3, {"--json"}), whole(check, {"--json"}), kViolated);
}

TEST(CheckShards, OfSeveralScenariosAreMergedInTheirOrder) {
  const Scratch scratch;
  const Words check = {"late-write", "calm"};
  expect_same(merged(scratch, check, 2), whole(check), kOk);
  expect_same(run_program({"merge", file_of(scratch, 1, 2), file_of(scratch, 2, 2), "--json"}),
              whole(check, {"--json"}), kOk);
}

TEST(CheckShards, OfAStrategyAreToldByItsName) {
  const Scratch scratch;
  const Words check = {"late-write", "--strategy", "pct-2"};
  const Outcome one = whole(check);
  EXPECT_THAT(one.out, HasSubstr("strategy pct-2"));
  expect_same(merged(scratch, check, 2), one, kOk);
}

TEST(CheckShards, HaveEachExitCodeOfTheWhole) {
  const Words unmet = {"calm", "--set", "sometimes=promoted"};
  const Words harmless = {"calm", "--set", "expect.double-ownership=violated"};
  for (const auto& [check, code] : {std::pair{unmet, kInconclusive}, {harmless, kNotViolated}}) {
    const Scratch scratch;
    // A part alone cannot say so.
    EXPECT_EQ(shard(scratch, check, 1, 2).exit_code, kOk);
    expect_same(merged(scratch, check, 2), whole(check), code);
  }
}

TEST(CheckShards, WriteTheReportsOfTheWhole) {
  const Scratch scratch;
  const Words report = {"--report", "html,junit", "--out"};
  const Words check = {"late-write"};
  merged(scratch, check, 3, with(report, {scratch.path("merged")}));
  whole(check, with(report, {scratch.path("whole")}));
  for (const std::string name : {"report.html", "junit.xml", "result.json", "story.txt"})
    EXPECT_EQ(scratch.read("merged/" + name), scratch.read("whole/" + name)) << name;
}

TEST(CheckShards, SayWhatTheyCanSayAlone) {
  const Scratch scratch;
  const Outcome part = shard(scratch, {"failover-forgets-lock", "--set", "expect={}"}, 1, 2);
  EXPECT_EQ(part.exit_code, kViolated);
  EXPECT_THAT(part.out, HasSubstr("seeds 5..49 · 45 runs"));
  EXPECT_EQ(run_program({"replay", token_in(part.out), "--set", "expect={}"}).exit_code, kViolated);
  const Outcome json = shard(scratch, {"calm"}, 1, 2, {"--json"});
  EXPECT_EQ(json.out, scratch.read("parts/check-1-of-2.json"));
}

void expect_refused(const Words& files, const std::string& why) {
  const Outcome refused = run_program(with({"merge"}, files));
  EXPECT_EQ(refused.exit_code, kBadData);
  EXPECT_EQ(refused.out, "");
  EXPECT_THAT(refused.err, HasSubstr(why));
  EXPECT_EQ(lines_in(refused.err).size(), 1U);
}

TEST(CheckShards, AreRefusedWithAGapOrAnOverlap) {
  const Scratch scratch;
  merged(scratch, {"calm"}, 3);
  const std::string one = file_of(scratch, 1, 3);
  const std::string two = file_of(scratch, 2, 3);
  const std::string three = file_of(scratch, 3, 3);
  expect_refused({one, three}, "shard 2 is missing");
  expect_refused({one, two}, "shard 3 is missing");
  expect_refused({one, two, two, three}, "shard 2 is there twice");
}

TEST(CheckShards, AreRefusedBesideThoseOfAnotherCheck) {
  const Scratch scratch;
  const Scratch other;
  shard(scratch, {"calm"}, 1, 2);
  const std::string one = file_of(scratch, 1, 2);
  const std::string two = file_of(other, 2, 2);
  shard(other, {"late-write"}, 2, 2);
  expect_refused({one, two}, "shard 2 is of another scenario");
  shard(other, {"calm", "--set", "workload.rounds=1"}, 2, 2);
  expect_refused({one, two}, "shard 2 was made with other --set flags");
  shard(other, {"calm"}, 2, 2, {"--seeds", "5..95"});
  expect_refused({one, two}, "shard 2 was made with other seeds");
  shard(other, {"calm", "late-write"}, 2, 2);
  expect_refused({one, two}, "shard 2 is of another check");
  shard(other, {"calm"}, 2, 4);
  expect_refused({one, file_of(other, 2, 4)}, "shard 2 is one of 4, and others are of 2");
}

TEST(CheckShards, AreRefusedWhenChanged) {
  const Scratch scratch;
  shard(scratch, {"calm"}, 1, 1);
  std::string text = scratch.read("parts/check-1-of-1.json");
  text.replace(text.find("\"violated\": 0"), 13, "\"violated\": 1");
  expect_refused({scratch.write("forged.json", text)}, "was changed since it was written");
  expect_refused({scratch.write("cut.json", text.substr(0, text.size() / 2))},
                 "this is no shard of a check");
  expect_refused({scratch.write("other.json", "{}")},
                 "neither a shard of a check nor a certificate");
}

TEST(CheckShards, AreRefusedBesideCertificates) {
  const Scratch scratch;
  shard(scratch, {"calm"}, 1, 1);
  run_program({"certify", "calm", "--faults", "0", "--out", scratch.path("c")});
  expect_refused({file_of(scratch, 1, 1), scratch.path("c/certificate.json")},
                 "some of these files are of certify, and some of check");
}

TEST(CheckShards, AreRefusedWhenInterrupted) {
  const Scratch scratch;
  const Outcome cut = run_program({"check", "calm", "late-write", "--seeds", "1..1000000000",
                                   "--shard", "1/2", "--out", scratch.path("parts")},
                                  {.interrupt_after_ms = 300});
  ASSERT_EQ(cut.exit_code, kInterrupted) << cut.err;
  expect_refused({file_of(scratch, 1, 2)}, "shard 1 was interrupted");
}

TEST(CheckShards, NeedAShardThatThereIs) {
  const Scratch scratch;
  for (const std::string value : {"0/3", "4/3", "x", "1/0", "1", "/", "1/", "/2", "-1/3", "1/3/3",
                                  "1/99999", "99999999999999999999/3", "1/99999999999999999999"}) {
    for (const std::string verb : {"check", "certify"}) {
      const Outcome refused =
          run_program({verb, "calm", "--shard", value, "--out", scratch.path("parts")});
      EXPECT_EQ(refused.exit_code, kUsage) << value;
      EXPECT_EQ(refused.out, "") << value;
      EXPECT_EQ(lines_in(refused.err).size(), 1U) << refused.err;
    }
  }
}

TEST(CheckShards, RefuseWhatNeedsTheWhole) {
  const Scratch scratch;
  const Words check = {"check", "calm", "--shard", "1/2"};
  const Words out = {"--out", scratch.path("parts")};
  EXPECT_THAT(run_program(check).err, HasSubstr("--shard needs --out DIR"));
  const auto why = [&](const Words& more) {
    const Outcome refused = run_program(with(with(check, out), more));
    EXPECT_EQ(refused.exit_code, kUsage);
    EXPECT_EQ(lines_in(refused.err).size(), 1U);
    return refused.err;
  };
  EXPECT_THAT(why({"--until-violation"}), HasSubstr("--until-violation ends at a seed"));
  EXPECT_THAT(why({"--report", "junit"}), HasSubstr("give --report to locklab merge"));
  EXPECT_THAT(why({"--strategy", "mutation"}), HasSubstr("mutation learns from all runs"));
}

}  // namespace
}  // namespace locklab::cli
