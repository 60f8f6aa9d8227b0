// History: what happened in one execution, as flat records, and the digest that covers them all.
// SPDX-License-Identifier: Apache-2.0
//
// Records are plain 64-byte values in the order of (t, seq). Properties and reports read nothing
// else. Kernel contract, "Three truths, four lanes" and "History and digest".
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/ids.h"
#include "sim/label.h"
#include "sim/outcome.h"
#include "sim/time.h"

namespace locklab {

/// What a record says. The comments name the fields that a kind uses beyond t, seq, cause, actor,
/// label; a field not named is 0. Holds: whose behalf. Times in arg, result, local: record_bits().
enum class EventKind : std::uint8_t {
  none,

  // Client lane, recorded by the harness around the lock.
  op_begin,   // arg: Operation; hold; lock
  op_return,  // arg: Operation; result: Outcome; hold; lock; nonce; fence;
              //   local: valid-until on the own monotonic clock (acquire, renew; never: unchecked)
  section_enter,  // hold; lock: the program goes inside
  section_leave,  // hold; lock; arg: LeaveReason
  claim_end,      // hold; lock: the own deadline passed on the own monotonic clock (a watch)
  told_lost,      // hold; lock: the lock told its holder that it is lost

  // Client side of the network.
  sent,       // arg: connection; result: CommandId or ResourceOp of the request; hold
  replied,    // arg: connection; result: ReplyCode; hold
  timed_out,  // arg: connection; hold: the reply did not come in time; outcome unknown
  broken,     // arg: connection; hold: reset, or end of stream, while a reply was awaited
  refused,    // arg: connection; hold: nobody listens

  // Server lane (owner). `nonce`: the stored value (of a hash, its fields' names); for deleted and
  // ttl records the value found.
  applied,      // actor: node; arg: TextId of the command | TextId of the last argument << 32;
                //   result: reply_code(); nonce: TextId of the reply's text; lock; hold: of the
                //   caller; epoch
  key_set,      // a new incarnation. lock: the key; nonce; hold: of the creator; result: expiry in
                //   unix ms or -1; arg: creator span
  key_deleted,  // lock; nonce; hold: of the caller that deleted or overwrote; arg: span of the
                //   creator of what was there; flags overwritten if a key_set follows
  key_ttl,   // lock; nonce; hold: of the caller; arg: span of the creator; result: new expiry or -1
  key_lost,  // lock; nonce; arg: span of the creator: the node's clock says expired (a watch)
  fence_issued,  // actor: counter or node; hold; fence

  // Replication and failover.
  effect_sent,     // actor: from; arg: to (ActorId); hold
  effect_applied,  // actor: to; hold
  suspected,       // actor: orchestrator; arg: node
  promoted,        // actor: node; epoch: the new one; arg: effects that it never received
  demoted,         // actor: node
  resynced,        // actor: node; arg: from: its data was replaced by another node's
  rediscovered,    // actor: process; arg: node that it now takes for the primary

  // Effect lane.
  resource_op,  // actor: resource; hold; fence; arg: ResourceOp | object << 8; flags: rejected,
                //   would_reject; result: version of the object before the operation;
                //   nonce: sequence number of the operation within its hold

  // What the world did. actor: whom it struck.
  fault_begin,  // arg: FaultValue::pack(); result: length; local: size; label: where it struck;
                //   fence: of a link, the actor at its other end
  fault_end,    // arg: FaultKind
  paused,       // a process or node stops; result: planned length
  resumed,
  stalled,      // one fiber; result: length
  cancelled,    // arg: fiber
  panicked,     // arg: fiber; result: 1 recovered
  killed,       // a process or node; arg: EndKind
  restarted,    // arg: 1 data is gone, of a server all but what key_set records tell next; 0 none
  fiber_began,  // arg: fiber
  fiber_ended,  // arg: fiber
  custom,       // a model's own remark: arg, result

  // Liveness probe.
  probe_begin,     // faults have stopped; result: Δ
  probe_acquired,  // actor: process that got the lock after the faults stopped
  probe_blocked,   // the state repeats; arg: BlockingFact
  run_end,         // arg: EndReason

  // Server lane, last so that older records keep their numbers.
  key_value,  // the incarnation goes on with another value. lock; nonce: the field of a hash, else
              //   empty; result: the value as a number; flags text: its TextId, removed: the field
              //   is gone; hold: of the caller; arg: span of the creator
  count
};

std::string_view name_of(EventKind kind);

/// The nested ones are of a call chain that has the lock; their hold is the outer.
enum class Operation : std::uint8_t {
  none,
  acquire,
  renew,
  release,
  section,
  probe,
  nested_acquire,
  nested_release
};
enum class LeaveReason : std::uint8_t {
  none,
  done,
  lease_over,
  told_lost,
  cancelled,
  panicked,
  killed
};
enum class EndKind : std::uint8_t { none, kill, panic, host_loss, ended };
enum class EndReason : std::uint8_t {
  none,
  finished,       // all programs ended and the probe is done
  repeats,        // the state repeats: blocked
  virtual_limit,  // liveness unknown
  step_limit,     // liveness unknown
  unsupported     // a kill or cancel reached a fiber inside a foreign primitive
};
enum class BlockingFact : std::uint8_t {
  none,
  orphan_key,        // a key without expiry whose creator is gone or does not know that it holds
  live_watchdog,     // a watchdog renews for a worker that has ended
  count_above_zero,  // a reentrant count that its release has left and nobody will take down
  no_quorum,         // too few nodes can answer
  fence_lock_out,    // granted, and the resource refuses the fence of every grant to come
  other
};
enum class ResourceOp : std::uint8_t { none, read, append };

std::string_view name_of(Operation operation);
std::string_view name_of(LeaveReason reason);
std::string_view name_of(EndKind end);
std::string_view name_of(EndReason reason);
std::string_view name_of(BlockingFact fact);
std::string_view name_of(ResourceOp op);

namespace event_flags {
constexpr std::uint16_t kRejected = 1;     // the resource refused the operation
constexpr std::uint16_t kWouldReject = 2;  // ge_rw would have refused it, whatever the mode
constexpr std::uint16_t kOverwritten = 4;  // key_deleted: a key_set of the same key follows
constexpr std::uint16_t kReplica = 8;      // a server record on a node that is not an authority
constexpr std::uint16_t kChecked = 16;     // op_return: the lease has a deadline
constexpr std::uint16_t kByExpiry = 32;    // key_deleted: found expired, or swept
constexpr std::uint16_t kProbe = 64;       // done by the liveness probe
constexpr std::uint16_t kUnknownReply = 128;
constexpr std::uint16_t kResource =
    256;                              // sent, replied, timed_out, broken: the peer is the resource
constexpr std::uint16_t kText = 512;  // key_value: the value is no number
constexpr std::uint16_t kRemoved = 1024;  // key_value: the field is gone
}  // namespace event_flags

/// One event. No padding: the digest reads its bytes.
struct Record {
  std::int64_t t = 0;       // Instant
  std::uint32_t seq = 0;    // dense, from 1
  std::uint32_t cause = 0;  // seq of the record that led to it, or 0
  std::uint16_t actor = 0;
  EventKind kind = EventKind::none;
  Label label = Label::none;
  std::uint16_t lock = 0;  // TextId of the key, truncated
  std::uint16_t flags = 0;
  std::uint32_t hold = 0;
  std::uint32_t nonce = 0;  // TextId
  std::uint32_t fence = 0;
  std::uint32_t epoch = 0;  // of the server
  std::int64_t arg = 0;
  std::int64_t result = 0;
  std::int64_t local = 0;  // LocalInstant

  Instant at() const { return instant_from_bits(t); }
  ActorId who() const { return ActorId{actor}; }
  HoldId hold_id() const { return HoldId{hold}; }
  bool has(std::uint16_t flag) const { return (flags & flag) != 0; }
};
static_assert(sizeof(Record) == 64);

struct ActorInfo {
  std::string name;  // "client-1", "redis-1", "counter", "resource", "orchestrator"
  ActorKind kind = ActorKind::world;
  HostId host;
};

/// Constants of the execution that properties and reports need.
struct RunFacts {
  Duration ttl_max;
  Duration round_trip;
  Duration probe_bound;         // Δ: within it, after faults stop, somebody must acquire
  bool fence_enforced = false;  // the resource's mode looks at fences
  bool fenced = false;          // every lock of the run issues fences
  std::uint32_t quorum = 1;     // how many nodes make an authority
};

/// The rolling digest: h = XXH3-64(record, seed h); the first interning of a string absorbs it.
class Digest {
 public:
  void begin(std::uint32_t format, std::uint32_t model_epoch, std::uint64_t scenario_hash);
  void absorb(const Record& record);
  void absorb(std::string_view text);
  std::uint64_t value() const { return h_; }

 private:
  std::uint64_t h_ = 0;
};

class History {
 public:
  static constexpr std::uint32_t kFormat = 1;
  /// Bumped whenever the same choices may give another history.
  static constexpr std::uint32_t kModelEpoch = 2;
  static constexpr std::uint32_t kCheckpointEvery = 64;  // Records; kept in trace files.

  void begin(std::uint64_t scenario_hash);
  /// Fills in seq, appends, and absorbs the record. → its seq.
  std::uint32_t append(Record record);
  TextId intern(std::string_view text);

  std::span<const Record> records() const { return records_; }
  /// The record with this seq.
  const Record& at(std::uint32_t seq) const { return records_[seq - 1]; }
  std::string_view text(TextId id) const { return texts_[id.value]; }
  std::string_view text(std::uint32_t id) const { return texts_[id]; }
  std::span<const std::uint64_t> checkpoints() const { return checkpoints_; }
  std::uint64_t digest() const { return digest_.value(); }

  /// By ActorId.
  std::vector<ActorInfo> actors;
  RunFacts facts;

 private:
  std::vector<Record> records_;
  std::vector<std::uint64_t> checkpoints_;
  Digest digest_;
  std::vector<std::string> texts_;  // Slots are reused by the next execution.
  std::uint32_t text_count_ = 1;
  std::vector<std::uint32_t> text_slots_;  // Open addressing over XXH3 of the text; 0: free.
};

}  // namespace locklab
