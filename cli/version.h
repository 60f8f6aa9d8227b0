// Version: what must be equal before two digests can be.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace locklab::cli {

/// "locklab 0.1.0, model epoch 1, history format 1".
std::string version_line();

}  // namespace locklab::cli
