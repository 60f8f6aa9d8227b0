// Tests of no-open-door: who works, with what answer, and what the servers had stored by then.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "properties/property_cases.h"

namespace locklab::testing {
namespace {

HistoryBuilder as_it_should_be() {
  HistoryBuilder h;
  const HoldId hold = h.at(10_ms).begin(kClient1);
  h.key_set(hold);
  h.at(20_ms).granted(hold);
  h.enter(hold);
  h.send_effect(hold);
  h.at(30_ms).append(hold);
  h.leave(hold);
  h.release(hold);
  return h;
}

HistoryBuilder refused_and_gone() {
  HistoryBuilder h;
  const HoldId hold = h.at(10_ms).begin(kClient1);
  h.at(20_ms).refused(hold);
  return h;
}

/// Nobody works under it, whatever was said.
HistoryBuilder granted_and_unused() {
  HistoryBuilder h;
  const HoldId hold = h.at(10_ms).grant(kClient1);
  h.at(20_ms).release(hold);
  return h;
}

/// An effect that was sent in time and is accepted after the release.
HistoryBuilder accepted_late() {
  HistoryBuilder h;
  const HoldId hold = h.at(10_ms).begin(kClient1);
  h.key_set(hold);
  h.at(20_ms).granted(hold);
  h.send_effect(hold);
  h.at(30_ms).release(hold);
  h.at(40_ms).append(hold);
  return h;
}

/// Three of five nodes had stored it.
HistoryBuilder by_quorum() {
  HistoryBuilder h;
  h.quorum(2);
  const HoldId hold = h.at(10_ms).begin(kClient1);
  h.send_to(hold, kRedis1);
  h.send_to(hold, kRedis2);
  h.key_set(hold, {.node = kRedis1});
  h.key_set(hold, {.node = kRedis2});
  h.at(20_ms).granted(hold);
  h.enter(hold);
  return h;
}

/// In a run with a quorum lock, one that asks a single node; the fence's counter is no node.
HistoryBuilder one_node_of_several() {
  HistoryBuilder h;
  h.quorum(2);
  const HoldId hold = h.at(10_ms).begin(kClient1);
  h.send_to(hold, kRedis2);
  h.key_set(hold, {.node = kRedis2});
  h.send_to(hold, kResource);
  h.at(20_ms).granted(hold);
  h.enter(hold);
  h.send_to(hold, kRedis1);
  return h;
}

/// A reentrant lock whose client counts: the inner hold has the outer one's nonce.
HistoryBuilder nested() {
  HistoryBuilder h;
  const HoldId outer = h.at(10_ms).begin(kClient1);
  h.key_set(outer);
  Record again = h.history().at(h.at(20_ms).granted(outer));
  h.enter(outer);
  const HoldId inner = h.at(30_ms).begin(kClient1);
  again.hold = inner.value;
  h.add(again);
  h.enter(inner);
  return h;
}

/// One identity for two chains: the second raises the count of the first one's key.
HistoryBuilder joined() {
  HistoryBuilder h;
  const HoldId first = h.at(10_ms).begin(kClient1);
  h.key_set(first);
  h.granted(first);
  const HoldId second = h.at(20_ms).begin(kClient1);
  h.key_value(second, first);
  h.granted(second);
  h.enter(second);
  return h;
}

/// Grants by what no server knows, and says so.
HistoryBuilder names_no_nonce() {
  HistoryBuilder h;
  const HoldId hold = h.at(10_ms).grant(kClient1, {.named = false});
  h.enter(hold);
  return h;
}

HistoryBuilder probe() {
  HistoryBuilder h;
  const HoldId hold = h.at(10_ms).begin(kClient1, kLock, event_flags::kProbe);
  h.key_set(hold);
  h.at(20_ms).granted(hold);
  h.enter(hold);
  return h;
}

Case fails_open() {
  HistoryBuilder h;
  const HoldId hold = h.at(10_ms).begin(kClient1);
  h.send(hold);
  h.at(50_ms).timed_out(hold);
  const std::uint32_t granted = h.granted(hold);
  h.key_set(hold);  // Too late to have been known.
  const std::uint32_t inside = h.at(60_ms).enter(hold);
  h.at(70_ms).send_effect(hold);
  return violated("granted without an answer", h, 1, {granted, inside});
}

Case on_a_replica_only() {
  HistoryBuilder h;
  const HoldId hold = h.at(10_ms).begin(kClient1);
  h.key_set(hold, {.flags = event_flags::kReplica});
  const std::uint32_t granted = h.at(20_ms).granted(hold);
  const std::uint32_t sent = h.at(30_ms).send_effect(hold);
  return violated("a replica does not grant", h, 1, {granted, sent});
}

/// A count that a replica raised, one that went out, and one that came in after the answer.
Case joined_otherwise(const std::string& name, std::uint16_t flags, bool late) {
  HistoryBuilder h;
  const HoldId first = h.at(10_ms).begin(kClient1);
  h.key_set(first);
  h.granted(first);
  const HoldId second = h.at(20_ms).begin(kClient1);
  if (!late) h.key_value(second, first, {.flags = flags});
  const std::uint32_t granted = h.granted(second);
  if (late) h.key_value(second, first, {.flags = flags});
  const std::uint32_t inside = h.at(30_ms).enter(second);
  return violated(name, h, 1, {granted, inside});
}

Case minority() {
  HistoryBuilder h;
  h.quorum(2);
  const HoldId hold = h.at(10_ms).begin(kClient1);
  h.send_to(hold, kRedis1);
  h.send_to(hold, kRedis2);
  h.key_set(hold, {.node = kRedis1});
  const std::uint32_t granted = h.at(20_ms).granted(hold);
  const std::uint32_t inside = h.enter(hold);
  return violated("one of two votes", h, 1, {granted, inside});
}

Case refused_and_inside() {
  HistoryBuilder h;
  const HoldId first = h.at(10_ms).grant(kClient2, {.named = false});
  h.enter(first);
  const HoldId hold = h.at(20_ms).begin(kClient1);  // Record 4.
  h.key_set(hold);
  h.unknown(hold);
  const std::uint32_t inside = h.at(30_ms).enter(hold);
  h.at(40_ms).append(hold);
  return violated("the answer was not yes", h, 2, {4, inside});
}

/// The resource sees somebody of whom no client record speaks.
Case stranger() {
  HistoryBuilder h;
  const std::uint32_t op = h.at(10_ms).rejected(HoldId::of(kClient1, 7));
  return violated("nobody asked", h, 1, {op});
}

/// The nonce is that of an earlier hold, which is over.
Case inherited() {
  HistoryBuilder h;
  const HoldId outer = h.at(10_ms).begin(kClient1);
  h.key_set(outer);
  Record again = h.history().at(h.at(20_ms).granted(outer));
  h.release(outer);
  h.released(outer);
  const HoldId inner = h.at(30_ms).begin(kClient1);
  again.hold = inner.value;
  const std::uint32_t granted = h.add(again);
  const std::uint32_t inside = h.at(40_ms).enter(inner);
  return violated("nested in what is over", h, 1, {granted, inside});
}

/// A second attempt of the same process, with a nonce of its own.
Case beside_an_open_one() {
  HistoryBuilder h;
  const HoldId outer = h.at(10_ms).begin(kClient1);
  h.key_set(outer);
  h.at(20_ms).granted(outer);
  const HoldId second = h.at(30_ms).begin(kClient1);
  const std::uint32_t granted = h.granted(second);
  const std::uint32_t inside = h.at(40_ms).enter(second);
  return violated("beside a hold that is open", h, 1, {granted, inside});
}

Case of_another_process() {
  HistoryBuilder h;
  const HoldId outer = h.at(10_ms).begin(kClient1);
  h.key_set(outer);
  Record again = h.history().at(h.at(20_ms).granted(outer));
  const HoldId other = h.at(30_ms).begin(kClient2);
  again.hold = other.value;
  const std::uint32_t granted = h.add(again);
  const std::uint32_t inside = h.at(40_ms).enter(other);
  return violated("nested in another process's hold", h, 1, {granted, inside});
}

Case outlived() {
  HistoryBuilder h;
  const HoldId hold = h.at(10_ms).begin(kClient1);
  h.key_set(hold);
  h.granted(hold);
  h.enter(hold);
  h.leave(hold);
  const std::uint32_t release = h.at(20_ms).release(hold);
  h.released(hold);
  const std::uint32_t sent = h.at(30_ms).send_effect(hold);
  h.at(40_ms).enter(hold);
  return violated("a token that outlives its hold", h, 1, {release, sent});
}

}  // namespace

std::vector<Case> no_open_door_cases() {
  return {holds("as it should be", as_it_should_be(), 1),
          holds("refused, and gone", refused_and_gone(), 0),
          holds("granted, and unused", granted_and_unused(), 0),
          holds("accepted after the release", accepted_late(), 1),
          holds("by quorum", by_quorum(), 1),
          holds("one node of several", one_node_of_several(), 1),
          holds("nested in a hold of its own", nested(), 2),
          holds("joined another chain's count", joined(), 1),
          holds("a lock that names no nonce", names_no_nonce(), 1),
          holds("the probe", probe(), 0),
          fails_open(),
          on_a_replica_only(),
          joined_otherwise("a replica's count", event_flags::kReplica, false),
          joined_otherwise("a field that went out", event_flags::kRemoved, false),
          joined_otherwise("a count after the answer", 0, true),
          minority(),
          refused_and_inside(),
          stranger(),
          inherited(),
          beside_an_open_one(),
          of_another_process(),
          outlived()};
}

namespace {

TEST(NoOpenDoor, AgreesWithItsCases) {
  expect_agreement(no_open_door(), no_open_door_cases());
}

TEST(NoOpenDoor, SaysWhatIsMissing) {
  EXPECT_EQ(why(no_open_door(), fails_open().history),
            "client-1 worked under lock:order-42 at 60.000ms, granted at 50.000ms, but no server "
            "that answers for it had stored it");
  EXPECT_EQ(why(no_open_door(), refused_and_inside().history),
            "client-1 worked under lock:order-42 at 30.000ms without having been granted it");
  EXPECT_EQ(why(no_open_door(), outlived().history),
            "client-1 worked under lock:order-42 at 30.000ms, after it had asked for its release "
            "at 20.000ms");
}

}  // namespace
}  // namespace locklab::testing
