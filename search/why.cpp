// Why: the four questions, one after another, to the same run.
// SPDX-License-Identifier: Apache-2.0
#include "search/why.h"

#include <algorithm>
#include <utility>

#include "search/why_parts.h"
#include "sim/contract.h"
#include "sim/mix.h"

namespace locklab {
namespace why {

const Question* Case::question(const Address& address) const {
  const auto found = std::find_if(questions.begin(), questions.end(),
                                  [&address](const Question& q) { return q.address == address; });
  return found == questions.end() ? nullptr : &*found;
}

std::vector<Deviation> Case::with_value(const Address& address, std::uint64_t value) const {
  std::vector<Deviation> choices = result.choices;
  for (Deviation& deviation : choices) {
    if (deviation.address == address) deviation = {address, value, kAnyWitness};
  }
  return choices;
}

std::vector<Deviation> Case::without(const Address& address) const {
  std::vector<Deviation> choices;
  for (const Deviation& deviation : result.choices) {
    if (deviation.address != address) choices.push_back(deviation);
  }
  return choices;
}

bool Case::go_on() {
  if (options.progress) options.progress(trial.executions(), planned);
  if (options.cancelled && options.cancelled()) stopped = true;
  return !stopped;
}

namespace {

/// A value of the same sort, not that of the run: of a fault the same kind and target with another
/// length or size, of other choices any that is no default. 0: there is none.
std::uint64_t other_value(const Case& about, const Role& role, std::uint64_t number) {
  const Question* const question = about.question(role.deviation.address);
  if (question == nullptr) return 0;
  const std::uint64_t random = mix(number, role.deviation.address.place);
  if (question->bound != 0) {
    const std::uint64_t others = question->bound - 1;
    if (others <= about.options.values) return number < others ? number + 1 : 0;
    return 1 + below(others, random);
  }
  const Offer& offer = about.offers[question->offer];
  FaultValue value = FaultValue::unpack(role.deviation.value);
  value.length = offer.lengths[below(offer.lengths.size(), mix(random, 1))];
  value.fine = static_cast<std::uint8_t>(below(64, mix(random, 2)));
  const std::uint16_t seconds = offer.seconds[static_cast<std::size_t>(value.kind)];
  if (seconds > 1) value.second = static_cast<std::uint16_t>(below(seconds, mix(random, 3)));
  return value.pack();
}

}  // namespace

void weigh(Case& about, Role& role) {
  const Address& address = role.deviation.address;
  role.needed = !about.trial.run(about.without(address));
  for (std::uint64_t i = 0; about.go_on() && i < about.options.values; ++i) {
    const std::uint64_t value = other_value(about, role, i);
    if (value == 0) break;
    if (value == role.deviation.value) continue;
    ++role.values_tried;
    if (about.trial.run(about.with_value(address, value))) ++role.values_failing;
  }
}

namespace {

/// Keeps the run if the property holds in it, and it is nearer than what is known: a smaller value
/// is nearer than none, and of two shorter faults the one that lacks least.
void offer_pass(Case& about, NearestPass pass, std::span<const Deviation> choices) {
  if (about.trial.run(choices)) return;
  const Execution& execution = about.trial.execution();
  pass.choices.assign(execution.choices.begin(), execution.choices.end());
  pass.digest = execution.digest;
  about.result.nearest = std::move(pass);
}

/// The greatest amount of the value order that does not fail, below the least that does.
const Sample* nearest_sample(const std::vector<Sample>& samples, const Threshold& threshold) {
  const Sample* best = nullptr;
  for (const Sample& sample : samples) {
    const Duration amount = sample.of(threshold.amount);
    if (sample.violated || amount >= threshold.least) continue;
    if (best == nullptr || amount > best->of(threshold.amount)) best = &sample;
  }
  return best;
}

/// Of the fine steps beyond a sample that does not fail, the longest that does not either, if
/// failing is monotone in them.
Sample longest_pass(Case& about, const Address& address, Sample sample) {
  if (sample.value.length.is_deadline() && sample.value.length.side() == Bucket::Side::before)
    return sample;  // Its fine steps make it shorter.
  unsigned low = sample.value.fine;
  unsigned high = 64;
  while (low + 1 < high && about.go_on()) {
    FaultValue value = sample.value;
    value.fine = static_cast<std::uint8_t>(low + (high - low) / 2);
    const std::optional<Sample> longer = sample_of(about, {address, value.pack(), {}});
    if (longer && !longer->violated) {
      sample = *longer;
      low = value.fine;
    } else {
      high = value.fine;
    }
  }
  return sample;
}

class Explainer {
 public:
  Explainer(const Scenario& scenario, std::string_view property, const WhyOptions& options,
            const Laboratory& laboratory)
      : trial_(scenario, property, laboratory), case_{scenario, options, trial_, result_} {
    result_.property = property;
    result_.forks = options.forks;
  }

  Explanation run(std::span<const Deviation> choices) {
    if (!listen(choices)) return std::move(result_);
    for (const Deviation& choice : result_.choices)
      result_.roles.push_back({choice, false, 0, 0, {}});
    const std::uint64_t each = case_.options.values + 40ULL;
    case_.planned = result_.roles.size() * each + points_of(case_).size() * case_.options.forks;
    for (std::size_t i = 0; i < result_.roles.size() && case_.go_on(); ++i)
      explain_role(i);
    if (!result_.nearest) drop_one();
    if (case_.go_on()) rewind(case_);
    result_.executions = trial_.executions();
    result_.complete = !case_.stopped;
    return std::move(result_);
  }

 private:
  bool listen(std::span<const Deviation> choices) {
    ReplaySource source;
    source.load(choices);
    ListeningSource listening(source, trial_.history());
    const std::optional<Signature> seen = trial_.run(listening);
    result_.executions = trial_.executions();
    if (!seen) return false;
    const Execution& execution = trial_.execution();
    result_.reproduced = true;
    result_.signature = *seen;
    result_.finding = trial_.finding();
    result_.digest = execution.digest;
    result_.choices.assign(execution.choices.begin(), execution.choices.end());
    case_.questions = listening.questions();
    for (const Question& question : case_.questions) {
      if (question.bound == 0) case_.offers.push_back(listening.offer(question));
    }
    case_.fault_begins = fault_begins_of(*execution.history);
    case_.record_count = static_cast<std::uint32_t>(execution.history->records().size());
    return true;
  }

  void explain_role(std::size_t index) {
    Role& role = result_.roles[index];
    weigh(case_, role);
    if (!role.needed || !case_.go_on()) return;
    if (role.deviation.address.kind() != ChoiceKind::fault_at_label) {
      lower(index);
      return;
    }
    const std::vector<Sample> samples = find_thresholds(case_, role);
    for (const Threshold& threshold : role.thresholds) {
      const Sample* const sample = nearest_sample(samples, threshold);
      if (sample == nullptr || (result_.nearest && result_.nearest->length)) continue;
      const Sample nearest = threshold.amount == Amount::length
                                 ? longest_pass(case_, role.deviation.address, *sample)
                                 : *sample;
      offer_pass(case_, {index, false, nearest.length, nearest.size, {}, 0},
                 case_.with_value(role.deviation.address, nearest.value.pack()));
    }
  }

  /// The value below it; shrinking has made that of the run the smallest that fails.
  void lower(std::size_t index) {
    const Deviation& deviation = result_.roles[index].deviation;
    if (result_.nearest || deviation.value <= 1) return;
    offer_pass(case_, {index, false, {}, {}, {}, 0},
               case_.with_value(deviation.address, deviation.value - 1));
  }

  /// The last one that is needed, so that most of the run stays as it is.
  void drop_one() {
    for (std::size_t i = result_.roles.size(); i-- > 0 && !result_.nearest;) {
      if (!result_.roles[i].needed) continue;
      offer_pass(case_, {i, true, {}, {}, {}, 0},
                 case_.without(result_.roles[i].deviation.address));
    }
  }

  Explanation result_;
  Trial trial_;
  Case case_;
};

}  // namespace
}  // namespace why

std::string_view name_of(Amount amount) {
  return amount == Amount::length ? "length" : "size";
}

Explanation explain(const Scenario& scenario, std::span<const Deviation> choices,
                    std::string_view property, const WhyOptions& options,
                    const Laboratory& laboratory) {
  return why::Explainer(scenario, property, options, laboratory).run(choices);
}

}  // namespace locklab
