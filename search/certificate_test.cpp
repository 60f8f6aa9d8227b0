// Certificates: planted bugs inside and outside the bound, parts, interruptions, and tampering.
// SPDX-License-Identifier: Apache-2.0
#include "search/certificate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "search/certificate_file.h"
#include "search/certificate_testing.h"
#include "search/recount.h"
#include "search/replay.h"
#include "search/token.h"

namespace locklab {
namespace {

using ::testing::HasSubstr;
using testing_search::certified;
using testing_search::faults_only;
using testing_search::impatient;
using testing_search::lost_answers;
using testing_search::story;

/// Faults and orders, on a grid of more than one cell.
Bound mixed() {
  Bound bound;
  bound.deviations = 2;
  bound.faults = 2;
  bound.orders = 1;
  bound.steps = 1;
  bound.phases = {2, 1, 1};
  return bound;
}

/// A story that is over soon.
Scenario small_story() {
  return lost_answers(2);
}

TEST(Certificate, IsRefusedWhenAPlantedBugLiesInsideItsBound) {
  const Scenario scenario = lost_answers();
  for (const std::uint32_t most : {2U, 3U}) {
    const Certificate refused = certified(scenario, faults_only(most), impatient<2>());
    ASSERT_EQ(verdict_of(refused), CertificateVerdict::refused);
    EXPECT_THAT(claim_of(refused), HasSubstr("Refused: " + refused.counterexample->property));
    EXPECT_EQ(refused.levels[1].schedules, certified(scenario, faults_only(1)).levels[1].schedules);

    const TokenResult token = parse_token(refused.counterexample->token);
    ASSERT_EQ(token.error, "");
    const ReplayResult again = replay(scenario, recorded_in(token.token), impatient<2>());
    EXPECT_FALSE(again.divergence);
    EXPECT_FALSE(again.as_expected);
    EXPECT_EQ(recorded_in(token.token).deviations.size(), 2U);
  }
}

TEST(Certificate, StaysValidWhenTheBugLiesJustOutsideAndNamesTheBound) {
  const Certificate valid = certified(lost_answers(), faults_only(2), impatient<3>());
  EXPECT_EQ(verdict_of(valid), CertificateVerdict::certified);
  EXPECT_THAT(claim_of(valid), HasSubstr("at most 2 deviations, of them at most 2 faults"));
  EXPECT_THAT(claim_of(valid), HasSubstr("lost-reply at acq.sent"));
  EXPECT_THAT(claim_of(valid), HasSubstr("Left out: more deviations than these"));
  EXPECT_EQ(verdict_of(certified(lost_answers(), faults_only(3), impatient<3>())),
            CertificateVerdict::refused);
}

TEST(Certificate, OfFewerDeviationsIsContainedInThatOfMore) {
  const Scenario scenario = lost_answers();
  const Certificate more = certified(scenario, faults_only(3));
  for (const std::uint32_t most : {0U, 1U, 2U}) {
    const Certificate fewer = certified(scenario, faults_only(most));
    ASSERT_EQ(fewer.levels.size(), most + 1);
    for (std::size_t level = 0; level <= most; ++level)
      EXPECT_EQ(fewer.levels[level], more.levels[level]);
  }
  EXPECT_GT(more.levels[3].schedules, 0U);
}

TEST(Certificate, AgreesWithTheRecount) {
  for (const Bound& bound : {faults_only(0), faults_only(1), faults_only(3), mixed()}) {
    const Scenario scenario = bound.orders > 0 ? small_story() : lost_answers();
    const Certificate one = certified(scenario, bound);
    for (const unsigned jobs : {1U, 3U})
      EXPECT_EQ(difference(one, recount(scenario, bound, jobs)), "");
  }
}

TEST(Certificate, AgreesWithTheRecountWhateverTheFault) {
  for (unsigned k = 1; k < static_cast<unsigned>(FaultKind::count); ++k) {
    Scenario scenario = story("failover-forgets-lock");
    scenario.workload.rounds = 1;
    scenario.world.search.of = FaultKinds{}.with(static_cast<FaultKind>(k));
    scenario.world.search.at_labels = 1U << static_cast<unsigned>(Label::acq_return);
    scenario.hash = scenario_hash(scenario);
    for (const bool every : {true, false}) {
      Bound bound = faults_only(1);
      bound.every_target = every;
      CertifyHooks goes_on;
      goes_on.stop_at_counterexample = false;
      const Certificate one = certify(scenario, blank_certificate(scenario, bound, {}), 1, goes_on);
      EXPECT_EQ(difference(one, recount(scenario, bound)), "")
          << name_of(static_cast<FaultKind>(k));
    }
  }
}

TEST(Certificate, IsTheSameForAnyNumberOfJobs) {
  const Scenario scenario = small_story();
  const Certificate one = certified(scenario, mixed());
  EXPECT_EQ(verdict_of(one), CertificateVerdict::certified);
  EXPECT_GT(one.levels[2].schedules, 1000U);
  EXPECT_EQ(one, certified(scenario, mixed(), {}, 3));
  const Certificate refused = certified(lost_answers(), faults_only(3), impatient<2>());
  EXPECT_EQ(refused, certified(lost_answers(), faults_only(3), impatient<2>(), 3));
}

TEST(Certificate, IsTheSameInShardsInAnyOrder) {
  const Scenario scenario = small_story();
  const Certificate whole = certified(scenario, mixed());
  std::vector<Certificate> shards;
  for (const std::uint64_t number : {3U, 1U, 2U})
    shards.push_back(certified(scenario, mixed(), {}, 1, {number, 3}));
  EXPECT_EQ(verdict_of(shards[0]), CertificateVerdict::part);
  EXPECT_GT(shards[0].schedules(), 0U);
  const CertificateResult merged = merge_certificates(shards);
  ASSERT_TRUE(merged.certificate) << merged.error;
  EXPECT_EQ(*merged.certificate, whole);
}

TEST(Certificate, IsTheSameAfterInterruptions) {
  const Scenario scenario = small_story();
  const Certificate whole = certified(scenario, mixed());
  Certificate at = blank_certificate(scenario, mixed(), {});
  unsigned interruptions = 0;
  while (verdict_of(at) == CertificateVerdict::incomplete) {
    std::uint64_t runs = 0;
    CertifyHooks hooks;
    hooks.cancelled = [&runs] { return ++runs > 500; };
    // Through a file, as the program does it.
    const CertificateResult kept = parse_certificate(certificate_text(at));
    ASSERT_TRUE(kept.certificate) << kept.error;
    at = certify(scenario, *kept.certificate, 1, hooks);
    ASSERT_LT(++interruptions, 100U);
  }
  EXPECT_GT(interruptions, 3U);
  EXPECT_EQ(at, whole);
}

TEST(Certificate, MergesNoGapAndNoOverlap) {
  const Scenario scenario = lost_answers();
  std::vector<Certificate> shards;
  for (const std::uint64_t number : {1U, 2U, 3U})
    shards.push_back(certified(scenario, faults_only(1), {}, 1, {number, 3}));
  const auto error_of = [](std::vector<Certificate> parts) {
    return merge_certificates(std::move(parts)).error;
  };
  EXPECT_EQ(error_of({}), "there is nothing to merge");
  EXPECT_EQ(error_of({shards[0], shards[2]}), "shard 2 is missing");
  EXPECT_EQ(error_of({shards[0], shards[1]}), "shard 3 is missing");
  EXPECT_EQ(error_of({shards[0], shards[1], shards[1], shards[2]}), "shard 2 is there twice");
  Certificate other = certified(lost_answers(2), faults_only(1), {}, 1, {2, 3});
  EXPECT_EQ(error_of({shards[0], other, shards[2]}), "shard 2 is of another enumeration");
  Certificate half = blank_certificate(scenario, faults_only(1), {2, 3});
  EXPECT_EQ(error_of({shards[0], half, shards[2]}), "shard 2 is incomplete");
}

TEST(Certificate, OfARefusedShardIsRefused) {
  std::vector<Certificate> shards;
  for (const std::uint64_t number : {1U, 2U})
    shards.push_back(certified(lost_answers(), faults_only(3), impatient<2>(), 1, {number, 2}));
  const CertificateResult merged = merge_certificates(shards);
  ASSERT_TRUE(merged.certificate) << merged.error;
  EXPECT_EQ(merged.certificate->counterexample,
            certified(lost_answers(), faults_only(3), impatient<2>()).counterexample);
}

TEST(CertificateFile, GivesBackWhatWasWritten) {
  for (const Certificate& certificate : {certified(lost_answers(), faults_only(2)),
                                         certified(lost_answers(), faults_only(2), impatient<2>()),
                                         blank_certificate(lost_answers(), mixed(), {2, 5})}) {
    const CertificateResult read = parse_certificate(certificate_text(certificate));
    ASSERT_TRUE(read.certificate) << read.error;
    EXPECT_EQ(*read.certificate, certificate);
  }
}

TEST(CertificateFile, ThatWasChangedIsRejected) {
  const std::string text = certificate_text(certified(lost_answers(), faults_only(2)));
  std::string changed = text;
  const std::size_t at = changed.find("certified");
  ASSERT_NE(at, std::string::npos);
  for (std::size_t i = 0; i < text.size(); i += 7) {
    changed = text;
    changed[i] = changed[i] == '1' ? '2' : '1';
    if (changed == text) continue;
    EXPECT_FALSE(parse_certificate(changed).certificate) << i;
  }
}

TEST(CertificateFile, ForgedWithItsCheckSumIsFoundByTheRecount) {
  const Scenario scenario = lost_answers();
  const Certificate honest = certified(scenario, faults_only(2));
  const Recount found = recount(scenario, honest.bound);
  ASSERT_EQ(difference(honest, found), "");

  // Whoever forges can also write a check sum.
  Certificate more = honest;
  ++more.levels[2].schedules;
  ASSERT_TRUE(parse_certificate(certificate_text(more)).certificate);
  EXPECT_THAT(difference(more, found), HasSubstr("schedules with 2 deviations, and there are"));
  Certificate others = honest;
  others.levels[1].sum.low ^= 1;
  EXPECT_EQ(difference(others, found), "the schedules with 1 deviations are others");
  Recount overlapping = found;
  overlapping.twice = true;
  EXPECT_EQ(difference(honest, overlapping), "a set of deviations was met twice");
  Certificate silent = certified(scenario, faults_only(2), impatient<2>());
  silent.counterexample.reset();
  silent.units_done = silent.units;
  for (PropertyCount& property : silent.properties)
    property.violated.assign(3, 0);
  ASSERT_EQ(verdict_of(silent), CertificateVerdict::certified);
  EXPECT_NE(difference(silent, recount(scenario, silent.bound, 1, {}, impatient<2>())), "");
}

TEST(Certificate, SaysWhatItDoesNotSay) {
  Scenario scenario = lost_answers();
  scenario.expect["double-ownership"] = Verdict::violated;
  const Certificate certificate = certified(scenario, faults_only(1));
  EXPECT_THAT(claim_of(certificate), HasSubstr("Nothing is said of"));
  Certificate undecided = certificate;
  undecided.properties[0].expected = Verdict::holds;
  undecided.properties[0].unknown = 1;
  EXPECT_EQ(verdict_of(undecided), CertificateVerdict::undecided);
  EXPECT_THAT(claim_of(undecided), HasSubstr("Not decided in each: "));
}

}  // namespace
}  // namespace locklab
