// Counterexample: one run of a world that answers a question, repeated, shrunk and told.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reports/run_view.h"
#include "sim/choice.h"
#include "testkit/judgement.h"
#include "testkit/setting.h"

namespace locklab::testkit {

struct Counterexample {
  SharedSetting setting;
  PropertyMaker property = nullptr;
  std::optional<std::uint64_t> seed;  // That found it; without one it is told as it is.
  std::vector<Deviation> choices;
  std::uint64_t digest = 0;
  std::string token;
};

/// What differs when this seed is run twice, each time by somebody who has run nothing before; and
/// from `digest`, if one is known. "" if nothing does.
std::string unrepeatable(const Setting& setting, std::uint64_t seed,
                         std::optional<std::uint64_t> digest);

/// A text for a person, as long as half a screen: shrunk, with its story, its reason and the
/// command that runs it again.
struct Told {
  std::string text;
  std::string token;  // The shrunk one.
};
Told told(const Counterexample& example);

/// The story, the reason and the command of a run that has been judged.
std::string told_run(const RunView& view);
/// The scenario with an expectation by which the property is what the story is about.
Scenario about(const Setting& setting, PropertyMaker property);

}  // namespace locklab::testkit
