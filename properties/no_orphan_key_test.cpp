// Tests of no-orphan-key: who still looks after a key without expiry, and until when.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "properties/property_cases.h"

namespace locklab::testing {
namespace {

/// SETNX, applied; its key is record 4.
HoldId setnx(HistoryBuilder& h, ActorId client = kClient1) {
  const HoldId hold = h.at(10_ms).begin(client);
  h.send(hold);
  h.at(15_ms).applied(hold);
  h.key_set(hold, {.expiry = kNoExpiry});
  return hold;
}

HistoryBuilder expire_follows() {
  HistoryBuilder h;
  const HoldId hold = setnx(h);
  h.at(20_ms).replied(hold);
  h.send(hold);
  h.at(25_ms).applied(hold);
  h.key_ttl(hold, hold);
  h.at(30_ms).replied(hold);
  h.granted(hold);
  h.at(40_ms).kill(kClient1);
  h.at(1025_ms).key_deleted({}, hold, {.flags = event_flags::kByExpiry});
  return h;
}

HistoryBuilder with_expiry_from_the_start() {
  HistoryBuilder h;
  const HoldId hold = h.at(10_ms).begin(kClient1);
  h.send(hold);
  h.at(15_ms).applied(hold);
  h.key_set(hold);
  h.at(20_ms).unknown(hold);
  return h;
}

/// EXPIRE was written before the client died, and arrives.
HistoryBuilder expire_under_way() {
  HistoryBuilder h;
  const HoldId hold = setnx(h);
  h.at(20_ms).replied(hold);
  h.send(hold);
  h.at(21_ms).kill(kClient1);
  h.at(25_ms).applied(hold);
  h.key_ttl(hold, hold);
  return h;
}

HistoryBuilder held_without_expiry() {
  HistoryBuilder h;
  const HoldId hold = setnx(h);
  h.at(20_ms).replied(hold);
  h.granted(hold);
  h.at(900_ms).release(hold);
  h.send(hold);
  h.at(905_ms).applied(hold);
  h.key_deleted(hold, hold);
  h.at(910_ms).replied(hold);
  h.released(hold);
  return h;
}

/// After an unknown answer the program takes back what may be its own.
HistoryBuilder cleaned_up_after_unknown() {
  HistoryBuilder h;
  const HoldId hold = setnx(h);
  h.at(110_ms).timed_out(hold);
  h.unknown(hold);
  h.at(120_ms).release(hold);
  h.send(hold);
  h.at(125_ms).applied(hold);
  h.key_deleted(hold, hold);
  h.at(130_ms).released(hold);
  return h;
}

HistoryBuilder a_counter() {
  HistoryBuilder h;
  const HoldId hold = h.at(10_ms).begin(kClient1);
  h.send(hold);
  h.applied(hold);
  h.key_set(hold, {.expiry = kNoExpiry, .key = "counter"});
  h.refused(hold);
  return h;
}

HistoryBuilder on_a_replica() {
  HistoryBuilder h;
  const HoldId hold = h.at(10_ms).begin(kClient1);
  h.key_set(hold, {.node = kRedis2, .expiry = kNoExpiry, .flags = event_flags::kReplica});
  h.refused(hold);
  return h;
}

/// The old primary keeps the key for a while; nobody asks there any more.
HistoryBuilder left_on_the_old_primary() {
  HistoryBuilder h;
  const HoldId hold = setnx(h);
  h.at(20_ms).granted(hold);
  h.at(30_ms).promoted(kRedis2);
  h.at(40_ms).release(hold);
  h.released(hold, Outcome::not_held);
  h.at(50_ms).resynced(kRedis1, kRedis2);
  return h;
}

HistoryBuilder data_gone_in_time() {
  HistoryBuilder h;
  const HoldId hold = setnx(h);
  h.at(20_ms).granted(hold);
  h.at(30_ms).kill(kRedis1);
  h.at(35_ms).restarted(kRedis1, true);
  h.at(40_ms).kill(kClient1);
  return h;
}

/// One script that sets the key and then its expiry, of a client that is gone when it arrives.
HistoryBuilder script_of_the_dead() {
  HistoryBuilder h;
  const HoldId hold = h.at(10_ms).begin(kClient1);
  h.send(hold);
  h.at(12_ms).kill(kClient1);
  h.at(15_ms).applied(hold);
  h.key_set(hold, {.expiry = kNoExpiry});
  h.key_ttl(hold, hold);
  return h;
}

/// The same for a hash, whose count is told between the two.
HistoryBuilder counting_script_of_the_dead() {
  HistoryBuilder h;
  const HoldId hold = h.at(10_ms).begin(kClient1);
  h.send(hold);
  h.at(12_ms).kill(kClient1);
  h.at(15_ms).applied(hold);
  h.key_set(hold, {.expiry = kNoExpiry});
  h.key_value(hold, hold);
  h.key_ttl(hold, hold);
  return h;
}

/// Its data may be there again after a restart, but nobody can be locked out by a dead node.
HistoryBuilder node_died_first() {
  HistoryBuilder h;
  const HoldId hold = setnx(h);
  h.at(20_ms).granted(hold);
  h.at(30_ms).kill(kRedis1);
  h.at(40_ms).kill(kClient1);
  return h;
}

Case node_came_back_with_its_data() {
  HistoryBuilder h;
  const HoldId hold = setnx(h);
  h.at(20_ms).granted(hold);
  h.at(30_ms).kill(kRedis1);
  const std::uint32_t death = h.at(40_ms).kill(kClient1);
  const std::uint32_t back = h.at(50_ms).restarted(kRedis1, false);
  return violated("a node that came back with its data", h, 1, {4, death, back});
}

HistoryBuilder node_came_back_superseded() {
  HistoryBuilder h;
  const HoldId hold = setnx(h);
  h.at(20_ms).granted(hold);
  h.at(30_ms).kill(kRedis1);
  h.at(35_ms).promoted(kRedis2);
  h.at(40_ms).kill(kClient1);
  h.at(50_ms).restarted(kRedis1, false);
  return h;
}

HistoryBuilder one_of_two_fibers_ended() {
  HistoryBuilder h;
  h.fiber_began(kClient1, 1);
  h.fiber_began(kClient1, 2);
  const HoldId hold = setnx(h);
  h.at(20_ms).granted(hold);
  h.at(30_ms).panic(kClient1, true, 1);
  h.at(40_ms).key_ttl(hold, hold);  // The watchdog lives on.
  h.at(50_ms).fiber_ended(kClient1, 2);
  return h;
}

/// Fiber 65 is not the first one, which works on.
HistoryBuilder one_of_many_fibers_ended() {
  HistoryBuilder h;
  h.fiber_began(kClient1, 1);
  const HoldId hold = setnx(h);
  h.at(20_ms).granted(hold);
  h.fiber_began(kClient1, 65);
  h.at(30_ms).fiber_ended(kClient1, 65);
  return h;
}

/// A1: dead between SETNX and EXPIRE.
Case killed_between() {
  HistoryBuilder h;
  const HoldId hold = setnx(h);
  h.at(20_ms).replied(hold);
  h.send(h.begin(kClient2));  // Another's command under way is no help.
  const std::uint32_t death = h.at(21_ms).kill(kClient1);
  h.at(30_ms).begin(kClient3);
  return violated("dead between SETNX and EXPIRE", h, 1, {4, death});
}

/// A2: the reply is lost, the operation gives up.
Case reply_lost() {
  HistoryBuilder h;
  const HoldId hold = setnx(h);
  h.at(110_ms).timed_out(hold);
  const std::uint32_t given_up = h.unknown(hold);
  h.at(200_ms).begin(kClient2);
  return violated("the reply of SETNX is lost", h, 1, {4, given_up});
}

/// SETNX arrives when its sender is gone.
Case ghost() {
  HistoryBuilder h;
  const HoldId hold = h.at(10_ms).begin(kClient1);
  h.send(hold);
  const std::uint32_t death = h.at(12_ms).kill(kClient1);
  h.at(5000_ms).applied(hold);
  const std::uint32_t set = h.key_set(hold, {.expiry = kNoExpiry});
  return violated("SETNX arrives when its sender is gone", h, 1, {death, set});
}

Case persisted_and_left() {
  HistoryBuilder h;
  const HoldId hold = h.at(10_ms).begin(kClient1);
  h.key_set(hold);  // Record 2.
  h.granted(hold);
  const std::uint32_t persisted = h.at(20_ms).key_ttl(hold, hold, {.expiry = kNoExpiry});
  h.at(30_ms).release(hold);
  const std::uint32_t returned = h.at(40_ms).released(hold, Outcome::unknown);
  return violated("an expiry that was taken away", h, 1, {2, persisted, returned});
}

Case promoted_without_expire() {
  HistoryBuilder h;
  const HoldId hold = setnx(h);
  const std::uint32_t set =
      h.key_set(hold, {.node = kRedis2, .expiry = kNoExpiry, .flags = event_flags::kReplica});
  h.at(20_ms).key_ttl(hold, hold);
  h.granted(hold);
  const std::uint32_t death = h.at(30_ms).kill(kClient1);
  h.kill(kRedis1);
  const std::uint32_t promoted = h.at(40_ms).promoted(kRedis2);
  h.at(50_ms).begin(kClient2);
  return violated("the promoted replica never got the EXPIRE", h, 2, {set, death, promoted});
}

/// The key of a hold that was abandoned first comes to light last.
Case earliest_of_several() {
  HistoryBuilder h;
  const HoldId first = setnx(h);
  h.key_set(first, {.node = kRedis2, .expiry = kNoExpiry, .flags = event_flags::kReplica});
  h.at(20_ms).key_ttl(first, first);
  h.kill(kClient1);
  h.at(2000_ms).key_deleted({}, first, {.flags = event_flags::kByExpiry});
  const HoldId second = h.begin(kClient2);
  const std::uint32_t set = h.key_set(second, {.expiry = kNoExpiry});
  const std::uint32_t death = h.at(2010_ms).kill(kClient2);
  h.at(3000_ms).promoted(kRedis2);
  return violated("the earliest of several", h, 3, {set, death});
}

Case all_fibers_ended() {
  HistoryBuilder h;
  h.fiber_began(kClient1, 1);
  h.fiber_began(kClient1, 2);
  const HoldId hold = setnx(h);  // Sets in record 6.
  h.at(20_ms).granted(hold);
  h.at(30_ms).panic(kClient1, true, 1);
  const std::uint32_t last = h.at(50_ms).fiber_ended(kClient1, 2);
  return violated("its last fiber has ended", h, 1, {6, last});
}

/// The first key is looked after in time, the second is not: the second is the witness.
Case second_attempt() {
  HistoryBuilder h;
  const HoldId first = setnx(h);
  h.at(20_ms).key_deleted(first, first);
  h.refused(first);
  const HoldId second = h.at(30_ms).begin(kClient1);
  h.send(second);
  h.applied(second);
  const std::uint32_t set = h.key_set(second, {.expiry = kNoExpiry});
  const std::uint32_t refused = h.at(40_ms).refused(second);
  return violated("judged per creating attempt", h, 1, {set, refused});
}

Case found_before_it_disappeared() {
  HistoryBuilder h;
  const HoldId hold = setnx(h);
  const std::uint32_t death = h.at(21_ms).kill(kClient1);
  h.at(8000_ms).key_deleted({}, hold);  // Somebody cleans up by hand.
  return violated("a key that is removed by hand later", h, 1, {4, death});
}

Case lost_command_and_repetition() {
  HistoryBuilder h;
  const HoldId hold = setnx(h);
  h.at(20_ms).send(hold);
  const std::uint32_t death = h.at(21_ms).kill(kClient1);
  h.at(5000_ms).probe_begin(2_s);
  const std::uint32_t blocked = h.at(6000_ms).probe_blocked(BlockingFact::orphan_key);
  return violated("a lost EXPIRE, and the state repeats", h, 1, {4, death, blocked});
}

/// Its operation still polls for the lock that an earlier attempt of it has taken.
Case waiting_for_itself() {
  HistoryBuilder h;
  setnx(h);
  h.at(5000_ms).probe_begin(2_s);
  const std::uint32_t blocked = h.at(6000_ms).probe_blocked(BlockingFact::orphan_key);
  return violated("it waits for its own earlier attempt", h, 0, {4, blocked});
}

Case lost_command() {
  HistoryBuilder h;
  const HoldId hold = setnx(h);
  h.at(20_ms).send(hold);
  const std::uint32_t death = h.at(21_ms).kill(kClient1);
  const std::uint32_t end = h.at(5000_ms).run_end(EndReason::virtual_limit);
  return unknown("an EXPIRE that may still arrive", h, 1, {4, death, end});
}

HistoryBuilder blocked_by_something_else() {
  HistoryBuilder h;
  setnx(h);
  h.at(5000_ms).probe_begin(2_s);
  h.at(6000_ms).probe_blocked(BlockingFact::live_watchdog);
  return h;
}

/// Operations on the resource bring no EXPIRE.
Case effect_under_way() {
  HistoryBuilder h;
  const HoldId hold = setnx(h);
  h.at(20_ms).granted(hold);
  h.send_effect(hold);
  const std::uint32_t death = h.at(21_ms).kill(kClient1);
  return violated("only commands to servers can help", h, 1, {4, death});
}

}  // namespace

std::vector<Case> no_orphan_key_cases() {
  return {holds("EXPIRE follows", expire_follows(), 1),
          holds("an expiry from the start", with_expiry_from_the_start(), 1),
          holds("EXPIRE was under way when its sender died", expire_under_way(), 1),
          holds("a holder may hold without expiry", held_without_expiry(), 0),
          holds("cleaned up after an unknown answer", cleaned_up_after_unknown(), 0),
          holds("a counter is not a lock", a_counter(), 0),
          holds("a replica is not asked", on_a_replica(), 0),
          holds("left on the old primary", left_on_the_old_primary(), 0),
          holds("the data was gone in time", data_gone_in_time(), 0),
          holds("within one step there is no gap", script_of_the_dead(), 1),
          holds("nor around a count", counting_script_of_the_dead(), 1),
          holds("the node died first", node_died_first(), 0),
          holds("it came back as nobody's primary", node_came_back_superseded(), 0),
          node_came_back_with_its_data(),
          holds("another fiber lives on", one_of_two_fibers_ended(), 1),
          holds("the sixty-fifth fiber has ended", one_of_many_fibers_ended(), 0),
          holds("blocked by something else", blocked_by_something_else(), 0),
          killed_between(),
          reply_lost(),
          ghost(),
          persisted_and_left(),
          promoted_without_expire(),
          earliest_of_several(),
          all_fibers_ended(),
          second_attempt(),
          found_before_it_disappeared(),
          lost_command_and_repetition(),
          waiting_for_itself(),
          effect_under_way(),
          lost_command()};
}

namespace {

TEST(NoOrphanKey, AgreesWithItsCases) {
  expect_agreement(no_orphan_key(), no_orphan_key_cases());
}

TEST(NoOrphanKey, NamesActorsTimesAndKeys) {
  EXPECT_EQ(why(no_orphan_key(), killed_between().history),
            "lock:order-42 on redis-1 has no expiry from 15.000ms, and client-1, which created "
            "it, has nothing to do with it since 21.000ms: nobody will delete it");
  EXPECT_EQ(why(no_orphan_key(), lost_command().history),
            "lock:order-42 on redis-1 has no expiry from 15.000ms, and client-1, which created "
            "it, has nothing to do with it since 21.000ms; a command of its may still arrive");
}

}  // namespace
}  // namespace locklab::testing
