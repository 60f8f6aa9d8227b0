// Tests of run: the facts that an execution's history carries beside its records.
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/run.h"

#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "scenarios/decoder.h"
#include "sim/sources.h"

namespace locklab {
namespace {

std::uint32_t quorum_of(const std::string& clients) {
  const DecodeResult decoded = decode_scenario(
      "{\"schema\": 1, \"name\": \"x\", \"topology\": {\"nodes\": 5}, \"clients\": [" + clients +
          "]}",
      "x");
  if (!decoded.scenario) throw std::runtime_error(render(decoded.errors));
  Runner runner;
  ZeroSource zeros;
  return runner.run(*decoded.scenario, zeros).history->facts.quorum;
}

TEST(Run, OnlyALockOfSeveralNodesNeedsAQuorum) {
  EXPECT_EQ(quorum_of("{\"algorithm\": \"redlock\"}"), 3U);
  EXPECT_EQ(quorum_of("{\"algorithm\": \"set-nx-px\"}"), 1U);
  EXPECT_EQ(quorum_of("{\"algorithm\": \"set-nx-px\"}, {\"algorithm\": \"redlock\"}"), 3U);
}

}  // namespace
}  // namespace locklab
