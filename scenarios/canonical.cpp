// Canonical text of a scenario and the hash that tokens carry.
// SPDX-License-Identifier: Apache-2.0

#include <xxhash.h>

#include "scenarios/decoder.h"
#include "scenarios/value_text.h"

namespace locklab {

std::string canonical_json(const Scenario& scenario) {
  return schema::text_of(schema::ObjectRule<schema::ScenarioKeys>{}, scenario);
}

std::uint64_t scenario_hash(const Scenario& scenario) {
  const std::string text = canonical_json(scenario);
  return XXH3_64bits(text.data(), text.size());
}

}  // namespace locklab
