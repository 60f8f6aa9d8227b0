// Fuzz target: scenario files, and after a zero byte one assignment of --set.
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "scenarios/decoder.h"
#include "sim/contract.h"

namespace locklab {
namespace {

void check_round_trip(const Scenario& scenario) {
  const std::string canonical = canonical_json(scenario);
  const DecodeResult again = decode_scenario(canonical, "canonical");
  SIM_ASSERT(again.scenario.has_value());
  SIM_ASSERT(canonical_json(*again.scenario) == canonical);
  SIM_ASSERT(again.scenario->hash == scenario.hash);
}

void check(std::string_view text, std::string_view assignment) {
  DecodeResult result = decode_scenario(text, "input");
  SIM_ASSERT(result.scenario.has_value() == result.errors.empty());
  SIM_ASSERT(result.errors.empty() || !render(result.errors).empty());
  if (!result.scenario) return;
  check_round_trip(*result.scenario);
  if (apply_set(*result.scenario, std::string(assignment)).empty()) {
    check_round_trip(*result.scenario);
  }
}

}  // namespace
}  // namespace locklab

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  const std::size_t zero = std::min(text.find('\0'), size);
  locklab::check(std::string_view(text).substr(0, zero),
                 std::string_view(text).substr(std::min(zero + 1, size)));
  return 0;
}
