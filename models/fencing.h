// Fenced: any checked lock, followed by a number from a linearizable counter of its own.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/lock.h"

namespace locklab {

/// The number is fetched after the lock has been granted: unique, but not always in grant order, so
/// that a slow holder can fence out a faster one; safe all the same when reads are fenced too.
/// Source: Kleppmann 2016, "Making the lock safe with fencing"; spec of the order:
/// docs/properties.md.
template <class Inner>
class Fenced : public Inner {
 public:
  Acquired acquire(Client& client, const LockRequest& request) override {
    Acquired acquired = Inner::acquire(client, request);
    if (acquired.outcome != Outcome::acquired) return acquired;
    const std::optional<std::uint32_t> fence = client.next_fence();
    if (fence) acquired.lease.fence = *fence;
    if (fence && this->valid(client, acquired.lease)) return acquired;
    this->release(client, acquired.lease);  // Without a number, or too late: not to be used.
    return Acquired::refused();
  }
};

}  // namespace locklab
