// Tests of certify and merge: exit codes, files, shards, interruption and a forged claim.
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "cli/exit_code.h"
#include "cli/testing.h"

namespace locklab::cli {
namespace {

using ::testing::HasSubstr;
using testing::Outcome;
using testing::run_program;
using testing::Scratch;
using testing::token_in;

constexpr const char* kStory = "pause-outlives-lease-fenced";

TEST(Certify, ClaimsAndVerifies) {
  const Scratch scratch;
  const std::string out = scratch.path("c");
  const Outcome made = run_program({"certify", kStory, "--faults", "1", "--out", out});
  EXPECT_EQ(made.exit_code, kOk) << made.err;
  EXPECT_THAT(made.out, HasSubstr("with at most 1 deviation"));
  const Outcome verified = run_program({"certify", "--verify", out + "/certificate.json"});
  EXPECT_EQ(verified.exit_code, kOk) << verified.err;
  EXPECT_THAT(verified.out, HasSubstr("enumerated again by other means"));

  std::string changed = scratch.read("c/certificate.json");
  changed.replace(changed.find("\"violated\": ["), 13, "\"violated\": [9");
  const std::string forged = scratch.write("forged.json", changed);
  EXPECT_EQ(run_program({"certify", "--verify", forged}).exit_code, kBadData);
  const Outcome other = run_program({"certify", "calm", "--verify", out + "/certificate.json"});
  EXPECT_EQ(other.exit_code, kDiverged);
}

TEST(Certify, RefusesWithATokenThatReplays) {
  const Outcome refused =
      run_program({"certify", "late-write", "--faults", "1", "--set", "expect={}"});
  EXPECT_EQ(refused.exit_code, kViolated);
  EXPECT_THAT(refused.out, HasSubstr("Refused: "));
  const std::string token = token_in(refused.out);
  const Outcome replayed = run_program({"replay", token, "--set", "expect={}"});
  EXPECT_EQ(replayed.exit_code, kViolated) << replayed.err;
}

TEST(Certify, MergesShardsIntoTheWhole) {
  const Scratch scratch;
  std::vector<std::string> files = {"merge", "--json"};
  for (const std::string shard : {"1", "2"}) {
    const std::string out = scratch.path(shard);
    const Outcome part =
        run_program({"certify", kStory, "--faults", "1", "--shard", shard + "/2", "--out", out});
    EXPECT_EQ(part.exit_code, kOk) << part.err;
    files.push_back(out + "/certificate.json");
  }
  const Outcome merged = run_program(files);
  EXPECT_EQ(merged.exit_code, kOk) << merged.err;
  EXPECT_EQ(merged.out, run_program({"certify", kStory, "--faults", "1", "--json"}).out);
  files.pop_back();
  EXPECT_EQ(run_program(files).exit_code, kBadData);
}

TEST(Certify, GoesOnAfterAnInterrupt) {
  const Scratch scratch;
  const std::string out = scratch.path("c");
  const Outcome cut =
      run_program({"certify", kStory, "--jobs", "1", "--out", out}, {.interrupt_after_ms = 300});
  ASSERT_EQ(cut.exit_code, kInterrupted) << cut.err;
  EXPECT_THAT(cut.out, HasSubstr("Nothing is claimed"));
  const Outcome again =
      run_program({"certify", kStory, "--resume", out + "/certificate.json", "--out", out},
                  {.interrupt_after_ms = 300});
  EXPECT_EQ(again.exit_code, kInterrupted) << again.err;
  EXPECT_EQ(run_program({"certify", "--verify", out + "/certificate.json"}).exit_code, kBadData);
}

TEST(Certify, SaysWhatIsWrong) {
  EXPECT_EQ(run_program({"certify"}).exit_code, kUsage);
  EXPECT_EQ(run_program({"certify", kStory, "--shard", "3/2"}).exit_code, kUsage);
  EXPECT_EQ(run_program({"certify", "--verify", "/nowhere.json"}).exit_code, kNoInput);
}

}  // namespace
}  // namespace locklab::cli
