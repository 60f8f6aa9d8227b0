// Choices: the one door through which nondeterminism enters an execution.
// SPDX-License-Identifier: Apache-2.0
//
// choose(kind, bound) → [0, bound), and 0 is always benign: all zeros is the calm run. A choice has
// an address that depends on its cause, not on what others did, so that deleting one deviation
// leaves the others in place. Kernel contract, "Choices".
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "sim/fault_kind.h"
#include "sim/ids.h"
#include "sim/label.h"
#include "sim/time.h"

namespace locklab {

/// Kinds, with the meaning of 0.
enum class ChoiceKind : std::uint8_t {
  defer,               // run the due event now; v: after the next v events due at that instant
  delay_at_link,       // base latency
  hold_at_fiber,       // run when woken
  fault_at_label,      // no fault; else FaultValue::pack()
  survive_at_link,     // every byte survives a reset; v: the last v messages are lost
  wake_order,          // data, then timers, then fibers
  reply_vs_deadline,   // the reply wins
  detect,              // minimum detection delay
  promote,             // the most advanced replica
  rediscover,          // at once
  fsync_loss,          // nothing lost
  retry_jitter,        // no jitter
  start_phase,         // the base start     (free dimension)
  poll_phase,          // the base interval  (free dimension)
  work,                // the base work time (free dimension)
  expire_tick,         // at the next tick
  duplicate_at_queue,  // delivered once; v: once more, v bounds of delay later
  count
};

/// "delay@link", "fault@label", "reply-vs-deadline", …
std::string_view name_of(ChoiceKind kind);

/// Stored in tokens, but not counted among deviations.
constexpr bool is_free_dimension(ChoiceKind kind) {
  return kind == ChoiceKind::start_phase || kind == ChoiceKind::poll_phase ||
         kind == ChoiceKind::work;
}

/// In the address of a `defer` stands what was due instead of a label: kDue + its EventType.
constexpr unsigned kDue = 64;
constexpr unsigned kDueCount = 16;
/// What an address of that kind may have in its label's place.
constexpr bool can_stand_in(ChoiceKind kind, unsigned place) {
  if (kind == ChoiceKind::defer) return place >= kDue && place < kDue + kDueCount;
  return place < static_cast<unsigned>(Label::count);
}
static_assert(static_cast<unsigned>(Label::count) <= kDue);

/// (span, actor, kind, label, n); n counts from 1 the visits of the tuple, drawn or not.
struct Address {
  std::uint64_t span = 0;
  std::uint64_t place = 0;  // actor 16 | kind 8 | label 8 | n 32

  static constexpr Address of(Span span, ActorId actor, ChoiceKind kind, Label label,
                              std::uint32_t n) {
    return {span.bits, static_cast<std::uint64_t>(actor.value) << 48 |
                           static_cast<std::uint64_t>(kind) << 40 |
                           static_cast<std::uint64_t>(label) << 32 | n};
  }
  constexpr Span cause() const { return Span{span}; }
  constexpr ActorId actor() const { return ActorId{static_cast<std::uint16_t>(place >> 48)}; }
  constexpr ChoiceKind kind() const {
    return static_cast<ChoiceKind>(static_cast<std::uint8_t>(place >> 40));
  }
  constexpr Label label() const {
    return static_cast<Label>(static_cast<std::uint8_t>(place >> 32));
  }
  constexpr std::uint32_t n() const { return static_cast<std::uint32_t>(place); }
  friend constexpr auto operator<=>(const Address&, const Address&) = default;
};

/// What the choice leaned on: peer, command or event kind, identity of a deadline; mixed to 32
/// bits.
struct Witness {
  std::uint32_t bits = 0;
  friend constexpr auto operator<=>(Witness, Witness) = default;
};
/// Matches whatever is met: for deviations that a person or the shrinker wrote.
constexpr Witness kAnyWitness{0};
Witness witness_of(std::uint64_t peer, std::uint64_t what, std::uint64_t deadline = 0);

/// A choice that is not the default.
struct Deviation {
  Address address;
  std::uint64_t value = 0;
  Witness witness;
  friend constexpr auto operator<=>(const Deviation&, const Deviation&) = default;
};

// --- Faults as values ---------------------------------------------------------------------------

/// Pending deadlines that a duration can lean on.
enum class DeadlineKind : std::uint8_t {
  none,
  key_expiry,   // a stored key reaches its expiry on its node's wall clock
  claim_end,    // a client's own deadline passes on its monotonic clock
  rpc_timeout,  // a client gives up on a reply
  sleep,        // a fiber wakes from a sleep (work, retry, think)
  tick,         // a ticker fires
  detect,       // the orchestrator suspects a node
  restart,      // a process or node comes back
  fault_end,    // a fault heals
  count
};

/// A duration's name: a constant of the scenario, or just before / just after a pending deadline
/// named by (kind, owner, ordinal among that owner's pending deadlines of that kind, soonest 0).
struct Bucket {
  std::uint16_t bits = 0;

  enum Constant : std::uint16_t {
    round_trip,
    third_of_ttl,
    ttl_less_margin,
    ttl,
    ttl_plus_one_ms,
    twice_ttl,
    constant_count
  };
  enum class Side : std::uint8_t { before, after };

  static constexpr Bucket constant(Constant c) { return Bucket{c}; }
  static constexpr Bucket at(DeadlineKind kind, ActorId owner, unsigned ordinal, Side side) {
    return Bucket{static_cast<std::uint16_t>(0x8000U | (static_cast<unsigned>(side) << 14) |
                                             (static_cast<unsigned>(kind) << 10) |
                                             (owner.value & 0x3fU) << 4 | (ordinal & 0xfU))};
  }
  constexpr bool is_deadline() const { return (bits & 0x8000U) != 0; }
  constexpr Side side() const { return static_cast<Side>(bits >> 14 & 1U); }
  constexpr DeadlineKind deadline() const { return static_cast<DeadlineKind>(bits >> 10 & 0xfU); }
  constexpr ActorId owner() const { return ActorId{static_cast<std::uint16_t>(bits >> 4 & 0x3fU)}; }
  constexpr unsigned ordinal() const { return bits & 0xfU; }
  friend constexpr auto operator<=>(Bucket, Bucket) = default;
};

/// One fault as one value: begin is the point it strikes at, length and size are its fields.
struct FaultValue {
  FaultKind kind = FaultKind::none;
  /// 0: the natural target of the kind at that point; v: the v-th actor of the right sort, in order
  /// of creation. Clamped to the last one.
  std::uint8_t target = 0;
  Bucket length;
  /// 0..63, in eighths of a round trip: away from the deadline, or added to the constant.
  std::uint8_t fine = 0;
  /// Kind-specific size: sign and bucket of a jump, ppb step of a rate, "never restarts", …
  std::uint16_t second = 0;

  constexpr std::uint64_t pack() const {
    return static_cast<std::uint64_t>(kind) | static_cast<std::uint64_t>(target) << 8 |
           static_cast<std::uint64_t>(length.bits) << 16 | static_cast<std::uint64_t>(fine) << 32 |
           static_cast<std::uint64_t>(second) << 40;
  }
  static constexpr FaultValue unpack(std::uint64_t bits) {
    return {static_cast<FaultKind>(static_cast<std::uint8_t>(bits)),
            static_cast<std::uint8_t>(bits >> 8), Bucket{static_cast<std::uint16_t>(bits >> 16)},
            static_cast<std::uint8_t>(bits >> 32), static_cast<std::uint16_t>(bits >> 40)};
  }
  friend constexpr bool operator==(const FaultValue&, const FaultValue&) = default;
};

/// A pending deadline, as a fault's length may name it.
struct PendingDeadline {
  DeadlineKind kind = DeadlineKind::none;
  ActorId owner;
  unsigned ordinal = 0;
  Instant due;
  Span armed_by;
};

/// What a source may draw from at one fault point; computed only when asked.
class FaultMenu {
 public:
  virtual ~FaultMenu() = default;
  virtual FaultKinds allowed() const = 0;
  /// Ordered by (kind, owner, ordinal). Valid until the next call.
  virtual std::span<const PendingDeadline> deadlines() const = 0;
  /// How many actors of the right sort `target` can name for this kind, the natural one included.
  virtual unsigned target_count(FaultKind kind) const = 0;
  /// How many numbers `second` can take for this kind.
  virtual unsigned second_count(FaultKind kind) const = 0;
  /// What that value leans on at this point: peer, command, and the deadline that its length names.
  virtual Witness witness_of_value(std::uint64_t value) const = 0;
};

// --- Sources ------------------------------------------------------------------------------------

/// Where values come from. zeros, seeded and replay live in sim/; other strategies in search/.
class ChoiceSource {
 public:
  virtual ~ChoiceSource() = default;
  /// Called once at the start of each execution.
  virtual void begin() = 0;
  /// → [0, bound); values beyond are clamped by the caller, never wrapped.
  virtual std::uint64_t draw(const Address& address, std::uint64_t bound, Witness witness) = 0;
  /// → FaultValue::pack(), or 0.
  virtual std::uint64_t draw_fault(const Address& address, const FaultMenu& menu) = 0;
};

/// Counts the visits of each (span, actor, kind, label). reset() writes nothing, but for one time
/// in 255.
class VisitCounter {
 public:
  VisitCounter();
  void reset();
  /// The number of this visit, from 1. `place` is an Address's without its n.
  std::uint32_t visit(std::uint64_t span, std::uint64_t place);

 private:
  // Asked several times in each dispatch, at places all over the table: what counts is how many
  // slots fit into the processor's caches.
  struct Slot {
    std::uint64_t span = 0;
    std::uint32_t place = 0;             // actor 16 | kind 8 | label 8
    std::uint32_t generation_count = 0;  // generation 8 | count 24
  };
  static constexpr unsigned kCountBits = 24;
  bool is_free(const Slot& slot) const {
    return slot.generation_count >> kCountBits != generation_;
  }
  void grow();
  std::vector<Slot> slots_;
  std::size_t used_ = 0;
  std::uint32_t generation_ = 1;
};

/// The door. Records every deviation that was taken, in order of time.
class Choices {
 public:
  void begin(ChoiceSource& source);
  /// From now on every choice is the benign one, and none is drawn.
  void settle() { settled_ = true; }
  /// Takes it back.
  void stir() { settled_ = false; }

  std::uint64_t choose(ChoiceKind kind, Span span, ActorId actor, Label label, std::uint64_t bound,
                       Witness witness);
  /// Counts the visit without a draw.
  void pass(ChoiceKind kind, Span span, ActorId actor, Label label);
  /// A fault point: the address first, then the value, then accept() or drop() by the caller.
  Address visit_fault(Span span, ActorId actor, Label label);
  std::uint64_t choose_fault(const Address& address, const FaultMenu& menu);
  void accept_fault(const Address& address, std::uint64_t value, Witness witness);

  /// Taken deviations and non-zero free dimensions, in the order in which they were met.
  std::span<const Deviation> taken() const { return taken_; }
  std::uint64_t visits() const { return visits_; }

 private:
  Address next(ChoiceKind kind, Span span, ActorId actor, Label label);

  ChoiceSource* source_ = nullptr;
  VisitCounter counter_;
  std::vector<Deviation> taken_;
  std::uint64_t visits_ = 0;
  bool settled_ = false;
};

}  // namespace locklab
