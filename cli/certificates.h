// Certificates: what the verbs that read or make them share.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/exit_code.h"
#include "search/certificate.h"

namespace locklab::cli {

ExitCode code_of(const Certificate& certificate);

/// Throws Failure (kNoInput, kBadData).
Certificate certificate_in(const std::string& path);

}  // namespace locklab::cli
