// A lock of one's own, and what must hold of it: docs/testing.md explains each line.
// SPDX-License-Identifier: Apache-2.0
#include <locklab/gtest.h>

using namespace locklab;

/// SET NX PX; and a DEL, which does not ask whose key it deletes.
class CheckoutLock {
 public:
  CheckoutLock(Client& client, const LockRequest& request) : client_(client), request_(request) {}

  bool acquire() {
    until_ = client_.now() + request_.ttl - request_.margin;
    token_ = client_.new_nonce();
    return client_.redis().set(request_.key, token_, {.nx = true, .px = request_.ttl}).is_ok();
  }
  void release() { client_.redis().del(request_.key); }
  LocalInstant until() const { return until_; }

 private:
  Client& client_;
  LockRequest request_;
  std::string_view token_;
  LocalInstant until_;
};

LOCKLAB_TEST(Checkout, NeverHasTwoInside) {
  world.clients<CheckoutLock>(3).faults({.of = {FaultKind::slow}, .at = {Label::rel_before_send}});
  EXPECT_HOLDS(world, double_ownership, runs(500));
}

LOCKLAB_TEST(Checkout, LetsTheNextOneIn) {
  world.clients<CheckoutLock>(2).faults({.of = {FaultKind::kill}});
  EXPECT_HOLDS(world, eventual_release, runs(500));
  EXPECT_REACHES(world, "key_lost");  // A killed client's lease runs out: that is put to the test.
}
