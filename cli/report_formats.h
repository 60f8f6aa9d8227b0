// Report formats: what --report may name.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "cli/arguments.h"

namespace locklab::cli {

/// "html", "junit", "html,junit"; junit only of a search. Throws Failure (kUsage).
void read_report_formats(std::string_view text, bool search, ReportWish& wish);

}  // namespace locklab::cli
