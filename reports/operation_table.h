// Operation table: operations of a black-box history, a line each, with their time drawn beside.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "properties/linearizability/failing_part.h"
#include "properties/linearizability/logs.h"
#include "reports/paper.h"

namespace locklab {

/// "write 3 = ok", "read = 3", "acquire = fence 7"; not made safe for a terminal.
std::string operation_text(const linearizability::Operation& operation,
                           const linearizability::Names& names);

/// The part of one object of the log; `lines`: of its operations, from 1. Time is the order of the
/// events alone. Ends with a newline.
std::string operation_table(const linearizability::Part& part,
                            const std::vector<std::uint32_t>& lines,
                            const linearizability::Names& names, const Paper& paper);

}  // namespace locklab
