// Driver: what servers execute, and what can be seen of it on them.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <poll.h>

#include "tests/real/driver.h"
#include "tests/real/records.h"

namespace locklab::real {
namespace {

constexpr std::string_view kFalsified = "$-1\r\n";
constexpr std::string_view kBlocking = "WAIT";

}  // namespace

Driver::Node& Driver::node_at(ActorId actor, Instant at) {
  Node& node = nodes_.at(actor);
  node.server->set_clock(unix_microseconds(clocks_.wall(actor, at)));
  return node;
}

Driver::Node& Driver::node_of(const Record& record) {
  return node_at(record.who(), record.at());
}

/// The record of the request that led to this one.
const Record& Driver::sending(const Record& record) const {
  if (record.kind == EventKind::applied &&
      text(static_cast<std::uint32_t>(record.arg)) == kBlocking) {
    // What ends the wait led to this, perhaps on behalf of somebody else.
    const std::uint32_t sent = wires_.blocked(record.who(), record.hold_id(), kBlocking);
    const bool queue = scenario_.world.topology.network.queue;
    if (sent == 0 && queue) throw Unmapped("a WAIT that a queue delivers twice");
    if (sent == 0) differ(record, "nobody waits");
    return simulated_.at(sent);
  }
  const Record* cause = &record;
  while (cause->kind != EventKind::sent) {
    if (cause->cause == 0) throw Unmapped("a request without a sender");
    cause = &simulated_.at(cause->cause);
  }
  return *cause;
}

/// Lets the request go to its server, whose reply waits for its time; or lets a queue deliver it
/// once more, and then nobody gets the reply.
Driver::Exchange Driver::exchange(const Record& record) {
  const Record& sent = sending(record);
  const auto delivered = delivered_.find(sent.seq);
  if (delivered != delivered_.end()) {
    return {delivered->second, wires_.repeat(record.who(), delivered->second)};
  }
  const std::uint32_t connection = connection_of(sent);
  Wire& wire = wires_.at(connection);
  if (wire.requests.empty() || wire.requests.front().sent != sent.seq) {
    differ(record, "another request comes first");
  }
  if (wire.requests.front().title == kBlocking) {
    exchange_wait(record, connection);
  } else {
    wires_.pass_request(connection);
  }
  std::string reply = wires_.take_reply(connection);
  wire.replies.push_back({reply, sent.hold_id()});
  HeldRequest request = std::move(wire.requests.front());
  wire.requests.pop_front();
  if (scenario_.world.topology.network.queue) delivered_[sent.seq] = request;
  return {std::move(request), std::move(reply)};
}

/// A client that is blocked in WAIT is answered when enough replicas have said what they have, or
/// when its time is over by the server's clock. How many have been heard is the network's doing,
/// and so the driver's; what they say is their own.
void Driver::exchange_wait(const Record& record, std::uint32_t connection) {
  Node& node = node_of(record);
  const Words argv = wires_.at(connection).requests.front().argv;
  const std::int64_t enough = number_of(argv.at(1));
  const std::int64_t heard = record.result / 16;  // sim/redis/node.h reply_code()
  if (heard > enough) pass_acknowledgements(record, heard);
  wires_.pass_request(connection);
  if (heard <= enough) pass_acknowledgements(record, heard);
  if (heard >= enough) return;
  const std::int64_t now = node.server->clock();
  node.server->set_clock(now + (number_of(argv.at(2)) + 1) * 1000);
  wires_.at(connection).to_server.wait(kPatienceMs);
  node.server->set_clock(now);
}

void Driver::pass_acknowledgements(const Record& record, std::int64_t count) {
  for (int waited = 0; count > 0 && waited < kPatienceMs; ++waited) {
    std::vector<ReplicationLink*> sayers;
    for (auto& [actor, node] : nodes_) {
      if (!node.link || node.follows != record.who() || !node.link->is_synchronised()) continue;
      if (node.link->held() == 0 && node.link->has_acknowledged()) {
        sayers.push_back(node.link.get());
      }
    }
    if (static_cast<std::int64_t>(sayers.size()) < count) {
      poll(nullptr, 0, 1);
      continue;
    }
    sayers.resize(static_cast<std::size_t>(count));
    for (ReplicationLink* const link : sayers)
      link->pass_acknowledgement();
    break;
  }
  nodes_.at(record.who()).server->command({"PING"});  // What was written before has been read then.
}

void Driver::on_applied(const Record& record) {
  Node& node = node_of(record);
  if (scenario_.world.topology.min_replicas > 0 && record.at() <= node.end_arrives) {
    throw Unmapped("a command at a server that does not know yet of its replica's end");
  }
  check_keys(record, node);
  const std::uint32_t connection = connection_of(sending(record));
  const auto [request, reply] = exchange(record);
  std::deque<HeldReply>& replies = wires_.at(connection).replies;
  const bool falsified = ++walk_.commands == options_.falsified_reply;
  if (walk_.commands == options_.stray_write) node.server->command({"SET", "stray", "1"});
  if (falsified && !replies.empty()) replies.back().bytes = kFalsified;
  const Value value = decode(reply);
  const Words& argv = request.argv;
  const std::size_t key = argv.size() > 3 && argv[0].starts_with("EVAL") ? 3 : 1;
  const std::uint32_t last =
      argv.size() > key + 1 ? walk_.history.intern(argv.back()).value : std::uint32_t{0};
  Record real;
  real.actor = record.actor;
  real.kind = EventKind::applied;
  if (argv.size() > key) {
    real.lock = static_cast<std::uint16_t>(walk_.history.intern(argv[key]).value);
  }
  real.flags = node.replica ? event_flags::kReplica : std::uint16_t{0};
  real.hold = request.hold.value;
  real.nonce = walk_.history.intern(value.text).value;
  real.epoch = node.epoch;
  real.arg = static_cast<std::int64_t>(walk_.history.intern(request.title).value) |
             static_cast<std::int64_t>(last) << 32;
  real.result = code_of(value);
  note(real, record);
  node.caller = request.hold;
  node.cause = request.span;
  node.keys.look(*node.server);
}

void Driver::on_fence(const Record& record) {
  const auto [request, reply] = exchange(record);
  const Value value = decode(reply);
  Record real;
  real.actor = record.actor;
  real.kind = EventKind::fence_issued;
  real.hold = request.hold.value;
  real.fence = static_cast<std::uint32_t>(value.integer);
  ++walk_.other_calls;
  note(real, record);
}

void Driver::on_resource(const Record& record) {
  const auto [request, reply] = exchange(record);
  const Value value = decode(reply);
  const Words& argv = request.argv;
  const ResourceOp op =
      argv[0] == name_of(ResourceOp::append) ? ResourceOp::append : ResourceOp::read;
  Record real;
  real.actor = record.actor;
  real.kind = EventKind::resource_op;
  real.hold = static_cast<std::uint32_t>(number_of(argv[5]));
  real.fence = static_cast<std::uint32_t>(number_of(argv[2]));
  real.arg = static_cast<std::int64_t>(op) | number_of(argv[1]) << 8;
  real.result = value.children.at(2).integer;
  real.nonce = static_cast<std::uint32_t>(number_of(argv[3]));
  if (value.children.at(0).integer == 0) real.flags |= event_flags::kRejected;
  if (value.children.at(3).integer != 0) real.flags |= event_flags::kWouldReject;
  ++walk_.other_calls;
  note(real, record);
}

// --- Replication --------------------------------------------------------------------------------

void Driver::on_effect_sent(const Record& record) {
  Node& replica = node_at(ActorId{static_cast<std::uint16_t>(record.arg)}, record.at());
  // The copy that a new primary sends is made here when it arrives (on_resynced).
  const bool follows = replica.follows == record.who();
  if (follows && !replica.link) differ(record, "the replica follows nobody");
  if (!follows || !replica.link->is_synchronised()) {
    throw Unmapped("an effect behind a copy under way");
  }
  if (!replica.link->await_held(replica.outstanding)) differ(record, "the primary sends nothing");
  ++replica.outstanding;
  note_as_done(record);
}

void Driver::on_effect_applied(const Record& record) {
  Node& node = node_of(record);
  if (!node.link || node.outstanding == 0) differ(record, "there is nothing to be applied");
  --node.outstanding;
  const bool first = node.link->pass_one();
  if (first) check_keys(record, node);
  ++walk_.effects;
  note_as_done(record);
  node.cause.reset();
  if (first) node.keys.look(*node.server);
}

void Driver::leak(Node& node) {
  while (node.link->held() > 0)
    node.link->pass_one();
  node.keys.adopt(*node.server, creators_);
}

/// One effect too many could still be on its way. What a server has to write, it writes before it
/// answers what came later; the first answer may have been under way with the word that lets it
/// begin (replication_link.cpp held()).
void Driver::let_primary_write(Node& node) {
  RedisServer& primary = *nodes_.at(node.follows).server;
  node.link->held();
  for (int i = 0; i < 2; ++i)
    primary.command({"PING"});
}

/// A server that finds the end of a connection and a command in one pass answers the command as if
/// nothing had ended: it is made to take the end first.
void Driver::see_end(Node& primary) {
  primary.has_end_to_see = !primary.server->answers();
  for (int i = 0; i < 2 && !primary.has_end_to_see; ++i)
    primary.server->command({"PING"});
}

void Driver::on_promoted(const Record& record) {
  Node& node = node_of(record);
  check_keys_anew(record, node);
  Record real = record;
  if (node.link) {
    // What a primary that was stopped or killed had not even sent cannot be seen.
    const bool visible = nodes_.at(node.follows).server->answers();
    if (visible) {
      if (record.arg > 0) node.link->await_held(static_cast<std::size_t>(record.arg) - 1);
      let_primary_write(node);
    }
    if (options_.leaking_replication) leak(node);
    // What its primary had sent and the proxy keeps: it never gets there.
    const auto held = static_cast<std::int64_t>(node.link->held());
    real.arg = visible ? held : std::max(held, record.arg);
  }
  node.server->command({"REPLICAOF", "NO", "ONE"});
  const Value role = node.server->command({"ROLE"});
  if (role.children.at(0).text != "master") differ(record, "it stays a replica");
  node.replica = false;
  node.epoch = record.epoch;
  const bool had_link = node.link != nullptr;
  node.link.reset();
  if (had_link) {
    Node& primary = nodes_.at(node.follows);
    primary.end_arrives = record.at() + scenario_.world.topology.network.latency;
    see_end(primary);
  }
  node.outstanding = 0;
  primary_ = record.who();
  for (auto& [actor, seat] : seats_)
    seat.promoted_since_death = seat.promoted_since_death || !seat.client;
  note(real, record);
}

void Driver::on_demoted(const Record& record) {
  Node& node = node_of(record);
  check_keys_anew(record, node);
  node.follows = ActorId{static_cast<std::uint16_t>(record.arg)};
  node.link = std::make_unique<ReplicationLink>(*nodes_.at(node.follows).server, *node.server);
  node.replica = true;
  node.epoch = record.epoch;
  node.outstanding = 0;
  note_as_done(record);
}

void Driver::on_resynced(const Record& record) {
  Node& node = node_of(record);
  const ActorId from{static_cast<std::uint16_t>(record.arg)};
  Node& primary = node_at(from, record.at());
  check_keys_anew(record, node);
  if (!primary.server->answers()) throw Unmapped("a copy under way from a server that has stopped");
  if (!node.link || node.follows != from || node.link->is_synchronised()) {
    node.link = std::make_unique<ReplicationLink>(*primary.server, *node.server);
  }
  node.follows = from;
  node.outstanding = 0;
  node.link->synchronise();
  node.keys.adopt(*node.server, creators_);
  Keys original;
  original.look(*primary.server);
  const std::string key = node.keys.unlike(original);
  if (!key.empty()) differ(record, "the key " + key + " is not as its primary has it");
  note_as_done(record);
}

}  // namespace locklab::real
