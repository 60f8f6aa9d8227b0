// Sweep: seeded runs, each with a probe that insists, and with other futures where it says so.
// SPDX-License-Identifier: Apache-2.0
#include "tests/liveness/sweep.h"

#include <algorithm>

#include "properties/judge.h"
#include "scenarios/run.h"
#include "search/suffixes.h"
#include "sim/sources.h"

namespace locklab::testing_liveness {
namespace {

/// Says yes without a server: what it grants is stored nowhere.
constexpr std::string_view kServesItself = "fail-open";

const Record* first_of(const History& history, EventKind kind, std::uint32_t after = 0) {
  const auto records = history.records().subspan(after);
  const auto found = std::find_if(records.begin(), records.end(),
                                  [kind](const Record& record) { return record.kind == kind; });
  return found == records.end() ? nullptr : &*found;
}

/// How many servers that are no replicas have stored something for the hold.
std::size_t stored_for(const History& history, std::uint32_t hold) {
  std::vector<std::uint16_t> nodes;
  for (const Record& record : history.records()) {
    const bool stores = record.kind == EventKind::key_set || record.kind == EventKind::key_value;
    if (!stores || record.hold != hold || record.has(event_flags::kReplica)) continue;
    if (std::find(nodes.begin(), nodes.end(), record.actor) == nodes.end())
      nodes.push_back(record.actor);
  }
  return nodes.size();
}

class Sweeper {
 public:
  explicit Sweeper(const Scenario& scenario) : scenario_(scenario), judge_(properties()) {
    runner_.insist(kInsistence);
    for (const ClientConfig& client : scenario.clients)
      asks_servers_ = asks_servers_ && client.algorithm != kServesItself;
  }

  Sweep run(std::uint64_t seeds) {
    for (seed_ = 1; seed_ <= seeds; ++seed_) {
      SeededSource source(seed_);
      const Execution& execution = runner_.run(scenario_, source);
      const Verdict verdict = judge_.judge(*execution.history)[0].finding.verdict;
      ++sweep_.runs;
      if (verdict == Verdict::unknown) ++sweep_.unknown;
      if (verdict == Verdict::violated) look_at_blocked(execution);
      if (verdict == Verdict::holds) look_at_live(execution);
    }
    return sweep_;
  }

 private:
  static std::vector<Property> properties() {
    return *choose_properties(all_properties(), std::vector<std::string>{"eventual-release"});
  }
  std::string name() const { return scenario_.name + " seed " + std::to_string(seed_); }

  void look_at_blocked(const Execution& execution) {
    const History& history = *execution.history;
    const Record* const claim = first_of(history, EventKind::probe_blocked);
    ++sweep_.blocked;
    ++sweep_.facts[static_cast<std::size_t>(claim->arg)];
    if (execution.end != EndReason::repeats) sweep_.cut_short.push_back(name());
    if (first_of(history, EventKind::probe_acquired, claim->seq) != nullptr)
      sweep_.refuted.push_back(name() + " (blocked)");
    const Suffixes futures = suffixes_of(scenario_, execution.choices, kFutures);
    sweep_.futures_of_blocked += futures.drawn;
    sweep_.still_blocked += futures.blocked;
    if (futures.blocked != futures.drawn) sweep_.by_luck.push_back(name() + " (blocked)");
  }

  void look_at_live(const Execution& execution) {
    const History& history = *execution.history;
    ++sweep_.live;
    const Record* acquired = first_of(history, EventKind::probe_acquired);
    for (; acquired != nullptr;
         acquired = first_of(history, EventKind::probe_acquired, acquired->seq)) {
      if (asks_servers_ && stored_for(history, acquired->hold) == 0)
        sweep_.refuted.push_back(name() + " (live)");
    }
    if (seed_ % kLiveSample != 1) return;
    const Suffixes futures = suffixes_of(scenario_, execution.choices, kFutures);
    sweep_.futures_of_live += futures.drawn;
    sweep_.still_live += futures.live;
    if (futures.live != futures.drawn) sweep_.by_luck.push_back(name() + " (live)");
  }

  const Scenario& scenario_;
  Runner runner_;
  Judge judge_;
  Sweep sweep_;
  std::uint64_t seed_ = 0;
  bool asks_servers_ = true;
};

}  // namespace

void Sweep::add(const Sweep& other) {
  runs += other.runs;
  live += other.live;
  unknown += other.unknown;
  blocked += other.blocked;
  for (std::size_t i = 0; i < facts.size(); ++i)
    facts[i] += other.facts[i];
  cut_short.insert(cut_short.end(), other.cut_short.begin(), other.cut_short.end());
  refuted.insert(refuted.end(), other.refuted.begin(), other.refuted.end());
  futures_of_blocked += other.futures_of_blocked;
  still_blocked += other.still_blocked;
  futures_of_live += other.futures_of_live;
  still_live += other.still_live;
  by_luck.insert(by_luck.end(), other.by_luck.begin(), other.by_luck.end());
}

Sweep sweep(const Scenario& scenario, std::uint64_t seeds) {
  return Sweeper(scenario).run(seeds);
}

}  // namespace locklab::testing_liveness
