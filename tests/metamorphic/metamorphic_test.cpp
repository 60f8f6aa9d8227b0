// Changes of a story that must not change its verdicts.
// SPDX-License-Identifier: Apache-2.0
//
// Its unit of time, its names, its epoch, its bystanders: on explicit sets of deviations, with
// their addresses mapped, so that nothing is drawn anew.
#include <algorithm>
#include <cstdio>
#include <cstring>

#include <gtest/gtest.h>

#include "properties/judge.h"
#include "scenarios/decoder.h"
#include "scenarios/run.h"
#include "sim/sources.h"
#include "tests/metamorphic/mapping.h"

namespace locklab::testing {
namespace {

constexpr std::uint64_t kSeeds = LOCKLAB_SEEDS;

// Two clients that never act at the same instant by construction: who comes first at a tie is
// decided by the order of the list, and that is what some of the changes change.
constexpr std::int64_t kSecondStartsUs = 3700;

constexpr FaultSearch kAnyFaults = {kAllFaultKinds, 0, 3};  // Anywhere.

/// Margins are wide: whole milliseconds, in which Redis thinks, are small beside every difference.
Scenario base(const std::string& algorithm, std::uint32_t nodes,
              const FaultSearch& faults = kAnyFaults) {
  Scenario s;
  s.name = "base";
  s.world.topology.nodes = nodes;
  s.world.topology.network.latency = milliseconds(50);
  s.world.topology.network.heal_backoff = milliseconds(100);
  s.world.topology.failover.detect = seconds(10);
  s.world.topology.failover.detect_spread = seconds(10);
  s.world.topology.failover.demote_after = seconds(80);
  s.world.topology.failover.rediscover_spread = seconds(10);
  s.world.limits.virtual_time = seconds(1200);
  ClientConfig client;
  client.algorithm = algorithm;
  client.ttl = seconds(10);
  client.margin = milliseconds(200);
  client.timeout = seconds(1);
  s.clients = {client, client};
  s.clients[1].start = microseconds(kSecondStartsUs);
  s.workload.work = seconds(3);
  s.workload.think = milliseconds(500);
  s.workload.poll = seconds(1);
  s.workload.resource_timeout = seconds(5);
  s.world.search = faults;
  s.hash = scenario_hash(s);
  return s;
}

struct Told {
  std::vector<Verdict> verdicts;  // By property.
  std::vector<Record> records;
  std::vector<Deviation> choices;
  std::size_t missed = 0;
};

class Teller {
 public:
  Teller() : judge_(all_properties()) {}
  Told seeded(const Scenario& scenario, std::uint64_t seed) {
    SeededSource source(seed);
    return tell(runner_.run(scenario, source));
  }
  Told replayed(const Scenario& scenario, std::span<const Deviation> deviations) {
    ReplaySource source;
    source.load(deviations);
    Told told = tell(runner_.run(scenario, source));
    told.missed = source.missed().size();
    return told;
  }

 private:
  Told tell(const Execution& execution) {
    Told told;
    for (const NamedFinding& named : judge_.judge(*execution.history)) {
      told.verdicts.push_back(named.finding.verdict);
    }
    const auto records = execution.history->records();
    told.records.assign(records.begin(), records.end());
    told.choices.assign(execution.choices.begin(), execution.choices.end());
    return told;
  }
  Runner runner_;
  Judge judge_;
};

std::string named(const std::vector<Verdict>& verdicts) {
  const std::vector<Property> properties = all_properties();
  std::string text;
  for (std::size_t i = 0; i < verdicts.size(); ++i) {
    if (verdicts[i] == Verdict::holds) continue;
    text += std::string(properties[i].name) + " " + std::string(name_of(verdicts[i])) + "; ";
  }
  return text.empty() ? "all hold" : text;
}

bool is_violated(const Told& told) {
  return std::find(told.verdicts.begin(), told.verdicts.end(), Verdict::violated) !=
         told.verdicts.end();
}

struct Subject {
  std::string algorithm;
  std::uint32_t nodes;
};
const Subject kSubjects[] = {{"set-nx-px-checked", 1}, {"set-nx-px-fenced", 1}, {"redlock", 3}};

/// A change that speaks of fewer of the runs, in percent, shows too little.
constexpr std::uint64_t kComparedLeast = 60;

/// Runs every seed of every subject as it is and changed, and compares the verdicts. `skip` says of
/// which sets the change does not speak.
template <class Change, class Skip>
void expect_same_verdicts(Change change, Skip skip, std::span<const Subject> subjects = kSubjects,
                          const FaultSearch& faults = kAnyFaults) {
  Teller teller;
  std::uint64_t compared = 0;
  std::uint64_t violated = 0;
  for (const Subject& subject : subjects) {
    const Scenario scenario = base(subject.algorithm, subject.nodes, faults);
    for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
      const Told before = teller.seeded(scenario, seed);
      if (skip(before)) continue;
      Scenario other = scenario;
      const std::vector<Deviation> image = change(other, before.choices);
      other.hash = scenario_hash(other);
      const Told after = teller.replayed(other, image);
      ++compared;
      violated += is_violated(before) ? 1 : 0;
      EXPECT_EQ(before.verdicts, after.verdicts)
          << subject.algorithm << ", seed " << seed << ": before " << named(before.verdicts)
          << " after " << named(after.verdicts) << " missed " << after.missed << " of "
          << image.size();
    }
  }
  const std::uint64_t all = kSeeds * subjects.size();
  std::printf("  %llu of %llu runs compared, %llu of them violated\n",
              static_cast<unsigned long long>(compared), static_cast<unsigned long long>(all),
              static_cast<unsigned long long>(violated));
  EXPECT_GE(compared * 100, all * kComparedLeast);
  EXPECT_GT(violated,
            compared / 50);  // Equal verdicts of runs in which nothing happens are no news.
}

const auto kSkipNone = [](const Told&) { return false; };

// --- Time

void stretch(Scenario& s) {
  const auto longer = [](Duration& d) { d = scale(d, 73, 10); };
  longer(s.world.topology.network.latency);
  longer(s.world.topology.network.heal_backoff);
  longer(s.world.topology.expire_tick);
  longer(s.world.topology.failover.detect);
  longer(s.world.topology.failover.detect_spread);
  longer(s.world.topology.failover.demote_after);
  longer(s.world.topology.failover.rediscover_spread);
  longer(s.world.limits.virtual_time);
  for (ClientConfig& client : s.clients) {
    for (Duration* d : {&client.ttl, &client.margin, &client.timeout, &client.start})
      longer(*d);
  }
  for (Duration* d :
       {&s.workload.work, &s.workload.think, &s.workload.poll, &s.workload.resource_timeout}) {
    longer(*d);
  }
  // Ticks are counted from the epoch of Unix: the run begins at one again, as it did.
  const std::int64_t tick = whole_milliseconds(s.world.topology.expire_tick);
  const std::int64_t begun = whole_milliseconds(kWallEpoch - LocalInstant::origin()) % tick;
  s.world.wall_epoch_shift = milliseconds(tick - begun);
}

/// Redis counts whole milliseconds, which do not stretch: what comes closer to an expiry than the
/// margin may come on its other side.
bool is_close_to_an_expiry(std::span<const Record> records) {
  constexpr Duration kMargin = milliseconds(10);
  return std::any_of(records.begin(), records.end(), [&](const Record& lost) {
    if (lost.kind != EventKind::key_lost) return false;
    return std::any_of(records.begin(), records.end(), [&](const Record& applied) {
      return applied.kind == EventKind::applied && applied.who() == lost.who() &&
             applied.at() + kMargin > lost.at() && lost.at() + kMargin > applied.at();
    });
  });
}

/// "The TTL and one millisecond" is not a multiple of anything.
bool lasts_one_millisecond_more(const Deviation& deviation) {
  return deviation.address.kind() == ChoiceKind::fault_at_label &&
         FaultValue::unpack(deviation.value).length.bits == Bucket::ttl_plus_one_ms;
}

TEST(Metamorphic, AllDurationsLongerChangeNoVerdict) {
  const auto skip = [](const Told& before) {
    return is_close_to_an_expiry(before.records) ||
           std::any_of(before.choices.begin(), before.choices.end(), lasts_one_millisecond_more);
  };
  expect_same_verdicts(
      [](Scenario& scenario, const std::vector<Deviation>& deviations) {
        stretch(scenario);
        return deviations;
      },
      skip);
}

TEST(Metamorphic, AnotherWallEpochChangesNoVerdict) {
  expect_same_verdicts(
      [](Scenario& scenario, const std::vector<Deviation>& deviations) {
        scenario.world.wall_epoch_shift = milliseconds(86'400'137);
        return deviations;
      },
      kSkipNone);
}

/// Readings of the wall clock, which another epoch moves.
Record without_wall(Record record) {
  if (record.kind == EventKind::key_set || record.kind == EventKind::key_ttl) record.result = 0;
  return record;
}

/// The position of the first record that differs; SIZE_MAX: none does.
template <class Masked>
std::size_t first_difference(const Told& a, const Told& b, Masked masked) {
  const std::size_t common = std::min(a.records.size(), b.records.size());
  for (std::size_t i = 0; i < common; ++i) {
    const Record x = masked(a.records[i]);
    const Record y = masked(b.records[i]);
    if (std::memcmp(&x, &y, sizeof(Record)) != 0) return i;
  }
  return a.records.size() == b.records.size() ? SIZE_MAX : common;
}

TEST(Metamorphic, AWallEpochWholeTicksLaterChangesNoRecord) {
  Teller teller;
  for (const Subject& subject : kSubjects) {
    const Scenario scenario = base(subject.algorithm, subject.nodes);
    Scenario later = scenario;
    later.world.wall_epoch_shift = seconds(86'400);
    for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
      const Told before = teller.seeded(scenario, seed);
      const Told after = teller.replayed(later, before.choices);
      EXPECT_EQ(first_difference(before, after, without_wall), SIZE_MAX)
          << subject.algorithm << ", seed " << seed;
    }
  }
}

// --- Names and bystanders

TEST(Metamorphic, ClientsThatChangePlacesChangeNoVerdict) {
  const auto other = [](ActorId actor) {
    return actor.value == 1 || actor.value == 2
               ? ActorId{static_cast<std::uint16_t>(3 - actor.value)}
               : actor;
  };
  expect_same_verdicts(
      [&](Scenario& scenario, const std::vector<Deviation>& deviations) {
        std::swap(scenario.clients[0], scenario.clients[1]);
        const unsigned nodes = scenario.world.topology.nodes;
        Mapping mapping{other, [nodes](FaultKind kind, unsigned target) {
                          if (strikes_process(kind)) return target > 2 ? target : 3 - target;
                          if (strikes_host(kind) && target > nodes && target <= nodes + 2) {
                            return 2 * nodes + 3 - target;
                          }
                          return target;
                        }};
        return mapped(deviations, mapping);
      },
      kSkipNone);
}

TEST(Metamorphic, AnIdleClientChangesNoRecord) {
  Teller teller;
  const auto unmasked = [](const Record& record) { return record; };
  for (const Subject& subject : kSubjects) {
    const Scenario scenario = base(subject.algorithm, subject.nodes);
    Scenario crowded = scenario;
    crowded.world.topology.idle_clients = 2;
    for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
      const Told before = teller.seeded(scenario, seed);
      const Told after = teller.replayed(crowded, before.choices);
      EXPECT_EQ(first_difference(before, after, unmasked), SIZE_MAX)
          << subject.algorithm << ", seed " << seed;
      EXPECT_EQ(after.missed, 0U);
      EXPECT_EQ(before.verdicts, after.verdicts);
    }
  }
}

TEST(Metamorphic, AReplicaThatNobodyPromotesChangesNoVerdict) {
  // Client actors keep their numbers, redis-1 too; the replica comes before the resource and the
  // counter, and the orchestrator before the probe.
  const auto moved = [](ActorId actor) {
    const unsigned by = actor.value >= 6 ? 2U : actor.value >= 4 ? 1U : 0U;
    return ActorId{static_cast<std::uint16_t>(actor.value + by)};
  };
  // Whoever strikes the primary starts a failover once there is a replica; that is another story.
  FaultSearch faults;
  faults.of = faults.of.with(FaultKind::pause);
  for (const Label label : {Label::hold_check_ok, Label::res_before_send}) {
    faults.at_labels |= 1U << static_cast<unsigned>(label);
  }
  faults.max = 1;
  expect_same_verdicts(
      [&](Scenario& scenario, const std::vector<Deviation>& deviations) {
        scenario.world.topology.replicas = 1;
        return mapped(deviations, Mapping{moved, [](FaultKind, unsigned t) { return t; }});
      },
      kSkipNone, std::span(kSubjects).first(2), faults);
}

// --- Fences

TEST(Metamorphic, EnforcingFencesChangesNothingBeforeTheFirstRejection) {
  Teller teller;
  std::uint64_t rejections = 0;
  for (const std::string algorithm : {"set-nx-px-fenced", "redlock-fenced"}) {
    Scenario open = base(algorithm, 3);
    open.world.resource = ResourceMode::none;
    Scenario fenced = open;
    fenced.world.resource = ResourceMode::ge_rw;
    for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
      const Told before = teller.seeded(open, seed);
      const Told after = teller.replayed(fenced, before.choices);
      const std::size_t first =
          first_difference(before, after, [](const Record& record) { return record; });
      std::size_t would = SIZE_MAX;
      for (std::size_t i = 0; i < before.records.size() && would == SIZE_MAX; ++i) {
        if (before.records[i].has(event_flags::kWouldReject)) would = i;
      }
      EXPECT_EQ(first, would) << algorithm << ", seed " << seed;
      if (would == SIZE_MAX || first != would) continue;
      ++rejections;
      EXPECT_TRUE(after.records[first].has(event_flags::kRejected));
      EXPECT_FALSE(before.records[first].has(event_flags::kRejected));
    }
  }
  EXPECT_GT(rejections, 0U);
}

}  // namespace
}  // namespace locklab::testing
