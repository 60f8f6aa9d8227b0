// A lock that compiles; with one of its twins' lines in it, it reads what a client cannot know.
// SPDX-License-Identifier: Apache-2.0
#include "models/lock.h"

namespace locklab {
namespace {

class Honest : public Lock {
 public:
  Acquired acquire(Client& client, const LockRequest& request) override {
    const LocalInstant now = client.now();
#if defined(TWIN_instant_of_a_reading)
    const Instant truth = now;
#elif defined(TWIN_instant_made_of_a_reading)
    const Instant truth(now);
#elif defined(TWIN_reading_compared_with_the_truth)
    const bool truth = now < Instant::never();
#elif defined(TWIN_distance_from_the_truth)
    const Duration truth = now - Instant::origin();
#elif defined(TWIN_clock_of_the_world)
    const Instant truth = client.world().now();
#elif defined(TWIN_world_of_the_stage)
    const Instant truth = client.stage().world->now();
#elif defined(TWIN_clock_of_the_process)
    const LocalInstant truth = client.process().now();
#elif defined(TWIN_reading_as_a_number)
    const auto truth = now.count();
#else
    const LocalInstant truth = client.wall_now();
#endif
    Lease lease;
    lease.key = request.key;
    lease.nonce = client.new_nonce();
    lease.until = now + request.ttl;
    return truth == decltype(truth)() ? Acquired::refused() : Acquired::lease_of(lease);
  }
  Outcome release(Client& client, const Lease& lease) override {
    return released_by(client.redis().del(lease.key));
  }
};

}  // namespace

LockInfo honest() {
  return {.name = "honest", .summary = {}, .source = {}, .make = make_lock<Honest>};
}

}  // namespace locklab
