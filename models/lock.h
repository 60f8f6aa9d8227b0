// Lock: what an algorithm must do, and how it introduces itself to the catalogue.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "sim/client.h"
#include "sim/outcome.h"
#include "sim/time.h"

namespace locklab {

/// What the program asks for.
struct LockRequest {
  std::string_view key;
  Duration ttl;
  Duration margin;  // A checked client stops this long before its deadline.
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
  /// One attempt; never waits for the lock to become free.
  virtual Acquired acquire(Client& client, const LockRequest& request) = 0;
  /// released, not_held or unknown.
  virtual Outcome release(Client& client, const Lease& lease) = 0;
  /// May the program act under this lease now? Unchecked locks always say yes.
  virtual bool valid(Client& client, const Lease& lease) { return client.now() < lease.until; }
};

struct LockInfo {
  std::string_view name;     // "set-nx-px"
  std::string_view summary;  // One line.
  std::string_view source;   // Where the algorithm is described.
  bool checked = false;      // Its clients look at a deadline before each effect.
  bool fenced = false;       // Its leases carry a fencing token.
  std::uint32_t nodes = 1;   // The fewest independent nodes that make sense for it.
  std::unique_ptr<Lock> (*make)() = nullptr;
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
