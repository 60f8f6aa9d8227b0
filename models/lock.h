// Lock: what an algorithm must do, and how it introduces itself to the catalogue.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "sim/client.h"
#include "sim/go.h"
#include "sim/outcome.h"
#include "sim/time.h"

namespace locklab {

/// The program's side of a lease that a watchdog renews. Outlives the program's own use of it.
class Holder {
 public:
  /// The calling fiber, started by acquire, renews the lease from now on; each renewal is an
  /// attempt of the same operation.
  virtual void watching() = 0;
  virtual void renewing() = 0;
  /// renewed, not_held or unknown; `until`: the new deadline, never if the client looks at none.
  virtual void renewed(Outcome outcome, LocalInstant until) = 0;
  /// The lease is lost: cancels what the program does under it.
  virtual void lost() = 0;

 protected:
  ~Holder() = default;
};

/// What the program asks for.
struct LockRequest {
  std::string_view key;
  Duration ttl;
  Duration margin;  // A checked client stops this long before its deadline.
  /// Of a lock that renews: done when the caller's work is over, however it ends.
  Context* context = nullptr;
  Holder* holder = nullptr;
  /// Of the caller's call chain, if it holds this lock already: its lease's nonce.
  std::string_view token = {};
};

/// What a successful acquire returns. Views live until the execution ends.
struct Lease {
  std::string_view key;
  std::string_view nonce;
  std::uint32_t fence = 0;                     // 0: the lock issues none.
  LocalInstant until = LocalInstant::never();  // By the holder's monotonic clock; never: unchecked.
};

struct Acquired {
  Outcome outcome = Outcome::refused;  // acquired, refused or unknown
  Lease lease;

  static Acquired lease_of(const Lease& lease) { return {Outcome::acquired, lease}; }
  static Acquired refused() { return {Outcome::refused, {}}; }
  static Acquired unknown() { return {Outcome::unknown, {}}; }
};

/// One client's use of one lock. A fresh object, or one after begin(), for each execution.
class Lock {
 public:
  virtual ~Lock() = default;
  virtual void begin() {}
  /// The program begins, for the first time or anew: nothing is left of what it kept in memory.
  virtual void forget() {}
  /// One attempt; never waits for the lock to become free. What a request points to lives as long
  /// as the program's round; its holder, as long as the execution.
  virtual Acquired acquire(Client& client, const LockRequest& request) = 0;
  /// released, not_held or unknown.
  virtual Outcome release(Client& client, const Lease& lease) = 0;
  /// May the program act under this lease now? Unchecked locks always say yes.
  virtual bool valid(Client& client, const Lease& lease) { return client.now() < lease.until; }
};

/// What a delete of the lock's key came to. An error says nothing of the key, and neither does a
/// server that was not reached.
inline Outcome released_by(const Answer& deleted) {
  if (deleted.is_integer(1)) return Outcome::released;
  return deleted.is_integer(0) ? Outcome::not_held : Outcome::unknown;
}

/// The kinds of fault, by name, under each of which alone it breaks; "none": it needs no fault.
/// tests/claims has the story and the bound.
struct Breaks {
  std::string_view two_inside = {};   // double-ownership: by what the programs do
  std::string_view two_claims = {};   // claimed-exclusion: by what they may believe
  std::string_view harm = {};         // serializable-effects, at a resource that checks no fence
  std::string_view fenced_harm = {};  // The same where the fence is enforced; fenced locks only.
  std::string_view blocked = {};      // eventual-release
};

struct LockInfo {
  std::string_view name;     // "set-nx-px"
  std::string_view summary;  // One line.
  std::string_view source;   // Where the algorithm is described.
  bool checked = false;      // Its clients look at a deadline before each effect.
  bool fenced = false;       // Its leases carry a fencing token.
  bool renews = false;       // A watchdog of its own extends its leases.
  std::uint32_t nodes = 1;   // The fewest independent nodes that make sense for it.
  std::unique_ptr<Lock> (*make)() = nullptr;
  Breaks breaks = {};
};

template <class L>
std::unique_ptr<Lock> make_lock() {
  return std::make_unique<L>();
}

/// In the order of models/CMakeLists.txt.
std::vector<LockInfo> all_locks();
/// nullptr: there is none of that name.
const LockInfo* find_lock(std::string_view name);

}  // namespace locklab
