// Replayed: the run that a token names, proven to be the same, or why it is not.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "reports/bench.h"
#include "testkit/environment.h"
#include "testkit/setting.h"

namespace locklab::testkit {

/// Why a token cannot be replayed in this world; "" if it can.
std::string unfit(const Token& token, const Setting& setting);

/// Runs what the token names on the bench, which is of this setting's scenario. → "" or how the run
/// diverged. The token is fit.
std::string run_again(const Token& token, Bench& bench, RunView& view);

}  // namespace locklab::testkit
