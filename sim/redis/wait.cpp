// WAIT: its arguments, judged in the order of Redis.
// SPDX-License-Identifier: Apache-2.0
#include "sim/redis/wait.h"

#include "sim/redis/call.h"

namespace locklab::redis {
namespace {

constexpr Reply kOnReplica = Reply::error(
    "ERR WAIT cannot be used with replica instances. Please also note that since Redis 4.0 if a "
    "replica is configured to be writable (which is not the default) writes to replicas are just "
    "local and are not propagated.");

}  // namespace

WaitRequest parse_wait(Command argv, Role role) {
  if (role == Role::replica) return {.error = kOnReplica};
  const std::optional<std::int64_t> replicas = parse_integer(argv[1]);
  if (!replicas) return {.error = errors::kNotInteger};
  const std::optional<std::int64_t> timeout = parse_integer(argv[2]);
  if (!timeout) return {.error = Reply::error("ERR timeout is not an integer or out of range")};
  if (*timeout < 0) return {.error = Reply::error("ERR timeout is negative")};
  return {*replicas, *timeout, std::nullopt};
}

}  // namespace locklab::redis
