// Plans: what a smaller fault plan, a smaller deployment and a rounder time are.
// SPDX-License-Identifier: Apache-2.0
#include "testkit/plans.h"

#include <array>
#include <ostream>

namespace locklab {
namespace {

constexpr auto kLabels = static_cast<unsigned>(Label::count);
constexpr auto kKinds = static_cast<unsigned>(FaultKind::count);

/// 0: the default; then whole seconds, tenths, hundredths, and all others.
unsigned roughness(Duration time, Duration usual) {
  constexpr std::array<std::int64_t, 3> kUnits = {1000, 100, 10};
  if (time == usual) return 0;
  for (unsigned i = 0; i < kUnits.size(); ++i) {
    if (time == milliseconds(whole_milliseconds(time) / kUnits[i] * kUnits[i])) return i + 1;
  }
  return kUnits.size() + 1;
}

/// Rounder lengths than this one, the roundest first.
std::vector<Duration> rounder(Duration time, Duration usual) {
  std::vector<Duration> lengths;
  const unsigned now = roughness(time, usual);
  if (now > 0) lengths.push_back(usual);
  for (const std::int64_t unit : {1000, 100, 10}) {
    const Duration down = milliseconds(whole_milliseconds(time) / unit * unit);
    if (down > Duration() && roughness(down, usual) < now && roughness(down, usual) > 0)
      lengths.push_back(down);
  }
  return lengths;
}

template <class T, class Member>
void with_less(std::vector<T>& out, const T& whole, Member T::*member, Member least) {
  if (!(whole.*member > least)) return;
  T part = whole;
  part.*member = least;
  out.push_back(part);
  if (whole.*member - 1 == least) return;
  part.*member = whole.*member - 1;
  out.push_back(part);
}

}  // namespace

FaultPlan plan_of(const Faults& faults) {
  FaultPlan plan;
  for (const FaultKind kind : faults.of)
    plan.search.of = plan.search.of.with(kind);
  for (const Label label : faults.at)
    plan.search.at_labels |= 1U << static_cast<unsigned>(label);
  plan.search.max = faults.max;
  return plan;
}

std::ostream& operator<<(std::ostream& out, const FaultPlan& plan) {
  if (plan.search.max == 0) return out << "no faults";
  out << "at most " << plan.search.max << " of";
  for (unsigned kind = 1; kind < kKinds; ++kind) {
    if (plan.search.of.has(static_cast<FaultKind>(kind)))
      out << " " << name_of(static_cast<FaultKind>(kind));
  }
  if (plan.search.at_labels == 0) return out << ", anywhere";
  out << ", at";
  for (unsigned label = 1; label < kLabels; ++label) {
    if (plan.search.allows_label(static_cast<Label>(label)))
      out << " " << name_of(static_cast<Label>(label));
  }
  return out;
}

std::ostream& operator<<(std::ostream& out, const LockParams& params) {
  return out << "ttl " << params.ttl << ", margin " << params.margin << ", work " << params.work
             << ", poll " << params.poll;
}

std::ostream& operator<<(std::ostream& out, const Deployment& deployment) {
  return out << deployment.clients << " clients, " << deployment.replicas << " replicas, "
             << deployment.rounds << " rounds of " << deployment.effects << " effects";
}

std::ostream& operator<<(std::ostream& out, const Seed& seed) {
  return out << "seed " << seed.value;
}

std::ostream& operator<<(std::ostream& out, const Plan& plan) {
  return out << plan.faults << "; " << plan.deployment << "; " << plan.lock << "; " << plan.seed;
}

namespace testkit {

std::vector<FaultPlan> smaller(const FaultPlan& plan) {
  std::vector<FaultPlan> plans;
  const FaultSearch& search = plan.search;
  if (search.max == 0) return plans;
  plans.emplace_back();
  const auto add = [&plans](const FaultSearch& less) { plans.push_back(FaultPlan{less}); };
  if (search.max > 1) add({search.of, search.at_labels, search.max - 1});
  for (unsigned kind = 1; kind < kKinds; ++kind) {
    const FaultKinds rest{search.of.bits & ~(1U << kind)};
    if (rest.bits != search.of.bits && !rest.empty()) add({rest, search.at_labels, search.max});
  }
  for (unsigned label = 1; label < kLabels; ++label) {
    const std::uint32_t rest = search.at_labels & ~(1U << label);
    if (rest != search.at_labels && rest != 0) add({search.of, rest, search.max});
  }
  return plans;
}

std::vector<LockParams> smaller(const LockParams& params) {
  std::vector<LockParams> all;
  const LockParams usual;
  for (const auto member :
       {&LockParams::ttl, &LockParams::margin, &LockParams::work, &LockParams::poll}) {
    for (const Duration length : rounder(params.*member, usual.*member)) {
      LockParams rounded = params;
      rounded.*member = length;
      if (rounded.margin < rounded.ttl) all.push_back(rounded);
    }
  }
  return all;
}

std::vector<Deployment> smaller(const Deployment& deployment) {
  std::vector<Deployment> all;
  with_less(all, deployment, &Deployment::clients, 1U);
  with_less(all, deployment, &Deployment::replicas, 0U);
  with_less(all, deployment, &Deployment::rounds, 1U);
  with_less(all, deployment, &Deployment::effects, 1U);
  return all;
}

std::vector<Plan> smaller(const Plan& plan) {
  std::vector<Plan> plans;
  const auto each = [&](auto member) {
    for (const auto& part : smaller(plan.*member)) {
      Plan less = plan;
      less.*member = part;
      plans.push_back(less);
    }
  };
  each(&Plan::faults);
  each(&Plan::deployment);
  each(&Plan::lock);
  return plans;
}

}  // namespace testkit
}  // namespace locklab
