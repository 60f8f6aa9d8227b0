// Page style: the style sheet of the HTML report.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace locklab {

/// Colours are of the classes that reports/svg_look.cpp gives; contrast with the ground is at least
/// 4.5:1 for text and 3:1 for what is drawn, in light and in dark (WCAG 2.1, 1.4.3 and 1.4.11).
std::string_view page_style();

}  // namespace locklab
