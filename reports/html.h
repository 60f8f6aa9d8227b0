// HTML: one judged execution as one page that needs nothing else: no script, no network, no server.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "reports/run_view.h"

namespace locklab {

struct HtmlOptions {
  std::size_t story_lines = 40;
  std::size_t drawn = 2000;   // Things in the drawing.
  std::size_t events = 2000;  // Rows of the list of all events. What is left out is said.
};

/// Well-formed, the same bytes on every machine. Light or dark as the reader's system is.
std::string html_page(const RunView& run, const HtmlOptions& options = {});

}  // namespace locklab
