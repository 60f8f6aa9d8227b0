// Replay: a recorded run again, and where it leaves the record if it does.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "search/explore.h"
#include "search/token.h"
#include "search/trace_file.h"
#include "sim/sources.h"

namespace locklab {

/// What is known of the run that is to be repeated.
struct Recorded {
  std::optional<std::uint64_t> seed;  // nullopt: the deviations say it all.
  std::vector<Deviation> deviations;
  std::uint32_t digest = 0;  // shown_bits().
  const TraceFile* trace = nullptr;
  std::string strategy;  // Whose number the seed is; empty: the seeded engine's.
};

/// What a recorded run draws from. The scenario must outlive it.
class RecordedSource {
 public:
  /// A contract failure if there is no such strategy.
  RecordedSource(const Scenario& scenario, const Recorded& recorded,
                 const Laboratory& laboratory = {});
  ChoiceSource& operator*() { return *source_; }

 private:
  std::unique_ptr<Engine> engine_;
  std::unique_ptr<Proposer> proposer_;
  ReplaySource listed_;
  ChoiceSource* source_ = &listed_;
};

/// Of a token with a seed or a list; a contract failure otherwise.
Recorded recorded_in(const Token& token);
/// The trace must outlive the result.
Recorded recorded_in(const TraceFile& trace);

/// Where a replay leaves its record.
struct Divergence {
  /// The first recorded choice, by address, that the run did not meet as recorded.
  std::optional<Deviation> misfit;
  /// The first event that differs is one of [first_event, last_event], numbered from 1; they are
  /// equal when it is known exactly, and 0 without a trace file.
  std::uint32_t first_event = 0;
  std::uint32_t last_event = 0;
  std::string text;  // One or two sentences for a person.
};

/// nullopt: the digests agree.
std::optional<Divergence> divergence_of(const Execution& execution, const Recorded& recorded);

struct ReplayResult {
  std::optional<Divergence> divergence;  // nullopt: identical.
  std::uint64_t digest = 0;
  std::vector<NamedFinding> findings;  // One per judged property; pointers are into `properties`.
  std::shared_ptr<const std::vector<Property>> properties;
  bool as_expected = true;  // No violation that the scenario does not expect.
};
ReplayResult replay(const Scenario& scenario, const Recorded& recorded,
                    const Laboratory& laboratory = {});

/// "delay@link from client-1 to redis-1, visit 2, in operation 3, attempt 1 of client-1"
std::string place_of(const Address& address, const History& history);

}  // namespace locklab
