// distance [LOCK...]: prints the tables of docs/fault-distance.md; of all locks, if none is named.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>
#include <string_view>
#include <thread>

#include "tests/distance/table.h"

int main(int argc, char** argv) {
  using namespace locklab;
  std::vector<LockInfo> locks;
  for (const std::string_view name : std::vector<std::string_view>(argv + 1, argv + argc)) {
    const LockInfo* const lock = find_lock(name);
    if (lock == nullptr) {
      std::fprintf(stderr, "there is no lock named %.*s\n", static_cast<int>(name.size()),
                   name.data());
      return 64;
    }
    locks.push_back(*lock);
  }
  if (locks.empty()) locks = all_locks();
  const unsigned jobs = std::max(1U, std::thread::hardware_concurrency());
  std::fputs(testing_distance::tables_of(testing_distance::measure(locks, {}, jobs)).c_str(),
             stdout);
  return 0;
}
