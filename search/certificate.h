// Certificate: every schedule within a bound was run, and what may be said of it.
// SPDX-License-Identifier: Apache-2.0
//
// Units of work are numbered by level, so that a violation with the fewest deviations is found
// first and the certificate of k deviations is the beginning of that of k + 1. Nothing is pruned:
// two owners at once is a matter of true time, which no partial order of events knows.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "search/explore.h"
#include "search/shard.h"
#include "search/strategies/bound.h"

namespace locklab {

/// A sum over a set of schedules that does not depend on their order: of two hashes of each
/// schedule's choices and digest. Equal sums of equally many schedules are equal sets, but for
/// accidents of 2^-128.
struct ScheduleSum {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  void add(const Execution& execution);
  void add(const ScheduleSum& other);
  friend bool operator==(const ScheduleSum&, const ScheduleSum&) = default;
};

/// All schedules with the same number of deviations.
struct LevelCount {
  std::uint64_t schedules = 0;
  /// Sets whose last fault has nothing to act on there: run, and counted nowhere else, because the
  /// run is that of the set without it.
  std::uint64_t impossible = 0;
  ScheduleSum sum;
  friend bool operator==(const LevelCount&, const LevelCount&) = default;
};

struct PropertyCount {
  std::string name;
  Verdict expected = Verdict::holds;
  std::vector<std::uint64_t> violated;  // Schedules, by level.
  std::uint64_t unknown = 0;
  std::uint64_t exercised = 0;  // Schedules in which its premise occurred.
  friend bool operator==(const PropertyCount&, const PropertyCount&) = default;
};

/// The first schedule, in the order of the units, that violates what must hold.
struct Counterexample {
  std::uint64_t unit = 0;
  std::string property;
  std::string why;
  std::string token;  // Empty: more choices than a token can hold.
  friend bool operator==(const Counterexample&, const Counterexample&) = default;
};

struct Certificate {
  // What was to be enumerated.
  std::string scenario;
  std::uint64_t scenario_hash = 0;
  std::vector<std::string> set;
  std::string faults;  // Kinds, labels and most of them, in words: the scenario's own limits.
  Bound bound;
  Shard shard;  // Its units are those whose numbers leave shard.number - 1.
  // How far it went.
  std::uint64_t units_done = 0;  // Of this shard, from its first one on.
  std::uint64_t units = 0;
  // What was found.
  std::vector<LevelCount> levels;  // One for each level of the bound.
  std::vector<PropertyCount> properties;
  std::optional<Counterexample> counterexample;
  friend bool operator==(const Certificate&, const Certificate&) = default;

  std::uint64_t schedules() const;
};

enum class CertificateVerdict : std::uint8_t {
  certified,
  refused,     // Something that must hold was violated.
  undecided,   // Something that must hold is unknown in some schedule.
  incomplete,  // Interrupted.
  part         // A shard: complete, but it speaks for itself only.
};
std::string_view name_of(CertificateVerdict verdict);
CertificateVerdict verdict_of(const Certificate& certificate);

/// What may be claimed, and what is left out; several sentences.
std::string claim_of(const Certificate& certificate);

struct CertifyProgress {
  std::uint64_t schedules = 0;
  std::uint64_t schedules_total = 0;  // An estimate; exact for up to one deviation.
};

struct CertifyHooks {
  std::function<void(const CertifyProgress&)> progress;
  /// Called after each unit, in their order, with what is known so far: for checkpoints.
  std::function<void(const Certificate&)> checkpoint;
  std::function<bool()> cancelled;
  /// false: goes on after a counterexample, to count how much each level violates.
  bool stop_at_counterexample = true;
};

/// Nothing done yet. check_locks() must be empty for the scenario, cell_count() not 0.
Certificate blank_certificate(const Scenario& scenario, const Bound& bound, Shard shard,
                              const Laboratory& laboratory = {});

/// Goes on from where the certificate stands: a blank one, or one that was interrupted. The result
/// is the same for any number of jobs and of interruptions.
Certificate certify(const Scenario& scenario, Certificate begun, unsigned jobs = 1,
                    const CertifyHooks& hooks = {}, const Laboratory& laboratory = {});

/// Fault kinds and labels that a scenario lets be drawn: "at most 2 of pause at acq.return".
std::string faults_of(const Scenario& scenario);

}  // namespace locklab
