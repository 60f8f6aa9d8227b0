// Parent: a process that a test has started ends with it, however the test ends.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <csignal>
#include <cstdlib>
#include <string>
#include <sys/prctl.h>
#include <unistd.h>

namespace locklab::real {

/// In the environment of such a process: who has started it.
constexpr const char* kParentName = "LOCKLAB_PARENT";

inline std::string parent_for_children() {
  return std::string(kParentName) + "=" + std::to_string(getpid());
}

/// At the very begin. The signal comes only if the parent ends later than this is called: whoever
/// has another parent by then ends itself.
inline void end_with_parent() {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  // NOLINTNEXTLINE(concurrency-mt-unsafe): there is one thread yet.
  const char* const parent = std::getenv(kParentName);
  if (parent != nullptr && std::to_string(getppid()) != parent) _exit(1);
}

}  // namespace locklab::real
