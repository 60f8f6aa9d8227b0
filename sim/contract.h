// Contracts: a programmer's error stops the run at once, in every build.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>

namespace locklab {

/// Thrown by SIM_ASSERT and SIM_UNREACHABLE; what() is "file:line: expression". It marks a bug in
/// locklab or in a lock under test, never a verdict. Nothing but the outermost driver catches it.
class ContractFailure : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

[[noreturn]] void contract_failed(const char* file, int line, const char* expression);

}  // namespace locklab

#define SIM_ASSERT(condition) \
  ((condition) ? static_cast<void>(0) : ::locklab::contract_failed(__FILE__, __LINE__, #condition))
#define SIM_UNREACHABLE(reason) ::locklab::contract_failed(__FILE__, __LINE__, reason)
