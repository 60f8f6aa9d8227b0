// WGL: Wing and Gong's search with Lowe's memo, over all orders that real time allows.
// SPDX-License-Identifier: Apache-2.0
//
// Wing and Gong, "Testing and Verifying Concurrent Objects", JPDC 17 (1993), section 4; Lowe,
// "Testing for linearizability", CCPE 29 (2017), section 3. It tries the operations that no other
// had to precede, earliest invocation first, and goes back when an operation returns that nothing
// it can do explains. The memo holds each pair of what is done and the state it led to, in full.
#pragma once

#include "properties/linearizability/budget.h"
#include "properties/linearizability/model.h"
#include "properties/linearizability/operation.h"
#include "sim/verdict.h"

namespace locklab::linearizability {

/// For the history of one object; keys are not looked at. Unknown: the budget has run out.
Verdict check_wgl(const History& history, Model& model, Meter& meter);

}  // namespace locklab::linearizability
