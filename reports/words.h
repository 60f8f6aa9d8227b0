// Words: the plain English for what single records, faults and choices say.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "search/suffixes.h"
#include "sim/choice.h"
#include "sim/history.h"

namespace locklab {

/// "1012.500": milliseconds with three decimals, without the unit.
std::string milliseconds_of(Instant at);
/// "1012.500ms" where three decimals say it, else the exact form of to_string().
std::string length_of(Duration length);

/// "client-1"; of a link "client-1 to redis-1".
std::string actor_name(const History& history, ActorId actor);
/// The process on whose behalf something was done; "" if nobody's.
std::string holder_name(const History& history, HoldId hold);
/// "client-1, hold 3".
std::string hold_name(const History& history, HoldId hold);

/// Of `sent`, `replied`, `timed_out`, `broken` and `refused` records: who is at the other end.
ActorId endpoint_of(const Record& record);

/// "SET lock:order-42 c1.1.1 ... 1000"; what the record does not carry is left out with an
/// ellipsis. `stored` is the value that the command put there, or 0.
std::string command_of(const History& history, const Record& applied, std::uint32_t stored);
/// `OK`, `(nil)`, `1`, `"text"`, `(error) ERR ...`.
std::string reply_of(const History& history, const Record& applied);

/// The amounts of a fault, as its fault_begin record has them.
struct FaultAmounts {
  FaultKind kind = FaultKind::none;
  std::string target;
  std::string peer;  // Links: the other end; empty: unknown.
  Duration length;
  Duration size;
  EndKind end = EndKind::none;  // kill, node-kill, panic: what the victim died of.
};
/// "the link between client-1 and resource slows by 1000ms for 1200ms".
std::string fault_sentence(const FaultAmounts& fault);
/// "blocked in all 20 jittered suffixes"; "" if none was drawn.
std::string suffixes_sentence(const Suffixes& suffixes);
/// "just after the expiry of a key on redis-1", "twice the TTL".
std::string bucket_name(const History& history, Bucket bucket);
/// "client-1 at res.before_send (hold 1): slow, until just after …"; "client-2: delay@link 3".
std::string deviation_sentence(const History& history, const Deviation& deviation);

}  // namespace locklab
