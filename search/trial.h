// Trial: runs sets of choices of one scenario and judges one property: one step of any search.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "search/explore.h"
#include "search/signature.h"
#include "sim/sources.h"

namespace locklab {

class Trial {
 public:
  /// A contract failure if the laboratory does not have the property. The scenario must stay where
  /// it is.
  Trial(const Scenario& scenario, std::string_view property, const Laboratory& laboratory);

  /// Every choice that is not given is the benign one. → how the property is violated; nullopt: it
  /// is not.
  std::optional<Signature> run(std::span<const Deviation> choices);
  std::optional<Signature> run(ChoiceSource& source);
  /// The same without the signature, for those who only count.
  bool violates(ChoiceSource& source);
  /// As run(), of another scenario with the same properties.
  std::optional<Signature> run_of(const Scenario& scenario, std::span<const Deviation> choices);

  /// Of the latest run; valid until the next.
  const Execution& execution() const { return *execution_; }
  const Finding& finding() const { return judge_.findings()[0].finding; }
  /// The one that every run writes: for sources that want to know how far a run has come.
  const History& history() { return runner_.simulation().world().history(); }
  std::uint32_t executions() const { return executions_; }

 private:
  bool execute(const Scenario& scenario, ChoiceSource& source);
  std::optional<Signature> signature(bool violated) const;

  const Scenario& scenario_;
  Runner runner_;
  Judge judge_;
  ReplaySource listed_;
  const Execution* execution_ = nullptr;
  std::uint32_t executions_ = 0;
};

}  // namespace locklab
