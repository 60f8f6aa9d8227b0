// Figures: how small the shrinker gets, as text for docs/shrinking.md.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace locklab::testing {

/// The table and the totals; takes minutes.
std::string shrinking_figures();

}  // namespace locklab::testing
