// ReplicationLink: cuts the stream of a real primary into effects.
// SPDX-License-Identifier: Apache-2.0
#include "tests/real/replication_link.h"

#include <array>
#include <poll.h>
#include <utility>

#include "sim/redis/command.h"

namespace locklab::real {
namespace {

constexpr int kRelayWaitMs = 1;

std::int64_t offset_of(RedisServer& replica) {
  // ROLE of a replica: "slave", host, port, state of the link, offset.
  const Value role = replica.command({"ROLE"});
  const bool connected = role.children.size() == 5 && role.children[3].text == "connected";
  return connected ? role.children[4].integer : -1;
}

bool is_named(std::string_view word, std::string_view name) {
  return redis::equals_ignoring_case(word, name);
}

}  // namespace

ReplicationLink::ReplicationLink(RedisServer& primary, RedisServer& replica)
    : primary_(primary), replica_(replica), listener_(listen_on_loopback()) {
  replica_.command({"REPLICAOF", "127.0.0.1", std::to_string(listener_.port)});
}

void ReplicationLink::connect() {
  to_replica_ = listener_.accept();
  std::optional<Stream> stream = connect_to_path(primary_.socket_path());
  if (!stream) throw Trouble("the primary of a replication link refuses");
  to_primary_ = *std::move(stream);
}

/// Passes on what has come from either side.
void ReplicationLink::relay() {
  std::array<pollfd, 2> fds = {{{to_replica_.fd(), POLLIN, 0}, {to_primary_.fd(), POLLIN, 0}}};
  poll(fds.data(), fds.size(), kRelayWaitMs);
  to_replica_.pump();
  to_primary_.pump();
  take_replica_words(true);
  if (!to_primary_.buffer().empty()) to_replica_.write(to_primary_.buffer());
  to_primary_.buffer().clear();
}

/// Of what the replica says, all passes while they synchronise; later only what it has executed is
/// kept, to be passed on when its time comes.
void ReplicationLink::take_replica_words(bool all_pass) {
  while (const std::size_t length = value_length(to_replica_.buffer())) {
    const std::string bytes = to_replica_.buffer().substr(0, length);
    to_replica_.buffer().erase(0, length);
    const Words words = words_of(decode(bytes));
    if (words.size() == 3 && is_named(words[1], "ACK")) {
      acknowledgement_ = bytes;
      acknowledged_ = number_of(words[2]);
    }
    if (all_pass) to_primary_.write(bytes);
  }
}

void ReplicationLink::synchronise() {
  if (!to_replica_.is_open()) connect();
  for (int waited = 0; waited < kPatienceMs; ++waited) {
    relay();
    const std::int64_t offset = offset_of(replica_);
    if (offset < 0) continue;
    const std::string info = primary_.command({"INFO", "replication"}).text;
    const bool level =
        info.find("master_repl_offset:" + std::to_string(offset) + "\r") != std::string::npos &&
        info.find("state=online") != std::string::npos;
    if (!level) continue;
    offset_ = offset;
    executed_ = offset;
    synchronised_ = true;
    return;
  }
  throw Trouble("a replica does not synchronise");
}

/// What one command did stands between MULTI and EXEC, and is one effect.
void ReplicationLink::cut_into_effects() {
  while (const std::size_t length = value_length(to_primary_.buffer())) {
    const std::string bytes = to_primary_.buffer().substr(0, length);
    to_primary_.buffer().erase(0, length);
    const Words words = words_of(decode(bytes));
    open_.bytes += bytes;
    const bool frames = is_named(words.front(), "MULTI") || is_named(words.front(), "EXEC");
    if (frames) in_multi_ = is_named(words.front(), "MULTI");
    if (!frames && !is_named(words.front(), "SELECT") && !is_named(words.front(), "REPLCONF"))
      ++open_.effects;
    if (in_multi_ || is_named(words.front(), "SELECT")) continue;
    held_.push_back(std::exchange(open_, {}));
    streams_ = true;
  }
}

/// Questions what the replica has (REPLCONF GETACK) wait for what stands before them, and no
/// longer.
void ReplicationLink::pass_questions() {
  while (!held_.empty() && held_.front().effects == 0) {
    pass(held_.front().bytes);
    held_.pop_front();
  }
}

std::size_t ReplicationLink::held() {
  to_replica_.pump();
  to_primary_.pump();
  take_replica_words(false);
  // Before the first acknowledgement a primary sends nothing
  // (redis/src/replication.c replicaStartCommandStream).
  if (!streams_ && !acknowledgement_.empty()) pass_acknowledgement();
  cut_into_effects();
  pass_questions();
  std::size_t effects = passed_along_;
  for (const Held& held : held_)
    effects += held.effects;
  return effects;
}

bool ReplicationLink::await_held(std::size_t known) {
  for (int waited = 0; waited < kPatienceMs && held() <= known; ++waited)
    to_primary_.wait(1);
  return held() > known;
}

void ReplicationLink::pass_acknowledgement() {
  if (to_primary_.pump()) to_primary_.write(acknowledgement_);
}

void ReplicationLink::pass(const std::string& bytes) {
  to_replica_.write(bytes);
  offset_ += static_cast<std::int64_t>(bytes.size());
}

bool ReplicationLink::pass_one() {
  if (passed_along_ > 0) {
    --passed_along_;
    return false;
  }
  if (!await_held(0)) throw Trouble("the primary sends no effect to its replica");
  pass_questions();
  pass(held_.front().bytes);
  executed_ = offset_;
  passed_along_ = held_.front().effects - 1;
  held_.pop_front();
  await_offset();
  pass_questions();
  return true;
}

void ReplicationLink::await_offset() {
  for (int waited = 0; waited < kPatienceMs; ++waited) {
    if (offset_of(replica_) >= offset_) return;
    poll(nullptr, 0, 1);
  }
  throw Trouble("a replica does not execute what it was sent");
}

}  // namespace locklab::real
