// Flags: which flags each verb takes, and what their values may be.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/arguments.h"
#include "cli/verbs.h"

namespace CLI {
class App;
}

namespace locklab::cli {

/// Parsing the app then fills the arguments, which must outlive it; a wrong value throws Failure.
void add_flags(const Verb& verb, CLI::App& app, Arguments& arguments);

}  // namespace locklab::cli
