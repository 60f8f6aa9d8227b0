// Story: the run of a scenario that is played again on real servers, and what came of it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "search/explore.h"
#include "tests/real/driver.h"

namespace locklab::real {

/// Which run of a scenario is worth playing.
struct Choice {
  std::vector<Deviation> choices;
  std::uint64_t digest = 0;
  std::string token;
};
/// That of reports/published/: of a story that breaks its violation, shrunk; of one that holds a
/// run that shows the mend at work.
Choice published_run(const Scenario& scenario);
/// The run of the seeded engine with that seed, as it is.
Choice seeded_run(const Scenario& scenario, std::uint64_t seed);

/// A verdict in the simulation, and one from the records of what really happened.
struct VerdictPair {
  std::string property;
  Verdict simulated = Verdict::holds;
  Verdict real = Verdict::holds;
  std::string why_simulated;
  std::string why_real;
  bool agrees() const { return simulated == real && why_simulated == why_real; }
};

struct Comparison {
  std::string story;
  std::string token;
  std::vector<std::string> faults;  // Sentences.
  Walk walk;
  std::vector<VerdictPair> verdicts;  // Empty after a difference.

  /// Every event and every verdict.
  bool agrees() const;
  /// Properties that the real record violates.
  std::vector<std::string> violated() const;
};
Comparison compare(const Scenario& scenario, const Choice& choice,
                   const DriverOptions& options = {});

}  // namespace locklab::real
