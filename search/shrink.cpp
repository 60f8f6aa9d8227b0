// Shrink: passes over a current best, each a series of candidates, repeated until none succeeds.
// SPDX-License-Identifier: Apache-2.0
#include "search/shrink.h"

#include <algorithm>
#include <utility>

#include "search/shrink_parts.h"
#include "search/token.h"

namespace locklab {
namespace shrinking {

Part part_of(const Deviation& deviation) {
  if (is_free_dimension(deviation.address.kind())) return Part::free_dimension;
  return deviation.address.kind() == ChoiceKind::fault_at_label ? Part::fault : Part::order;
}

bool is_smaller(std::span<const Deviation> a, std::span<const Deviation> b) {
  if (const auto order = size_of(a) <=> size_of(b); order != 0) return order < 0;
  const auto addresses = [](std::span<const Deviation> choices) {
    std::vector<Address> all;
    for (const Deviation& choice : choices)
      all.push_back(choice.address);
    std::sort(all.begin(), all.end());
    return all;
  };
  return addresses(a) < addresses(b);
}

Best::Best(const Scenario& scenario, std::string_view property, const ShrinkOptions& options,
           const Laboratory& laboratory)
    : scenario_(scenario), options_(options), trial_(scenario, property, laboratory) {}

bool Best::begin(std::span<const Deviation> choices) {
  result_.deviations_before = static_cast<std::uint32_t>(size_of(choices).deviations);
  const std::optional<Signature> seen = run(choices);
  if (!seen) return false;
  result_.reproduced = true;
  keep(*seen);
  return true;
}

bool Best::spent() {
  if (!stopped_ && options_.cancelled && options_.cancelled()) stopped_ = true;
  return stopped_ || result_.executions >= options_.budget;
}

std::optional<Signature> Best::run(std::span<const Deviation> candidate) {
  const std::optional<Signature> seen = trial_.run(candidate);
  ++result_.executions;
  if (options_.progress) {
    options_.progress({result_.executions, options_.budget,
                       static_cast<std::uint32_t>(size_of(choices_).deviations)});
  }
  return seen;
}

void Best::keep(const Signature& signature) {
  const Execution& execution = trial_.execution();
  choices_.assign(execution.choices.begin(), execution.choices.end());
  result_.digest = execution.digest;
  result_.signature = signature;
  result_.finding = trial_.finding();
}

bool Best::attempt(const std::vector<Deviation>& candidate) {
  if (spent()) return false;
  if (!refused_.insert(normalised(candidate)).second) return false;
  const std::optional<Signature> seen = run(candidate);
  if (!seen || !seen->same_failure(result_.signature)) return false;
  if (!is_smaller(trial_.execution().choices, choices_)) return false;
  keep(*seen);
  return true;
}

bool Best::attempt_value(const Address& address, std::uint64_t value) {
  std::vector<Deviation> candidate = choices_;
  for (Deviation& deviation : candidate) {
    if (deviation.address == address) deviation = {address, value, kAnyWitness};
  }
  return attempt(candidate);
}

std::vector<Question> Best::questions_of(std::span<const Deviation> choices) {
  if (spent()) return {};
  ReplaySource source;
  source.load(choices);
  ListeningSource listening(source, trial_.history());
  trial_.violates(listening);
  ++result_.executions;
  return listening.questions();
}

void Best::verify() {
  bool same = true;
  for (int i = 0; i < 2; ++i) {
    const std::optional<Signature> seen = run(choices_);
    const Execution& execution = trial_.execution();
    same = same && seen == result_.signature && execution.digest == result_.digest &&
           std::equal(choices_.begin(), choices_.end(), execution.choices.begin(),
                      execution.choices.end());
  }
  result_.verified = same;
}

const Deviation* Best::find(const Address& address) const {
  const auto found = std::find_if(choices_.begin(), choices_.end(),
                                  [&](const Deviation& d) { return d.address == address; });
  return found == choices_.end() ? nullptr : &*found;
}

std::vector<std::size_t> Best::places_of(Part part) const {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < choices_.size(); ++i) {
    if (part_of(choices_[i]) == part) places.push_back(i);
  }
  return places;
}

std::vector<Deviation> Best::without(std::span<const std::size_t> places) const {
  std::vector<Deviation> rest;
  for (std::size_t i = 0; i < choices_.size(); ++i) {
    if (std::find(places.begin(), places.end(), i) == places.end()) rest.push_back(choices_[i]);
  }
  return rest;
}

namespace {

/// true: something became smaller. What is moved and merged is small already: those passes try many
/// places.
bool round(Best& best) {
  bool any = truncate(best);
  any |= delete_runs_of(best, Part::order);
  any |= delete_runs_of(best, Part::fault);
  any |= delete_pairs(best);
  any |= delete_runs_of(best, Part::free_dimension);
  any |= lower_all(best, Part::fault);
  any |= lower_all(best, Part::order);
  any |= lower_all(best, Part::free_dimension);
  if (!any) any = merge(best) || move_faults(best) || one_alone(best);
  return any && !best.spent();
}

}  // namespace
}  // namespace shrinking

Size size_of(std::span<const Deviation> choices) {
  using shrinking::Part;
  Size size;
  for (const Deviation& deviation : choices) {
    switch (shrinking::part_of(deviation)) {
      case Part::free_dimension:
        ++size.free_dimensions;
        size.free_values += deviation.value;
        break;
      case Part::order:
        ++size.deviations;
        size.values += deviation.value;
        break;
      case Part::fault: {
        const FaultValue fault = FaultValue::unpack(deviation.value);
        ++size.deviations;
        size.fault_kinds += static_cast<std::uint64_t>(fault.kind);
        size.targets += fault.target;
        size.lengths += fault.length.bits;
        size.seconds += fault.second;
        size.fines += fault.fine;
        break;
      }
    }
  }
  return size;
}

ShrinkResult shrink(const Scenario& scenario, std::span<const Deviation> choices,
                    std::string_view property, const ShrinkOptions& options,
                    const Laboratory& laboratory) {
  shrinking::Best best(scenario, property, options, laboratory);
  if (!best.begin(choices)) return std::move(best.result());
  while (shrinking::round(best)) {
  }
  best.result().minimal = !best.spent();
  best.verify();
  best.result().deviations_after = static_cast<std::uint32_t>(size_of(best.choices()).deviations);
  best.result().choices = best.choices();
  return std::move(best.result());
}

}  // namespace locklab
