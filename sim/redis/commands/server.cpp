// Commands that read the server rather than keys: PING, ECHO, TIME, ROLE.
// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "sim/redis/call.h"
#include "sim/redis/commands/families.h"

namespace locklab::redis {
namespace {

Reply ping(Call& call) {
  if (call.size() == 1) return Reply::status("PONG");
  if (call.size() == 2) return call.bulk(call.argument(1));
  return Reply::error("ERR wrong number of arguments for 'ping' command");
}

Reply echo(Call& call) {
  return call.bulk(call.argument(1));
}

Reply time(Call& call) {
  constexpr std::int64_t kPerSecond = 1'000'000;
  const std::int64_t us = unix_microseconds(call.context().now);
  const std::span<Reply> parts = call.arena().make_array<Reply>(2);
  parts[0] = Reply::bulk(format_integer(us / kPerSecond, call.arena()));
  parts[1] = Reply::bulk(format_integer(us % kPerSecond, call.arena()));
  return Reply::array(parts);
}

Reply role_of_primary(Call& call, const ReplicationInfo& info) {
  const std::span<Reply> replicas = call.arena().make_array<Reply>(info.replicas.size());
  for (std::size_t i = 0; i < replicas.size(); ++i) {
    const ReplicaInfo& replica = info.replicas[i];
    const std::span<Reply> fields = call.arena().make_array<Reply>(3);
    fields[0] = call.bulk(replica.host);
    fields[1] = Reply::bulk(format_integer(replica.port, call.arena()));
    fields[2] = Reply::bulk(format_integer(replica.acknowledged_offset, call.arena()));
    replicas[i] = Reply::array(fields);
  }
  const std::span<Reply> parts = call.arena().make_array<Reply>(3);
  parts[0] = Reply::bulk("master");
  parts[1] = Reply::integer(info.offset);
  parts[2] = Reply::array(replicas);
  return Reply::array(parts);
}

Reply role_of_replica(Call& call, const ReplicationInfo& info) {
  const std::span<Reply> parts = call.arena().make_array<Reply>(5);
  parts[0] = Reply::bulk("slave");
  parts[1] = call.bulk(info.primary_host);
  parts[2] = Reply::integer(info.primary_port);
  parts[3] = call.bulk(info.link_state);
  parts[4] = Reply::integer(info.offset);
  return Reply::array(parts);
}

Reply role(Call& call) {
  static constexpr ReplicationInfo kAlone{};
  const ReplicationInfo* given = call.context().replication;
  const ReplicationInfo& info = given == nullptr ? kAlone : *given;
  return call.context().role == Role::primary ? role_of_primary(call, info)
                                              : role_of_replica(call, info);
}

constexpr std::uint32_t kAlways = kLoading | kStale;

constexpr std::array kRows = {
    CommandSpec{"ping", -1, 0, ping},
    CommandSpec{"echo", 2, kAlways, echo},
    CommandSpec{"time", 1, kAlways, time},
    CommandSpec{"role", 1, kNoScript | kAlways, role},
};

}  // namespace

std::span<const CommandSpec> server_commands() {
  return kRows;
}

}  // namespace locklab::redis
