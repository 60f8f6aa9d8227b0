// Timeline: one execution as a drawing: what each client believes beside what each server knows.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "reports/lines.h"
#include "reports/paper.h"

namespace locklab {

/// One column for each client, server and the resource, and the same lines as the story's. A bar
/// beside a client shows whether it claims the lock and whether it is inside; a request that was
/// not long under way is an arrow. Never wider than the paper; a legend stands below. Columns that
/// find no room are named below, never dropped in silence.
std::string timeline(const RunView& run, const LineOptions& options, const Paper& paper);

}  // namespace locklab
