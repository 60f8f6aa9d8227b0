// Failure: what ends a verb early: one line for the user, and the exit code.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>

#include "cli/exit_code.h"

namespace locklab::cli {

/// Thrown by the verbs' helpers and caught in main() alone. what() has no newline at its end, and
/// is empty when all has been said.
class Failure : public std::runtime_error {
 public:
  Failure(ExitCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
  ExitCode code() const { return code_; }

 private:
  ExitCode code_;
};

}  // namespace locklab::cli
