// Why, how much: amounts of a fault in order, then bisected in the time that the run records.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "scenarios/decoder.h"
#include "search/why_parts.h"

namespace locklab::why {
namespace {

constexpr Duration kNear = milliseconds(1);

/// What has an end, and is no more than its length or its size says.
bool has_amounts(FaultKind kind) {
  switch (kind) {
    case FaultKind::slow:
    case FaultKind::lag:
    case FaultKind::stall:
    case FaultKind::pause:
    case FaultKind::node_pause:
    case FaultKind::cut:
    case FaultKind::jump:
    case FaultKind::suspend:
    case FaultKind::freeze:
      return true;
    default:
      return false;
  }
}

std::vector<Sample> samples_of(Case& about, const Deviation& fault, Amount amount) {
  const Question* const question = about.question(fault.address);
  std::vector<Sample> samples;
  if (question == nullptr) return samples;
  const Offer& offer = about.offers[question->offer];
  FaultValue value = FaultValue::unpack(fault.value);
  const auto take = [&](FaultValue tried) {
    if (about.stopped) return;
    const std::optional<Sample> sample = sample_of(about, {fault.address, tried.pack(), {}});
    if (sample) samples.push_back(*sample);
  };
  if (amount == Amount::length) {
    for (const Bucket length : offer.lengths) {
      value.length = length;
      take(value);
    }
  } else {
    const std::uint16_t seconds = offer.seconds[static_cast<std::size_t>(value.kind)];
    for (std::uint16_t second = 0; second < seconds; ++second) {
      value.second = second;
      take(value);
    }
  }
  std::stable_sort(samples.begin(), samples.end(), [amount](const Sample& a, const Sample& b) {
    return a.of(amount) < b.of(amount);
  });
  return samples;
}

/// Halves the gap until it is a millisecond. The amounts at both ends stay what they are.
void narrow(Case& about, const Record& at, Plan& plan, Threshold& threshold) {
  const auto fails = [&](Duration amount) {
    const Duration length = duration_from_bits(at.result);
    const Duration size = duration_from_bits(at.local);
    const bool violated = threshold.amount == Amount::length ? plan.run(amount, size).has_value()
                                                             : plan.run(length, amount).has_value();
    about.go_on();
    return violated;
  };
  if (!threshold.below) {
    if (threshold.least <= kNear || fails(kNear)) {
      threshold.exact = threshold.least <= kNear;
      return;
    }
    threshold.below = kNear;
  }
  while (threshold.least - *threshold.below > kNear && !about.stopped) {
    // On whole milliseconds, where there are any between: what people say.
    const Duration half = *threshold.below + (threshold.least - *threshold.below) / 2;
    const Duration whole = kNear * (record_bits(half) / record_bits(kNear));
    const Duration middle = whole > *threshold.below ? whole : half;
    (fails(middle) ? threshold.least : *threshold.below) = middle;
  }
  threshold.exact = true;
}

/// Where the samples, in order of their amounts, begin to fail, and where they end.
std::optional<Threshold> bracket(const std::vector<Sample>& samples, Amount amount) {
  const bool one_amount =
      samples.empty() || samples.front().of(amount) == samples.back().of(amount);
  const auto fails = std::find_if(samples.begin(), samples.end(),
                                  [](const Sample& sample) { return sample.violated; });
  if (one_amount || fails == samples.end()) return std::nullopt;
  Threshold threshold;
  threshold.amount = amount;
  threshold.least = fails->of(amount);
  if (fails != samples.begin()) threshold.below = std::prev(fails)->of(amount);
  if (threshold.below == threshold.least) return std::nullopt;  // It is not the amount.
  const auto holds = std::find_if(fails, samples.end(), [&](const Sample& sample) {
    return !sample.violated && sample.of(amount) > threshold.least;
  });
  if (holds != samples.end()) threshold.too_much = holds->of(amount);
  return threshold;
}

}  // namespace

std::optional<Sample> sample_of(Case& about, const Deviation& fault) {
  const bool violated = about.trial.run(about.with_value(fault.address, fault.value)).has_value();
  about.go_on();
  const std::vector<Record> begins = fault_begins_of(*about.trial.execution().history);
  const Record* const begin = begin_of(begins, fault);
  if (begin == nullptr) return std::nullopt;  // Nothing can last so long, or as short, there.
  return Sample{FaultValue::unpack(fault.value), duration_from_bits(begin->result),
                duration_from_bits(begin->local), violated};
}

std::vector<Record> fault_begins_of(const History& history) {
  std::vector<Record> begins;
  std::copy_if(history.records().begin(), history.records().end(), std::back_inserter(begins),
               [](const Record& record) { return record.kind == EventKind::fault_begin; });
  return begins;
}

const Record* begin_of(std::span<const Record> fault_begins, const Deviation& fault) {
  const auto found =
      std::find_if(fault_begins.begin(), fault_begins.end(), [&fault](const Record& record) {
        return static_cast<std::uint64_t>(record.arg) == fault.value &&
               record.label == fault.address.label();
      });
  return found == fault_begins.end() ? nullptr : &*found;
}

Plan::Plan(const Case& about, const Deviation& fault, const Record& at)
    : about_(about), others_(about.without(fault.address)) {
  const std::vector<ActorInfo>& actors = about.trial.history().actors;
  fault_.kind = FaultValue::unpack(fault.value).kind;
  fault_.target = actors[at.actor].name;
  if (at.fence != 0) fault_.peer = actors[at.fence].name;
  fault_.trigger.label = fault.address.label();
  fault_.trigger.actor = actors[fault.address.actor().value].name;
  fault_.trigger.nth = 0;
  // The visit of that label by that actor, whatever it did then.
  for (const Question& question : about.questions) {
    const bool same_place = question.bound == 0 &&
                            question.address.actor() == fault.address.actor() &&
                            question.address.label() == fault.address.label();
    if (same_place) ++fault_.trigger.nth;
    if (question.address == fault.address) break;
  }
}

std::optional<Signature> Plan::run(Duration length, Duration size) {
  Scenario planned = about_.scenario;
  fault_.length = length;
  fault_.offset = size;
  if (fault_.kind == FaultKind::jump) fault_.offset = size < Duration() ? -length : length;
  planned.world.faults.push_back(fault_);
  planned.hash = scenario_hash(planned);
  return about_.trial.run_of(planned, others_);
}

std::vector<Sample> find_thresholds(Case& about, Role& role) {
  const FaultKind kind = FaultValue::unpack(role.deviation.value).kind;
  const Record* const at = begin_of(about.fault_begins, role.deviation);
  if (!has_amounts(kind) || at == nullptr) return {};
  Plan plan(about, role.deviation, *at);
  // A plan says less than a draw: it counts only where it does the same.
  const bool can_plan =
      plan.run(duration_from_bits(at->result), duration_from_bits(at->local)).has_value();
  std::vector<Sample> all;
  for (const Amount amount : {Amount::length, Amount::size}) {
    // The size of a jump is its length.
    if (about.stopped || (amount == Amount::size && kind == FaultKind::jump)) continue;
    const std::vector<Sample> samples = samples_of(about, role.deviation, amount);
    std::optional<Threshold> threshold = bracket(samples, amount);
    all.insert(all.end(), samples.begin(), samples.end());
    if (!threshold) continue;
    if (can_plan) narrow(about, *at, plan, *threshold);
    role.thresholds.push_back(*threshold);
  }
  return all;
}

}  // namespace locklab::why
