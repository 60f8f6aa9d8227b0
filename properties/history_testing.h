// HistoryBuilder: histories by hand, appended as the harness and the servers would.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/history.h"
#include "sim/time.h"

namespace locklab::testing {

inline constexpr std::string_view kLock = "lock:order-42";
inline constexpr std::string_view kOtherLock = "lock:order-43";

/// The cast of every built history.
inline constexpr ActorId kClient1{1};
inline constexpr ActorId kClient2{2};
inline constexpr ActorId kClient3{3};
inline constexpr ActorId kRedis1{4};
inline constexpr ActorId kRedis2{5};
inline constexpr ActorId kRedis3{6};
inline constexpr ActorId kResource{7};

struct Grant {
  std::uint32_t fence = 0;
  bool checked = false;
  std::uint16_t flags = 0;
  bool named = true;  // The answer names a nonce.
};

/// Where a key record happens, and what it says of the key.
struct KeyAt {
  ActorId node = kRedis1;
  std::int64_t expiry = 1'700'000'001'000;  // Unix ms, or -1.
  std::uint16_t attempt = 1;                // Of the creator.
  std::uint16_t flags = 0;
  std::string_view key = kLock;
  bool named = false;  // Its value is the nonce of its creator's answer.
};
inline constexpr std::int64_t kNoExpiry = -1;

/// Records in the order of the calls, at the time of the last at(). Everything but begin() and
/// grant() returns the seq of the record that it appends.
class HistoryBuilder {
 public:
  HistoryBuilder();

  HistoryBuilder& at(Duration since_start);
  HistoryBuilder& quorum(std::uint32_t nodes);

  /// An acquire begins; the hold that it asks for.
  HoldId begin(ActorId client, std::string_view lock = kLock, std::uint16_t flags = 0);
  /// An acquire that is granted at once.
  HoldId grant(ActorId client, Grant how = {}, std::string_view lock = kLock);
  std::uint32_t granted(HoldId hold, Grant how = {});
  /// Begun at 10 ms, stored at 15 ms (record 2 of a fresh history), granted at 20 ms (record 3).
  HoldId grant_stored(ActorId client = kClient1, Grant how = {});
  std::uint32_t refused(HoldId hold);
  std::uint32_t unknown(HoldId hold);
  std::uint32_t release(HoldId hold);
  std::uint32_t released(HoldId hold, Outcome outcome = Outcome::released);
  /// A call chain that has the lock asks for it again, and gives that back.
  std::uint32_t again(HoldId hold);
  std::uint32_t granted_again(HoldId hold, Outcome outcome = Outcome::acquired);
  std::uint32_t release_again(HoldId hold);
  std::uint32_t released_again(HoldId hold, Outcome outcome = Outcome::released);
  std::uint32_t renew(HoldId hold);
  std::uint32_t renewed(HoldId hold, Outcome outcome = Outcome::renewed, std::uint16_t flags = 0);
  std::uint32_t enter(HoldId hold);
  std::uint32_t leave(HoldId hold, LeaveReason reason = LeaveReason::done);
  std::uint32_t claim_end(HoldId hold);
  std::uint32_t told_lost(HoldId hold);

  /// To a server, and to the resource.
  std::uint32_t send(HoldId hold);
  std::uint32_t send_to(HoldId hold, ActorId server);
  std::uint32_t send_effect(HoldId hold, ResourceOp op = ResourceOp::append);
  std::uint32_t applied(HoldId hold, ActorId node = kRedis1);
  std::uint32_t replied(HoldId hold);
  std::uint32_t timed_out(HoldId hold);

  /// At the resource; versions and sequence numbers are kept, unless given.
  std::uint32_t read(HoldId hold, std::uint32_t object = 0);
  std::uint32_t append(HoldId hold, std::uint32_t object = 0);
  std::uint32_t append_again(HoldId hold, std::uint32_t sequence, std::uint32_t object = 0);
  std::uint32_t rejected(HoldId hold, ResourceOp op = ResourceOp::append, std::uint32_t object = 0);

  std::uint32_t key_set(HoldId creator, KeyAt where = {});
  std::uint32_t key_deleted(HoldId by, HoldId creator, KeyAt where = {});
  std::uint32_t key_ttl(HoldId by, HoldId creator, KeyAt where = {});
  std::uint32_t key_value(HoldId by, HoldId creator, KeyAt where = {});
  /// A key_value: the count of the identity that `whose` was granted under.
  std::uint32_t key_count(HoldId by, HoldId whose, std::int64_t count, KeyAt where = {});
  std::uint32_t key_lost(HoldId creator, KeyAt where = {});

  std::uint32_t kill(ActorId actor, EndKind how = EndKind::kill);
  std::uint32_t panic(ActorId client, bool recovered, std::int64_t fiber = 0);
  std::uint32_t fiber_began(ActorId client, std::int64_t fiber, HoldId on_behalf_of = {});
  std::uint32_t fiber_ended(ActorId client, std::int64_t fiber);
  std::uint32_t paused(ActorId actor);
  std::uint32_t resumed(ActorId actor);
  std::uint32_t struck(ActorId actor, Label where);
  std::uint32_t promoted(ActorId node);
  std::uint32_t demoted(ActorId node);
  std::uint32_t resynced(ActorId node, ActorId from);
  std::uint32_t rediscovered(ActorId client, ActorId node);
  std::uint32_t restarted(ActorId node, bool data_gone);

  std::uint32_t probe_begin(Duration bound);
  std::uint32_t probe_acquired(ActorId client);
  std::uint32_t probe_blocked(BlockingFact fact);
  std::uint32_t run_end(EndReason reason);

  /// Appends it with the time set.
  std::uint32_t add(Record record);
  const History& history() const { return history_; }

 private:
  Record of(EventKind kind, HoldId hold);
  Record of_message(EventKind kind, HoldId hold);
  std::uint32_t on_actor(EventKind kind, ActorId actor, std::int64_t arg = 0,
                         std::int64_t result = 0);
  std::uint32_t on_operation(EventKind kind, HoldId hold, Operation operation, Outcome outcome);
  std::uint32_t nonce_of(HoldId hold);
  Record of_key(EventKind kind, HoldId by, HoldId creator, const KeyAt& where);
  std::uint32_t on_key(EventKind kind, HoldId by, HoldId creator, const KeyAt& where);
  std::uint32_t on_resource(HoldId hold, ResourceOp op, std::uint32_t object,
                            std::uint32_t sequence, std::uint16_t flags);

  History history_;
  Instant now_;
  std::uint32_t operations_[8] = {};  // By client.
  std::int64_t versions_[4] = {};     // By object.
  std::vector<std::pair<HoldId, std::uint32_t>> sequences_;
  std::vector<std::pair<HoldId, std::uint16_t>> locks_;
};

}  // namespace locklab::testing
