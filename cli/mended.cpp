// Mended: the runs of a story are ranked by what comes of a fault.
// SPDX-License-Identifier: Apache-2.0
#include "cli/mended.h"

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "cli/found.h"
#include "reports/denials.h"
#include "reports/requests.h"
#include "sim/sources.h"

namespace locklab::cli {
namespace {

constexpr std::uint32_t kMostDeviations = 6;  // More hide what matters.

/// How well a run in which nothing breaks shows why, from least to most.
enum class Shows : std::uint8_t {
  nothing,
  fault,          // One strikes,
  fault_in_time,  // while somebody holds or asks, and somebody gets the lock later.
  answer,         // After it somebody cannot tell, asks once more, or a lease ends;
  nothing_done,   // a request has nothing to do any more: the hold is over, or has been served;
  refusal         // the resource refuses.
};

/// A fault means something only while somebody asks, holds or is inside.
bool is_in_time(const RunView& run, const Record& fault) {
  const std::span<const HoldLane> holds = run.lanes->holds();
  const bool during = std::any_of(holds.begin(), holds.end(), [&fault](const HoldLane& hold) {
    return !hold.by_probe && hold.requested.known() && hold.requested.seq < fault.seq &&
           (!hold.over.known() || hold.over.seq > fault.seq);
  });
  return during && std::any_of(holds.begin(), holds.end(), [&fault](const HoldLane& hold) {
           return !hold.by_probe && hold.granted && hold.acquired.seq > fault.seq;
         });
}

/// A request that had been served when its reply was lost, and is sent again to no effect.
bool is_served_again(const RunView& run, const Requests& requests, const Record& applied) {
  const History& history = *run.history;
  const std::uint32_t sent = requests.sending(applied);
  const std::uint32_t first = sent == 0 ? 0 : requests.first_try(sent);
  const std::uint32_t served = first == 0 ? 0 : requests.arrival(first);
  return served != 0 && !changes_nothing(history, history.at(served)) &&
         changes_nothing(history, applied) && !is_unknown_script(history, applied);
}

Shows answer_of(const RunView& run, const Requests& requests, const Record& record) {
  switch (record.kind) {
    case EventKind::sent:
      return requests.first_try(record.seq) != 0 ? Shows::answer : Shows::nothing;
    case EventKind::key_lost:
      return record.has(event_flags::kReplica) ? Shows::nothing : Shows::answer;
    case EventKind::applied: {
      const bool idle = is_denial(run, record) || is_served_again(run, requests, record);
      return idle ? Shows::nothing_done : Shows::nothing;
    }
    case EventKind::resource_op:
      return is_denial(run, record) ? Shows::refusal : Shows::nothing;
    default:
      return is_denial(run, record) ? Shows::answer : Shows::nothing;
  }
}

Shows shows(const RunView& run) {
  const Requests requests(*run.history);
  const WorldConfig& world = run.scenario->world;
  bool struck = world.faults.empty() && world.search.max == 0;  // Or none can.
  auto best = Shows::nothing;
  for (const Record& record : run.history->records()) {
    if (record.kind == EventKind::fault_begin) {
      struck = true;
      best = std::max(best, is_in_time(run, record) ? Shows::fault_in_time : Shows::fault);
    } else if (struck) {
      best = std::max(best, answer_of(run, requests, record));
    }
  }
  return best;
}

}  // namespace

bool is_mended(const Scenario& scenario) {
  const std::vector<std::string>& tags = scenario.tags;
  return std::find(tags.begin(), tags.end(), "fixed") != tags.end();
}

std::uint64_t mended_seed(Bench& bench) {
  std::uint64_t best = 1;
  auto most = Shows::nothing;
  std::uint32_t fewest = UINT32_MAX;
  for (std::uint64_t seed = 1; seed <= kTellingSeeds; ++seed) {
    SeededSource source(seed);
    const RunView run = bench.run(source);
    const Shows shown = shows(run);
    const std::uint32_t deviations = counted(run.choices);
    if (deviations > kMostDeviations || shown < most) continue;
    if (shown == most && deviations >= fewest) continue;
    best = seed;
    most = shown;
    fewest = deviations;
  }
  return best;
}

}  // namespace locklab::cli
