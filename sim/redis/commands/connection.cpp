// Commands that act on a connection or on the whole server: arity and flags, for whoever runs them.
// SPDX-License-Identifier: Apache-2.0
//
// The engine has no connection. These rows let refusal() and scripts judge them as Redis does
// (redis/src/server.c processCommand).
#include <array>

#include "sim/redis/commands/families.h"

namespace locklab::redis {
namespace {

constexpr std::uint32_t kAlways = kNoScript | kLoading | kStale;
constexpr std::uint32_t kTransaction = kAlways | kAllowBusy;
constexpr std::uint32_t kHandshake = kTransaction | kNoAuth;

constexpr std::array kRows = {
    CommandSpec{"multi", 1, kTransaction},
    CommandSpec{"exec", 1, kAlways},
    CommandSpec{"discard", 1, kTransaction},
    CommandSpec{"watch", -2, kTransaction},
    CommandSpec{"unwatch", 1, kTransaction},
    CommandSpec{"publish", 3, kLoading | kStale | kMayReplicate},
    CommandSpec{"subscribe", -2, kAlways},
    CommandSpec{"unsubscribe", -1, kAlways},
    CommandSpec{"psubscribe", -2, kAlways},
    CommandSpec{"punsubscribe", -1, kAlways},
    CommandSpec{"ssubscribe", -2, kAlways},
    CommandSpec{"sunsubscribe", -1, kAlways},
    CommandSpec{"blpop", -3, kWrite | kNoScript},
    CommandSpec{"brpop", -3, kWrite | kNoScript},
    CommandSpec{"wait", 3, kNoScript},
    CommandSpec{"select", 2, kLoading | kStale},
    CommandSpec{"auth", -2, kHandshake},
    CommandSpec{"hello", -1, kHandshake},
    CommandSpec{"quit", -1, kHandshake},
    CommandSpec{"reset", 1, kHandshake},
    CommandSpec{"client", -2, kContainer | kNoScript},
    CommandSpec{"client|id", 2, kAlways},
    CommandSpec{"client|getname", 2, kAlways},
    CommandSpec{"client|setname", 3, kAlways},
    CommandSpec{"client|info", 2, kAlways},
    CommandSpec{"client|list", -2, kAlways},
    CommandSpec{"client|kill", -3, kAlways},
    CommandSpec{"client|pause", -3, kAlways},
    CommandSpec{"client|unpause", 2, kAlways},
    CommandSpec{"client|reply", 3, kAlways},
    CommandSpec{"client|tracking", -3, kAlways},
    CommandSpec{"config", -2, kContainer | kNoScript},
    CommandSpec{"config|get", -3, kAlways},
    CommandSpec{"config|set", -4, kAlways},
    CommandSpec{"config|resetstat", 2, kAlways},
    CommandSpec{"info", -1, kLoading | kStale},
    CommandSpec{"command", -1, kLoading | kStale},
    CommandSpec{"debug", -2, kAlways},
    CommandSpec{"replicaof", 3, kNoScript | kStale},
    CommandSpec{"slaveof", 3, kNoScript | kStale},
    CommandSpec{"failover", -1, kNoScript | kStale},
    CommandSpec{"shutdown", -1, kAlways | kNoMulti | kAllowBusy},
    CommandSpec{"psync", -3, kNoScript | kNoMulti},
    CommandSpec{"sync", 1, kNoScript | kNoMulti},
    CommandSpec{"replconf", -1, kTransaction},
};

}  // namespace

std::span<const CommandSpec> connection_commands() {
  return kRows;
}

}  // namespace locklab::redis
