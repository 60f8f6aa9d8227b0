// Workload: what every client does: rounds of acquire, enter, read and append, leave, release.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <memory>

#include "scenarios/harness.h"

namespace locklab {

/// What survives a restart of one call chain of a program.
struct ChainProgress {
  std::uint32_t rounds_done = 0;
  std::uint32_t attempts = 0;
};

/// One client's program and what survives its restarts.
struct ClientProgram {
  static constexpr std::size_t kChainsMax = 8;
  const WorkloadConfig* workload = nullptr;
  const ClientConfig* config = nullptr;
  std::uint32_t objects = 1;
  Stage* stage = nullptr;
  Process* process = nullptr;
  Lock* lock = nullptr;
  bool renews = false;       // LockInfo::renews.
  std::uint32_t quorum = 1;  // Of how many nodes a grant needs; 1: of the primary alone.
  std::array<ChainProgress, kChainsMax> chains;
  std::uint32_t chains_alive = 0;
};

/// Runs on a fiber of the program's process, from the beginning at each restart.
void run_client(ClientProgram& program);

}  // namespace locklab
