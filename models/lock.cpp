// The catalogue of locks, by name.
// SPDX-License-Identifier: Apache-2.0
#include "models/lock.h"

namespace locklab {

const LockInfo* find_lock(std::string_view name) {
  static const std::vector<LockInfo> kLocks = all_locks();
  for (const LockInfo& info : kLocks) {
    if (info.name == name) return &info;
  }
  return nullptr;
}

}  // namespace locklab
