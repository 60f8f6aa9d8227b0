// Go under test: one client whose fibers must all come to their end.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include <gtest/gtest.h>

#include "sim/testing.h"

namespace locklab::testing {

/// Runs one client to its end.
inline void run(const std::function<void(Client&, Kit&)>& program) {
  Kit kit;
  kit.client([&](Client& client) { program(client, kit); });
  kit.run();
  ASSERT_EQ(kit.process(0).live_fibers(), 0U) << "a fiber waits for ever";
}

}  // namespace locklab::testing
