// Lanes: the intervals of each hold, read from a history once and shared by all properties.
// SPDX-License-Identifier: Apache-2.0
//
// Kernel contract, "Three truths, four lanes". A point of a history is (t, seq); intervals are
// half-open and compared by true time: two overlap iff each starts strictly before the other ends.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include "properties/denial.h"
#include "sim/history.h"

namespace locklab {

/// A moment: true time, and the record that marks it. An interval that the run leaves open ends at
/// `never` with seq 0, not at the last record's time: who is inside when a run stops is still
/// inside for anybody who enters at that very instant.
struct Moment {
  Instant at = Instant::never();
  std::uint32_t seq = 0;

  bool known() const { return seq != 0; }
  /// In the order of the history; an unknown moment comes after every known one.
  bool precedes(const Moment& other) const {
    return known() && (!other.known() || seq < other.seq);
  }
};

/// One hold, as the four lanes show it. Only holds whose acquire returned `acquired` are granted.
struct HoldLane {
  HoldId hold;
  std::uint16_t lock = 0;        // TextId of the key.
  std::uint16_t lock_index = 0;  // Dense, in order of first mention.
  std::uint32_t nonce = 0;
  std::uint32_t fence = 0;  // 0: unfenced.
  bool granted = false;
  bool checked = false;
  bool by_probe = false;
  Moment requested;  // Acquire began; unknown if the history never shows it.
  Moment acquired;   // Acquire returned `acquired`.
  /// First of: release requested, told of loss, killed, own deadline passed.
  Moment claimed_end;
  /// First of: last guarded effect sent, section left, killed. A program that never entered is out
  /// when its claim ends.
  Moment occupied_end;
  Moment release_begun;
  Moment release_returned;
  Outcome release_outcome = Outcome::none;
  /// The servers say that it owns: of the latest attempt before acquire returned, the key_set that
  /// completed the quorum (RunFacts::quorum nodes; the only one, for one authority).
  Moment effective;
  /// The first authority that stored it: of the latest attempt before acquire returned. Also as a
  /// field or a count of a key that was there.
  Moment stored;
  /// Lost by denial: from then on, authorities that could answer would grant it to another; if it
  /// was so when acquire returned, since it became so. Known of granted holds that became
  /// effective; its own release loses it too.
  Moment lost;
  /// Its first renewal began.
  Moment renewed;
  /// Out of the section for good, or dead.
  Moment left;
  /// Its program first entered the section, or sent a guarded effect.
  Moment worked;
  /// The same, for the first time after it had requested release.
  Moment worked_late;
  /// The first answer after which there is no hold: acquire returned without it, or release did.
  Moment over;
  /// Nobody works for it any more: acquire returned without it, the last release returned, or the
  /// process or all of its fibers ended. An operation for it that begins later takes this back.
  Moment abandoned;
  /// Positions in effects() and their number.
  std::uint32_t first_effect = 0;
  std::uint32_t last_effect = 0;
  std::uint32_t effect_count = 0;

  /// Grants are ordered by what the servers did; without their records, by the clients' answers.
  const Moment& grant() const { return effective.known() ? effective : acquired; }
};

/// An operation that the resource accepted.
struct Effect {
  std::uint32_t seq = 0;   // Of its resource_op record.
  std::uint32_t lane = 0;  // Index in holds().
};

class Lanes {
 public:
  /// Objects of the resource are numbered below this; the kernel contract has two.
  static constexpr std::size_t kObjects = 4;

  /// Reads the whole history; reuses its memory.
  void read(const History& history);

  /// Every hold that client or effect records name, in order of first mention.
  std::span<const HoldLane> holds() const { return holds_; }
  /// nullptr: neither an acquire nor an effect of that hold was seen.
  const HoldLane* find(HoldId hold) const;
  /// Granted holds, as indices in holds(): by lock, then by when acquire returned.
  std::span<const std::uint32_t> by_acquired() const { return by_acquired_; }
  /// Granted holds, as indices in holds(): by lock, then in grant order.
  std::span<const std::uint32_t> by_grant() const { return by_grant_; }
  /// Accepted operations, in order.
  std::span<const Effect> effects() const { return effects_; }
  /// seqs of what changes keys or authority: key_set, key_deleted, key_ttl, key_lost, promoted,
  /// demoted, resynced, rediscovered, killed, restarted, paused, resumed.
  std::span<const std::uint32_t> key_events() const { return key_events_; }
  /// seqs of op_begin and op_return of renewals.
  std::span<const std::uint32_t> renewals() const { return renewals_; }
  /// seqs of probe_begin, probe_acquired, probe_blocked, run_end.
  std::span<const std::uint32_t> ending() const { return ending_; }
  std::size_t lock_count() const { return locks_.size(); }
  /// Some server counts, or somebody asked for a lock that he has.
  bool counts_entries() const { return counts_entries_; }
  /// The dense index of a key that some hold asked for; lock_count() for other keys, such as
  /// counters and channels.
  std::size_t lock_index(std::uint16_t key) const;
  bool is_lock(std::uint16_t key) const { return lock_index(key) < locks_.size(); }
  /// Time of the last record.
  Instant end() const { return end_; }

  /// n value-initialised elements for the checker that runs now; valid until the next call.
  template <class T>
  std::span<T> scratch(std::size_t n) const {
    static_assert(std::is_trivially_destructible_v<T> && alignof(T) <= alignof(std::uint64_t));
    const std::size_t words = (n * sizeof(T) + sizeof(std::uint64_t) - 1) / sizeof(std::uint64_t);
    if (scratch_.size() < words) scratch_.resize(words);
    T* const first = reinterpret_cast<T*>(scratch_.data());
    std::uninitialized_value_construct_n(first, n);
    return {first, n};
  }

 private:
  /// What reading needs to know of a hold beyond its lane.
  struct Progress {
    Moment left;       // Out of the section, or dead; taken back when the program enters again.
    Moment last_sent;  // The last guarded effect.
    std::uint64_t voters = 0;  // Nodes that stored the current attempt's key.
    std::uint32_t votes = 0;
    std::uint16_t attempt = 0;
    bool entered = false;
    bool dead = false;
    bool done = false;  // Acquire failed, or release returned.
  };

  void clear();
  void take(const Record& record, std::uint32_t quorum);
  void begin_operation(const Record& record);
  void return_operation(const Record& record);
  void enter_or_leave(const Record& record);
  void end_claim(const Record& record);
  void note_sent(const Record& record);
  void note_work(std::uint32_t index, const Record& record);
  void vote(const Record& record, std::uint32_t quorum);
  void join(const Record& record);
  void accept_effect(const Record& record);
  void end_fiber(const Record& record);
  void end_process(ActorId process, Moment when);
  void finish();
  void sort_grants();

  std::uint32_t lane_of(HoldId hold, std::uint16_t lock);
  std::size_t slot_of(HoldId hold) const;
  void grow_slots();

  std::vector<HoldLane> holds_;
  std::vector<Progress> progress_;    // Beside holds_.
  std::vector<std::uint32_t> slots_;  // Open addressing by hold; index in holds_ + 1; 0: free.
  std::uint32_t last_lane_ = 0;       // That lane_of() found.
  std::vector<std::uint32_t> by_acquired_;
  std::vector<std::uint32_t> by_grant_;
  std::vector<Effect> effects_;
  std::vector<std::uint32_t> key_events_;
  std::vector<std::uint32_t> renewals_;
  std::vector<std::uint32_t> ending_;
  Denial denial_;
  std::vector<std::uint16_t> locks_;   // By lock_index.
  std::vector<std::uint64_t> fibers_;  // Those alive: process and number.
  Instant end_;
  bool counts_entries_ = false;
  mutable std::vector<std::uint64_t> scratch_;
};

}  // namespace locklab
