// Tests of reentrancy-balance: what the server counts, against what the clients were told.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "properties/property_cases.h"

namespace locklab::testing {
namespace {

/// Outside any other, granted, with a count of 1.
HoldId entered(HistoryBuilder& h, ActorId client = kClient1) {
  const HoldId hold = h.at(10_ms).begin(client);
  h.key_set(hold);
  h.key_count(hold, hold, 1);
  h.granted(hold);
  return hold;
}

void enter_again(HistoryBuilder& h, HoldId hold, std::int64_t count) {
  h.again(hold);
  h.key_count(hold, hold, count);
  h.granted_again(hold);
}

void leave_again(HistoryBuilder& h, HoldId hold, std::int64_t count) {
  h.release_again(hold);
  h.key_count(hold, hold, count);
  h.released_again(hold);
}

void leave(HistoryBuilder& h, HoldId hold) {
  h.at(90_ms).release(hold);
  h.key_count(hold, hold, 0);
  h.key_deleted(hold, hold);
  h.released(hold);
}

/// Under the identity that another's answer names.
void grant_as(HistoryBuilder& h, HoldId hold, HoldId other) {
  Record granted = h.history().at(4);
  EXPECT_EQ(granted.hold, other.value);
  granted.hold = hold.value;
  h.add(granted);
}

HistoryBuilder twice_inside() {
  HistoryBuilder h;
  const HoldId hold = entered(h);
  enter_again(h, hold, 2);
  leave_again(h, hold, 1);
  leave(h, hold);
  return h;
}

/// Two chains of one process under one identity, each counted.
HistoryBuilder two_chains() {
  HistoryBuilder h;
  const HoldId first = entered(h);
  const HoldId second = h.at(20_ms).begin(kClient1);
  h.key_count(second, first, 2);
  grant_as(h, second, first);
  h.at(30_ms).release(first);
  h.key_count(first, first, 1);
  h.released(first);
  return h;
}

/// Both leave: the second one's command frees the key before the first one has its answer.
HistoryBuilder two_chains_leave() {
  HistoryBuilder h;
  const HoldId first = entered(h);
  const HoldId second = h.at(20_ms).begin(kClient1);
  h.key_count(second, first, 2);
  grant_as(h, second, first);
  h.at(30_ms).release(first);
  h.release(second);
  h.key_count(first, first, 1);
  h.key_count(second, first, 0);
  h.key_deleted(second, first);
  h.released(first);
  h.released(second);
  return h;
}

/// One leaves, and takes the other's count with it.
Case one_chain_frees_both() {
  HistoryBuilder h;
  const HoldId first = entered(h);
  const HoldId second = h.at(20_ms).begin(kClient1);
  h.key_count(second, first, 2);
  grant_as(h, second, first);
  h.at(30_ms).release(first);
  const std::uint32_t deleted = h.key_deleted(first, first);
  return violated("one of two chains frees it", h, 2, {4, deleted});
}

/// While one chain's command is under way the server is ahead of what the other is told.
HistoryBuilder under_way() {
  HistoryBuilder h;
  const HoldId first = entered(h);
  const HoldId second = h.at(20_ms).begin(kClient1);
  h.key_count(second, first, 2);
  enter_again(h, first, 3);
  grant_as(h, second, first);
  return h;
}

HistoryBuilder unknown_answer() {
  HistoryBuilder h;
  const HoldId hold = entered(h);
  h.at(20_ms).again(hold);
  h.key_count(hold, hold, 2);
  h.granted_again(hold, Outcome::unknown);
  h.at(30_ms).release(hold);
  h.key_count(hold, hold, 1);
  h.released(hold);
  return h;
}

/// The key expired inside: what is deleted at the end is a later one of the same identity.
HistoryBuilder lost_inside(bool by_node) {
  HistoryBuilder h;
  const HoldId hold = entered(h);
  enter_again(h, hold, 2);
  if (by_node) {
    h.at(40_ms).key_lost(hold);
  } else {
    h.at(40_ms).key_deleted(hold, hold, {.flags = event_flags::kByExpiry});
  }
  h.release_again(hold);
  h.key_set(hold);
  h.key_count(hold, hold, 1);
  h.key_deleted(hold, hold);
  h.released_again(hold);
  return h;
}

/// Its node's clock says that it is over; nobody has deleted it yet.
HistoryBuilder over_by_the_clock() {
  HistoryBuilder h;
  const HoldId hold = entered(h);
  enter_again(h, hold, 2);
  h.at(40_ms).key_lost(hold);
  h.release_again(hold);
  h.released_again(hold, Outcome::not_held);
  return h;
}

/// As a bad unlock leaves it: a second field in another's hash.
HistoryBuilder two_identities() {
  HistoryBuilder h;
  entered(h);
  const HoldId other = h.at(20_ms).begin(kClient2);
  h.key_count(other, other, 1);
  h.granted(other);
  return h;
}

HistoryBuilder after_failover() {
  HistoryBuilder h;
  const HoldId hold = entered(h);
  enter_again(h, hold, 2);
  h.at(40_ms).promoted(kRedis2);
  h.release_again(hold);
  h.key_count(hold, hold, 0, {.node = kRedis2});
  h.released_again(hold);
  return h;
}

/// What a replica has is behind.
HistoryBuilder replica_behind() {
  HistoryBuilder h;
  const HoldId hold = entered(h);
  enter_again(h, hold, 2);
  h.key_set(hold, {.node = kRedis2, .flags = event_flags::kReplica});
  h.key_count(hold, hold, 1, {.node = kRedis2, .flags = event_flags::kReplica});
  h.key_deleted(hold, hold, {.node = kRedis2, .flags = event_flags::kReplica});
  leave_again(h, hold, 1);
  return h;
}

HistoryBuilder other_node() {
  HistoryBuilder h;
  const HoldId hold = entered(h);
  h.at(20_ms).again(hold);
  h.key_count(hold, hold, 2);
  h.key_count(hold, hold, 7, {.node = kRedis2});
  h.granted_again(hold);
  h.key_deleted(hold, hold, {.node = kRedis2});
  return h;
}

HistoryBuilder plain_lock() {
  HistoryBuilder h;
  const HoldId hold = h.at(10_ms).begin(kClient1);
  h.key_set(hold);
  h.granted(hold);
  h.at(20_ms).release(hold);
  h.key_deleted(hold, hold);
  h.released(hold);
  return h;
}

/// Who names no nonce is counted nowhere.
HistoryBuilder names_no_nonce() {
  HistoryBuilder h;
  const HoldId hold = h.at(10_ms).begin(kClient1);
  h.key_set(hold);
  h.granted(hold, {.named = false});
  h.at(20_ms).again(hold);
  h.granted_again(hold);
  return h;
}

HistoryBuilder refused_inside() {
  HistoryBuilder h;
  const HoldId hold = entered(h);
  h.at(20_ms).again(hold);
  h.granted_again(hold, Outcome::refused);
  leave(h, hold);
  return h;
}

/// What the client holds ends with it; the next program of that name begins anew.
Case killed_under_way() {
  HistoryBuilder h;
  h.at(5_ms).begin(kClient1);
  h.kill(kClient1);
  const HoldId hold = h.at(10_ms).begin(kClient1);
  h.key_set(hold);
  h.key_count(hold, hold, 1);
  const std::uint32_t change = h.key_count(hold, hold, 2);
  const std::uint32_t granted = h.at(20_ms).granted(hold);
  return violated("what was under way died with its client", h, 1, {change, granted});
}

Case counted_twice() {
  HistoryBuilder h;
  const HoldId hold = h.at(10_ms).begin(kClient1);
  h.key_set(hold);
  h.key_count(hold, hold, 1);
  const std::uint32_t change = h.key_count(hold, hold, 2);  // The same command, sent again.
  const std::uint32_t granted = h.at(20_ms).granted(hold);
  return violated("counted twice, granted once", h, 1, {change, granted});
}

Case left_over() {
  HistoryBuilder h;
  const HoldId hold = entered(h);
  h.at(20_ms).release(hold);
  const std::uint32_t change = h.key_count(hold, hold, 1);
  const std::uint32_t released = h.released(hold);
  return violated("a count is left", h, 2, {4, change, released});
}

Case counted_down_twice() {
  HistoryBuilder h;
  const HoldId hold = entered(h);
  enter_again(h, hold, 2);
  enter_again(h, hold, 3);
  h.at(20_ms).release_again(hold);
  h.key_count(hold, hold, 2);
  const std::uint32_t change = h.key_count(hold, hold, 1);
  const std::uint32_t released = h.released_again(hold);
  return violated("counted down twice", h, 4, {4, change, released});
}

Case below_zero() {
  HistoryBuilder h;
  const HoldId hold = entered(h);
  h.at(20_ms).key_lost(hold);
  h.at(30_ms).release(hold);
  h.key_set(hold);
  const std::uint32_t change = h.key_count(hold, hold, -1);
  h.released(hold);
  return violated("below zero", h, 1, {4, change});
}

HistoryBuilder set_again() {
  HistoryBuilder h;
  const HoldId hold = h.at(10_ms).begin(kClient1);
  h.key_set(hold, {.named = true});
  h.granted(hold);
  h.at(15_ms).key_deleted({}, hold);
  h.key_set(hold, {.named = true});  // As an extension does that sets what is gone.
  h.at(20_ms).again(hold);
  h.granted_again(hold);
  h.at(30_ms).release_again(hold);
  h.key_deleted(hold, hold);
  h.released_again(hold);
  return h;
}

/// No count at all: the inner release deletes what the outer one still needs.
Case freed_inside_uncounted() {
  HistoryBuilder h;
  const HoldId hold = h.at(10_ms).begin(kClient1);
  h.key_set(hold, {.named = true});
  const std::uint32_t granted = h.granted(hold);
  h.at(20_ms).again(hold);
  h.granted_again(hold);
  h.at(30_ms).release_again(hold);
  const std::uint32_t deleted = h.key_deleted(hold, hold);
  h.released_again(hold);
  return violated("an inner release frees it", h, 1, {granted, deleted});
}

Case freed_inside_counted() {
  HistoryBuilder h;
  const HoldId hold = entered(h);
  enter_again(h, hold, 2);
  h.at(30_ms).release_again(hold);
  h.key_count(hold, hold, 1);
  h.key_count(hold, hold, 0);  // Sent again.
  const std::uint32_t deleted = h.key_deleted(hold, hold);
  h.released_again(hold);
  return violated("an inner release is sent again", h, 2, {4, deleted});
}

}  // namespace

std::vector<Case> reentrancy_balance_cases() {
  return {holds("twice inside", twice_inside(), 3),
          holds("two chains of one identity", two_chains(), 3),
          holds("two chains leave at once", two_chains_leave(), 2),
          holds("under way", under_way(), 2),
          holds("an unknown answer", unknown_answer(), 1),
          holds("expired inside", lost_inside(false), 2),
          holds("lost inside, by the node's clock", lost_inside(true), 2),
          holds("over by the node's clock", over_by_the_clock(), 2),
          holds("two identities in one key", two_identities(), 2),
          holds("after a failover", after_failover(), 2),
          holds("a replica is behind", replica_behind(), 3),
          holds("another node", other_node(), 2),
          holds("a lock without counts", plain_lock(), 0),
          holds("a lock that names no nonce", names_no_nonce(), 1),
          holds("refused inside", refused_inside(), 2),
          holds("another key than the one that was granted", set_again(), 1),
          killed_under_way(),
          one_chain_frees_both(),
          counted_twice(),
          left_over(),
          counted_down_twice(),
          below_zero(),
          freed_inside_uncounted(),
          freed_inside_counted()};
}

namespace {

TEST(ReentrancyBalance, AgreesWithItsCases) {
  expect_agreement(reentrancy_balance(), reentrancy_balance_cases());
}

TEST(ReentrancyBalance, SaysWhatWasCounted) {
  EXPECT_EQ(why(reentrancy_balance(), counted_twice().history),
            "lock:order-42 counts 2 for client-1, which at 20.000ms holds it once");
  EXPECT_EQ(why(reentrancy_balance(), below_zero().history),
            "client-1 took its count in lock:order-42 below zero, to -1, at 30.000ms");
  EXPECT_EQ(why(reentrancy_balance(), freed_inside_counted().history),
            "client-1 freed lock:order-42 at 30.000ms, and was still inside once");
}

}  // namespace
}  // namespace locklab::testing
