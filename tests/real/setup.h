// Setup: what a client process is told when it starts; the words between it and the driver.
// SPDX-License-Identifier: Apache-2.0
//
// Client to driver. A fiber that stands somewhere waits until the driver lets it go on (a gate):
//   at <fiber> <span> begun                   it is new
//   at <fiber> <span> label <Label>           a labelled point is reached
//   at <fiber> <span> sleep <deadline>        nothing to do before that reading of its clock
//   at <fiber> <span> await                   replies are awaited
//   at <fiber> <span> sent <Label> <server> <code> <title> <hold> <deadline>
//                                             about to write a request; its clock then gives up
//   at <fiber> <span> record <kind> <flags> <hold> <fence> <arg> <result> <local> <lock> <nonce>
//   at <fiber> <span> ended                   its body has returned
// Client to driver, which answers with value <n>:
//   choose <span> <actor> <kind>
// Client to driver, without an answer:
//   ready <fiber>                             what it slept or waited for has come
//   watch <hold> <lock> <until> · unwatch
//   progress <operations> {<rounds> <attempts>}…     what survives a restart
// Driver to client:
//   go <fiber> <monotonic> <wall>             behind the gate, at that reading of its clocks
//   send <fiber> <connection> <monotonic> <wall>     write the request; a new number: connect first
//   primary <actor>
//   strike <fiber> cancel|panic recovered|…   answered by: struck
//   outcome <connection> replied|timed_out|broken|refused    answered by: outcome <connection>
//   <bytes>
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/real/resp.h"

namespace locklab::real {

/// How a process ends after a panic that nobody recovers.
constexpr int kPanicked = 2;

/// One lock that a client uses. A probe has one after the other.
struct SeatSetup {
  std::string algorithm;
  std::string key;
  std::int64_t ttl = 0;
  std::int64_t margin = 0;
  std::int64_t timeout = 0;
  std::int64_t retries = 0;
  std::int64_t pool = 0;  // A TimeoutPolicy.

  bool operator==(const SeatSetup&) const = default;
};

/// Times in nanoseconds, actors by ActorId.
struct ClientSetup {
  std::int64_t probes = 0;  // 1: it is the liveness probe.
  std::int64_t actor = 0;
  std::int64_t fiber = 0;
  // What survives a restart.
  std::int64_t operations = 0;
  std::vector<std::int64_t> progress;  // Of each call chain: rounds done, attempts made.
  // The workload.
  std::int64_t rounds = 0;
  std::int64_t attempts = 0;
  std::int64_t work = 0;
  std::int64_t think = 0;
  std::int64_t poll = 0;
  std::int64_t effects = 0;
  std::int64_t resource_timeout = 0;
  std::int64_t read_only = 0;
  std::int64_t unlock = 0;
  std::int64_t nested = 0;
  std::int64_t nested_ttl = 0;
  std::int64_t nested_effects = 0;
  std::int64_t chains = 1;
  std::int64_t objects = 0;
  // The fences that the resource lets in when the probe begins: it takes no other for a grant.
  std::int64_t fence_least = 0;
  std::int64_t fence_most = 0;
  // The servers.
  std::int64_t orchestrated = 0;
  std::int64_t primary = 0;
  std::int64_t resource = 0;
  std::int64_t counter = 0;
  std::vector<std::int64_t> nodes;
  std::vector<std::int64_t> ports;  // By ActorId; 0: no server.
  std::vector<SeatSetup> seats;

  Words words() const;
  static ClientSetup of(const Words& words);
  bool operator==(const ClientSetup&) const = default;
};

}  // namespace locklab::real
