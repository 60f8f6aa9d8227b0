// Help: the texts of -h, of one verb and of the program.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/verbs.h"

namespace CLI {
class App;
}

namespace locklab::cli {

/// Of a verb, whose flags have been added to the app.
std::string help_of(const Verb& verb, const CLI::App& app);
std::string general_help();

}  // namespace locklab::cli
