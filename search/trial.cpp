// Trial: a runner, a judge of one property, and a source that gives back a set.
// SPDX-License-Identifier: Apache-2.0
#include "search/trial.h"

#include <vector>

#include "sim/contract.h"

namespace locklab {
namespace {

std::vector<Property> only(std::string_view name, const Laboratory& laboratory) {
  for (const Property& property : laboratory.properties) {
    if (property.name == name) return {property};
  }
  SIM_UNREACHABLE("the property to try is not in the laboratory");
}

}  // namespace

Trial::Trial(const Scenario& scenario, std::string_view property, const Laboratory& laboratory)
    : scenario_(scenario),
      runner_(laboratory.find, laboratory.scripts),
      judge_(only(property, laboratory)) {}

bool Trial::execute(const Scenario& scenario, ChoiceSource& source) {
  execution_ = &runner_.run(scenario, source);
  ++executions_;
  return judge_.judge(*execution_->history)[0].finding.verdict == Verdict::violated;
}

std::optional<Signature> Trial::signature(bool violated) const {
  if (!violated) return std::nullopt;
  return signature_of(*execution_->history, judge_.lanes(), judge_.findings()[0]);
}

std::optional<Signature> Trial::run(std::span<const Deviation> choices) {
  return run_of(scenario_, choices);
}

std::optional<Signature> Trial::run(ChoiceSource& source) {
  return signature(execute(scenario_, source));
}

bool Trial::violates(ChoiceSource& source) {
  return execute(scenario_, source);
}

std::optional<Signature> Trial::run_of(const Scenario& scenario,
                                       std::span<const Deviation> choices) {
  listed_.load(choices);
  return signature(execute(scenario, listed_));
}

}  // namespace locklab
