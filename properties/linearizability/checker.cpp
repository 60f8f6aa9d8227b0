// Checker: the methods in rounds, each with more steps than the one before.
// SPDX-License-Identifier: Apache-2.0

#include "properties/linearizability/checker.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "properties/linearizability/jit.h"
#include "properties/linearizability/lock_checker.h"
#include "properties/linearizability/wgl.h"

namespace locklab::linearizability {
namespace {

// A search that guesses right takes about one step for each operation that is under way at each
// return; beyond some tens of that it has guessed wrong early.
constexpr std::uint64_t kLuckySteps = 32;
constexpr std::uint64_t kLuckyStepsLeast = 1000;
// Steps of each round over those of the one before: what is done twice is a small part of it all.
constexpr std::uint64_t kGrowth = 8;

/// One object in the rounds.
struct Pending {
  History history;
  std::uint64_t steps = 0;  // Of the next round.
  Verdict verdict = Verdict::unknown;
  bool is_stuck = false;  // More steps would not help.
};

/// One round: WGL, which is quick where it is lucky, then JIT, whose bad cases are others.
void take_round(Pending& object, Model& model, Meter& meter) {
  object.is_stuck = true;
  for (const auto check : {check_wgl, check_jit}) {
    const std::uint64_t before = meter.steps();
    meter.allow(object.steps);
    object.verdict = check(object.history, model, meter);
    meter.allow_rest();
    if (object.verdict != Verdict::unknown || meter.is_spent()) return;
    // Else it had no room for its memo, or too many operations were under way for it.
    if (meter.steps() - before >= object.steps) object.is_stuck = false;
  }
  object.steps *= kGrowth;
}

/// Models for one object after another. A new one costs as much as the log has values, so an old
/// one goes on; until its states take up room that the next object needs.
class Models {
 public:
  Models(const Spec& spec, const Names& names, std::size_t bytes)
      : spec_(spec), names_(names), kept_(bytes / kShare) {}

  Model& next() {
    if (!model_ || model_->bytes() > kept_) model_ = make_model(spec_, names_);
    return *model_;
  }

 private:
  static constexpr std::size_t kShare = 64;

  const Spec& spec_;
  const Names& names_;
  std::size_t kept_;
  std::unique_ptr<Model> model_;
};

/// A round, or at once whatever needs none.
void decide(Pending& object, Model& model, const Spec& spec, Meter& meter, Method method) {
  if (method != Method::automatic) {
    object.verdict = check_object(object.history, model, spec, meter, method);
    object.is_stuck = true;
    return;
  }
  const std::optional<Verdict> scan =
      spec.is_lock() ? check_lock(object.history, spec) : std::nullopt;
  if (scan) {
    object.verdict = *scan;
  } else {
    take_round(object, model, meter);
  }
}

Pending pending(History history) {
  const std::uint64_t steps = kLuckyStepsLeast + kLuckySteps * history.operations.size();
  return {std::move(history), steps};
}

}  // namespace

Verdict check_object(const History& history, Model& model, const Spec& spec, Meter& meter,
                     Method method) {
  switch (method) {
    case Method::lock_scan:
      return spec.is_lock() ? check_lock(history, spec).value_or(Verdict::unknown)
                            : Verdict::unknown;
    case Method::wgl:
      return check_wgl(history, model, meter);
    case Method::jit:
      return check_jit(history, model, meter);
    case Method::automatic:
      break;
  }
  Pending object = pending(history);
  while (object.verdict == Verdict::unknown && !object.is_stuck && !meter.is_spent())
    decide(object, model, spec, meter, method);
  return object.verdict;
}

Answer check_history(const History& history, const Spec& spec, const Names& names,
                     const Budget& budget, Method method) {
  Meter meter(budget);
  Models models(spec, names, budget.bytes);
  std::vector<Pending> objects;
  for (History& object : partitioned(history))
    objects.push_back(pending(std::move(object)));
  // In rounds, so that an object that is hard does not keep an illegal one waiting.
  bool again = true;
  while (again && !meter.is_spent()) {
    again = false;
    for (Pending& object : objects) {
      if (object.verdict != Verdict::unknown || object.is_stuck) continue;
      decide(object, models.next(), spec, meter, method);
      if (object.verdict == Verdict::violated) break;
      again = again || (object.verdict == Verdict::unknown && !object.is_stuck);
    }
    const auto violated = [](const Pending& object) { return object.verdict == Verdict::violated; };
    if (std::any_of(objects.begin(), objects.end(), violated)) break;
  }
  Answer answer;
  answer.steps = meter.steps();
  for (Pending& object : objects) {
    if (object.verdict <= answer.verdict) continue;
    answer.verdict = object.verdict;
    answer.object = std::move(object.history);
  }
  return answer;
}

}  // namespace locklab::linearizability
