// Fuzz target: black-box histories in each of their formats, and a short check of what was read.
// SPDX-License-Identifier: Apache-2.0

#include <cstddef>
#include <cstdint>
#include <string>

#include "properties/linearizability/checker.h"
#include "properties/linearizability/failing_part.h"
#include "properties/linearizability/logs.h"
#include "sim/contract.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace locklab;
  using namespace locklab::linearizability;
  const std::string text(data, data + size);
  const SourceText source{"input", text};
  const LogResult result = parse_log(source);
  SIM_ASSERT(result.log.has_value() == result.errors.empty());
  if (!result.log) return 0;
  const Log& log = *result.log;
  SIM_ASSERT(log.lines.size() == log.history.operations.size());
  Budget budget;
  budget.steps = 20'000;
  budget.bytes = std::size_t{1} << 24;
  const Answer answer = check_history(log.history, log.spec, log.names, budget);
  if (answer.verdict != Verdict::violated) return 0;
  const FailingPart failing = failing_part(*answer.object, log.spec, log.names, 1'000, budget);
  SIM_ASSERT(!failing.part.history.operations.empty());
  return 0;
}
