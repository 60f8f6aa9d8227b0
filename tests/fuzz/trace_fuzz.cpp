// Fuzz target: trace files and the scenarios inside them.
// SPDX-License-Identifier: Apache-2.0

#include <cstddef>
#include <cstdint>
#include <string>

#include "search/trace_file.h"
#include "sim/contract.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using locklab::TraceResult;
  const TraceResult result = locklab::parse_trace(std::string(data, data + size), "input");
  SIM_ASSERT(result.trace.has_value() == result.errors.empty());
  if (!result.trace) return 0;
  const std::string text = locklab::trace_text(*result.trace);
  const TraceResult again = locklab::parse_trace(text, "again");
  SIM_ASSERT(again.trace.has_value());
  SIM_ASSERT(locklab::trace_text(*again.trace) == text);
  const locklab::DecodeResult scenario = locklab::scenario_of(*result.trace);
  SIM_ASSERT(scenario.scenario.has_value() == scenario.errors.empty());
  return 0;
}
