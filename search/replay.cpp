// Replay: compares choices by address, and events by the marks of a trace file.
// SPDX-License-Identifier: Apache-2.0
#include "search/replay.h"

#include <algorithm>
#include <memory>

#include "search/strategies/catalogue.h"
#include "sim/contract.h"
#include "sim/net/network.h"

namespace locklab {
namespace {

std::string actor_name(ActorId actor, const History& history) {
  if (actor.value < history.actors.size()) return history.actors[actor.value].name;
  return "actor " + std::to_string(actor.value);
}

bool was_met(const Deviation& recorded, std::span<const Deviation> taken) {
  return std::any_of(taken.begin(), taken.end(), [&](const Deviation& met) {
    const bool witness = recorded.witness == kAnyWitness || recorded.witness == met.witness;
    return met.address == recorded.address && met.value == recorded.value && witness;
  });
}

/// The same place, with another value or another witness.
const Deviation* met_otherwise(const Deviation& recorded, std::span<const Deviation> taken) {
  const auto found = std::find_if(taken.begin(), taken.end(), [&](const Deviation& met) {
    return met.address == recorded.address;
  });
  return found == taken.end() ? nullptr : &*found;
}

std::string describe_misfit(const Deviation& misfit, const Execution& execution) {
  const std::string place = place_of(misfit.address, *execution.history);
  if (met_otherwise(misfit, execution.choices) != nullptr) {
    return "the first recorded choice that no longer fits is " + place +
           ": the run takes another value there";
  }
  return "the first recorded choice that no longer fits is " + place +
         ": the run does not come there, or finds something else there";
}

/// The exact one, by marks. false: they agree as far as they go.
bool find_marked(const History& history, const TraceFile& trace, Divergence& divergence) {
  const std::vector<std::uint32_t> here = marks_of(history);
  const auto [mine, theirs] =
      std::mismatch(here.begin(), here.end(), trace.marks.begin(), trace.marks.end());
  if (mine == here.end() && theirs == trace.marks.end()) return false;
  divergence.first_event = static_cast<std::uint32_t>(mine - here.begin()) + 1;
  divergence.last_event = divergence.first_event;
  return true;
}

void find_event(const Execution& execution, const TraceFile& trace, Divergence& divergence) {
  const History& history = *execution.history;
  if (find_marked(history, trace, divergence)) return;
  const auto here = history.checkpoints();
  const auto there = std::span<const std::uint64_t>(trace.checkpoints);
  const auto differ = std::mismatch(here.begin(), here.end(), there.begin(), there.end()).first;
  const auto same = static_cast<std::uint32_t>(differ - here.begin()) * History::kCheckpointEvery;
  const auto length = static_cast<std::uint32_t>(history.records().size());
  const std::uint32_t most = std::max(length, trace.records);
  divergence.first_event = std::min(same + 1, most);
  divergence.last_event = std::min(same + History::kCheckpointEvery, most);
  // A run that ends early, or late, and agrees up to its last checkpoint.
  if (length == 0 || trace.records == 0) divergence.first_event = divergence.last_event = 1;
}

std::string describe_event(const Divergence& divergence, const History& history) {
  const std::uint32_t first = divergence.first_event;
  std::string text = first == divergence.last_event
                         ? "event " + std::to_string(first) + " is the first that differs"
                         : "the first event that differs is one of " + std::to_string(first) +
                               " to " + std::to_string(divergence.last_event);
  if (first > history.records().size()) return text + "; this run ends before it";
  const Record& record = history.at(first);
  return text + "; from here on this run has " + std::string(name_of(record.kind)) + " of " +
         actor_name(record.who(), history) + " at " + to_string(record.at());
}

}  // namespace

Recorded recorded_in(const Token& token) {
  Recorded recorded;
  recorded.digest = token.digest;
  if (const auto* const seed = std::get_if<SeedBody>(&token.body)) {
    recorded.seed = seed->seed;
    recorded.strategy = seed->strategy;
    return recorded;
  }
  const auto* const list = std::get_if<ChoiceBody>(&token.body);
  SIM_ASSERT(list != nullptr);
  recorded.deviations = list->deviations;
  return recorded;
}

Recorded recorded_in(const TraceFile& trace) {
  return {std::nullopt, trace.deviations, shown_bits(trace.digest), &trace, {}};
}

RecordedSource::RecordedSource(const Scenario& scenario, const Recorded& recorded,
                               const Laboratory& laboratory) {
  listed_.load(recorded.deviations);
  if (!recorded.seed) return;
  const StrategyInfo* const strategy =
      find_strategy(recorded.strategy.empty() ? kSwarm : recorded.strategy);
  SIM_ASSERT(strategy != nullptr);
  engine_ = strategy->make(scenario, laboratory);
  proposer_ = engine_->proposer();
  // Beyond an enumeration's end is the calm run, and the digest says so.
  ChoiceSource* const source = proposer_->at(*recorded.seed);
  if (source != nullptr) source_ = source;
}

std::string place_of(const Address& address, const History& history) {
  std::string text(name_of(address.kind()));
  const ActorId actor = address.actor();
  if (is_link(actor)) {
    text += " from " + actor_name(link_from(actor), history) + " to " +
            actor_name(link_to(actor), history);
  } else {
    text += " of " + actor_name(actor, history);
  }
  if (address.kind() == ChoiceKind::fault_at_label) {
    text += " at " + std::string(name_of(address.label()));
  }
  text += ", visit " + std::to_string(address.n());
  const Span span = address.cause();
  if (span.operation() == 0) return text;
  text += ", in operation " + std::to_string(span.operation());
  if (span.attempt() != 0) text += ", attempt " + std::to_string(span.attempt());
  return text + " of " + actor_name(span.actor(), history);
}

std::optional<Divergence> divergence_of(const Execution& execution, const Recorded& recorded) {
  const bool whole = recorded.trace == nullptr || recorded.trace->digest == execution.digest;
  if (whole && shown_bits(execution.digest) == recorded.digest) return std::nullopt;
  Divergence divergence;
  if (!recorded.seed) {
    const std::vector<Deviation> in_order = normalised(recorded.deviations);
    const auto misfit = std::find_if_not(
        in_order.begin(), in_order.end(),
        [&](const Deviation& deviation) { return was_met(deviation, execution.choices); });
    if (misfit != in_order.end()) divergence.misfit = *misfit;
  }
  if (divergence.misfit) divergence.text = describe_misfit(*divergence.misfit, execution);
  if (recorded.trace != nullptr) {
    find_event(execution, *recorded.trace, divergence);
    if (!divergence.text.empty()) divergence.text += "; ";
    divergence.text += describe_event(divergence, *execution.history);
  } else if (!divergence.misfit) {
    divergence.text = recorded.seed
                          ? "the digest differs: this build draws or does something else"
                          : "every recorded choice is met, and the digest differs all the same";
  }
  return divergence;
}

ReplayResult replay(const Scenario& scenario, const Recorded& recorded,
                    const Laboratory& laboratory) {
  ReplayResult result;
  result.properties =
      std::make_shared<const std::vector<Property>>(judged_properties(scenario, laboratory));
  Runner runner(laboratory.find, laboratory.scripts);
  Judge judge(*result.properties);
  RecordedSource source(scenario, recorded, laboratory);
  const Execution& execution = runner.run(scenario, *source);
  result.digest = execution.digest;
  result.divergence = divergence_of(execution, recorded);
  const std::span<const NamedFinding> findings = judge.judge(*execution.history);
  for (std::size_t i = 0; i < findings.size(); ++i) {
    result.findings.push_back({&(*result.properties)[i], findings[i].finding});
  }
  result.as_expected = unexpected_violation(result.findings, scenario.expect) == nullptr;
  return result;
}

}  // namespace locklab
