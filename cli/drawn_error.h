// Drawn error: a mistake in a file or a flag, with its line and a caret, as wide as the terminal.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "reports/paper.h"
#include "scenarios/diagnostic.h"

namespace locklab::cli {

/// Of an error that has a place. Nothing is wider than the paper: the excerpt is a window around
/// the caret, and the hint stands behind it or, if it has no room there, below.
std::string drawn(const Diagnostic& error, const Paper& paper);

}  // namespace locklab::cli
