// Contracts: the one way in which they fail.
// SPDX-License-Identifier: Apache-2.0
#include "sim/contract.h"

#include <string>
#include <string_view>

namespace locklab {

void contract_failed(const char* file, int line, const char* expression) {
  std::string_view path = file;
  const std::size_t slash = path.rfind('/');
  if (slash != std::string_view::npos) path.remove_prefix(slash + 1);
  throw ContractFailure(std::string(path) + ":" + std::to_string(line) + ": " + expression);
}

}  // namespace locklab
