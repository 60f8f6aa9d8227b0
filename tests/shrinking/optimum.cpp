// Optimum: a depth-first walk over sets of deviations, each set once, in the order of the run.
// SPDX-License-Identifier: Apache-2.0
#include "tests/shrinking/optimum.h"

#include <algorithm>

#include "search/questions.h"
#include "search/trial.h"

namespace locklab::testing {
namespace {

/// Every value that a choice could have but the default one.
std::vector<std::uint64_t> alternatives(const Question& question, const Offer* offer) {
  std::vector<std::uint64_t> values;
  for (std::uint64_t value = 1; value < question.bound; ++value)
    values.push_back(value);
  if (offer == nullptr) return values;
  for (std::size_t k = 1; k < offer->targets.size(); ++k) {
    for (std::uint16_t target = 0; target < offer->targets[k]; ++target) {
      for (std::uint16_t second = 0; second < offer->seconds[k]; ++second) {
        for (const Bucket length : offer->lengths) {
          values.push_back(FaultValue{static_cast<FaultKind>(k), static_cast<std::uint8_t>(target),
                                      length, 0, second}
                               .pack());
        }
      }
    }
  }
  return values;
}

class Walk {
 public:
  Walk(const Scenario& scenario, std::string_view property, const Signature& wanted,
       std::uint64_t most_runs)
      : trial_(scenario, property, {}), wanted_(wanted), most_(most_runs) {}

  /// true: some set of that many deviations, beside the free dimensions, fails in the wanted way.
  bool fails(std::span<const Deviation> free, std::uint32_t deviations) {
    set_.assign(free.begin(), free.end());
    return walk(deviations, Address{}, true);
  }
  bool too_many() const { return trial_.executions() >= most_; }
  std::uint32_t tried() const { return trial_.executions(); }

 private:
  /// Adds `left` deviations at points that are met after `latest`.
  bool walk(std::uint32_t left, const Address& latest, bool any_point) {
    if (too_many()) return false;
    ReplaySource source;
    source.load(set_);
    ListeningSource listening(source, trial_.history());
    const std::optional<Signature> seen = trial_.run(listening);
    if (left == 0) return seen && seen->same_failure(wanted_);
    if (seen && seen->same_failure(wanted_)) return true;  // With fewer, even.
    const std::vector<Question> questions = listening.questions();
    bool begun = any_point;
    for (const Question& question : questions) {
      if (begun && question.answer == 0 && !is_free_dimension(question.address.kind())) {
        const Offer* const offer = question.bound == 0 ? &listening.offer(question) : nullptr;
        // Deeper walks listen anew: their offers are their own, these are kept by value.
        const std::vector<std::uint64_t> values = alternatives(question, offer);
        for (const std::uint64_t value : values) {
          set_.push_back({question.address, value, kAnyWitness});
          const bool found = walk(left - 1, question.address, false);
          set_.pop_back();
          if (found) return true;
          if (too_many()) return false;
        }
      }
      if (question.address == latest) begun = true;
    }
    return false;
  }

  Trial trial_;
  const Signature wanted_;
  std::uint64_t most_;
  std::vector<Deviation> set_;
};

std::vector<Deviation> free_of(std::span<const Deviation> choices) {
  std::vector<Deviation> free;
  std::copy_if(choices.begin(), choices.end(), std::back_inserter(free),
               [](const Deviation& d) { return is_free_dimension(d.address.kind()); });
  return free;
}

}  // namespace

Optimum optimum_below(const Scenario& scenario, std::string_view property,
                      const ShrinkResult& shrunk, std::span<const Deviation> found,
                      std::uint64_t most_runs) {
  std::vector<std::vector<Deviation>> rests = {{}, free_of(shrunk.choices), free_of(found)};
  std::sort(rests.begin(), rests.end());
  rests.erase(std::unique(rests.begin(), rests.end()), rests.end());
  Optimum optimum;
  for (std::uint32_t deviations = 0; deviations < shrunk.deviations_after; ++deviations) {
    for (const std::vector<Deviation>& free : rests) {
      Walk walk(scenario, property, shrunk.signature, most_runs);
      const bool fails = walk.fails(free, deviations);
      optimum.tried += walk.tried();
      if (fails) {
        optimum.deviations = deviations;
        return optimum;
      }
      if (walk.too_many()) return optimum;
    }
  }
  optimum.deviations = shrunk.deviations_after;
  return optimum;
}

Measured measure(const Scenario& scenario, std::string_view property,
                 std::span<const Deviation> found, std::uint64_t most_runs) {
  const ShrinkResult shrunk = shrink(scenario, found, property);
  const ShrinkResult again = shrink(scenario, shrunk.choices, property);
  Measured measured;
  measured.before = shrunk.deviations_before;
  measured.after = shrunk.deviations_after;
  measured.executions = shrunk.executions;
  measured.idempotent = again.choices == shrunk.choices && again.digest == shrunk.digest;
  measured.choices = shrunk.choices;
  measured.optimum = optimum_below(scenario, property, shrunk, found, most_runs).deviations;
  return measured;
}

}  // namespace locklab::testing
