// SVG look: the shapes, hatches and colours of a chart, and what each one means in words.
// SPDX-License-Identifier: Apache-2.0
//
// Each look is a class, for the page's style sheet (light and dark), and presentation attributes,
// for readers that get no style sheet. A hatch, a border or a shape tells what a colour tells.
#pragma once

#include <string_view>
#include <vector>

#include "reports/chart.h"
#include "reports/markup.h"

namespace locklab {

/// Opens the group of all bars that look like this one; to be closed by the caller.
void open_look(Markup& out, Fill fill, std::uint16_t whose);
void open_look(Markup& out, Sign sign, std::uint16_t whose);
/// Is drawn over other bars.
bool is_overlay(Fill fill);
/// The id of a sign's shape, with '#'; "" of a mere label.
std::string_view shape_of(Sign sign);

/// Hatches and shapes; once in a document.
void define_looks(Markup& out);

/// One entry for each look that the chart has: a swatch and its meaning.
void draw_legend(Markup& out, const Chart& chart);

}  // namespace locklab
