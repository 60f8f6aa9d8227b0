// WAIT: what it asks for, and its errors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "sim/redis/engine.h"

namespace locklab::redis {

constexpr Reply kUnblocked = Reply::error(
    "UNBLOCKED force unblock from blocking operation, instance state changed (master -> replica?)");

struct WaitRequest {
  std::int64_t replicas = 0;
  std::int64_t timeout_ms = 0;  // 0: for ever.
  std::optional<Reply> error;
};

inline bool is_wait(Command argv) {
  return argv[0].size() == 4 && equals_ignoring_case(argv[0], "WAIT");
}

/// Of a WAIT that refusal() lets pass (redis/src/replication.c waitCommand).
WaitRequest parse_wait(Command argv, Role role);

}  // namespace locklab::redis
