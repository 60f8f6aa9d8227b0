// Cases: what is to be found, and where.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/scenario.h"

namespace locklab::strategies {

struct Case {
  Scenario scenario;  // Judges the property alone, and expects nothing.
  std::string property;
};

/// Every story that expects something to be violated, with what it is told by.
std::vector<Case> broken_stories();

/// A story by its name, or that of the claims, "LOCK under FAULT"; nullopt: there is none.
std::optional<Case> case_named(std::string_view name, std::string_view property);

}  // namespace locklab::strategies
