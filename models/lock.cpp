// The catalogue of locks, by name.
// SPDX-License-Identifier: Apache-2.0
#include "models/lock.h"

namespace locklab {

const LockInfo* find_lock(std::string_view name) {
  static const std::vector<LockInfo> locks = all_locks();
  for (const LockInfo& info : locks) {
    if (info.name == name) return &info;
  }
  return nullptr;
}

}  // namespace locklab
