// Words: one sentence per kind, in the active voice, with the names of the history.
// SPDX-License-Identifier: Apache-2.0
#include "reports/words.h"

#include <array>

#include <fmt/format.h>

#include "sim/net/network.h"
#include "sim/redis/reply.h"

namespace locklab {
namespace {

constexpr std::int64_t kNsPerMs = 1'000'000;

std::string for_length(Duration length) {
  if (length == Duration::forever()) return " for good";
  return length == Duration() ? "" : " for " + length_of(length);
}

std::string link_of(const FaultAmounts& fault) {
  if (fault.peer.empty()) return "a link of " + fault.target;
  return "the link between " + fault.target + " and " + fault.peer;
}

std::string signed_length(Duration length) {
  return (length < Duration() ? "-" : "+") + length_of(length < Duration() ? -length : length);
}

std::string strike_sentence(const FaultAmounts& fault) {
  switch (fault.kind) {
    case FaultKind::slow:
      return link_of(fault) + " slows by " + length_of(fault.size) + for_length(fault.length);
    case FaultKind::lag:
      return "replication at " + fault.target + " lags" + for_length(fault.length);
    case FaultKind::lost_reply:
      return "the next reply to " + fault.target + " is lost and its connection breaks";
    case FaultKind::reset:
      return "a connection of " + fault.target + " is reset";
    case FaultKind::stall:
      return "one fiber of " + fault.target + " stalls" + for_length(fault.length);
    case FaultKind::cancel:
      return "a wait of " + fault.target + " is cancelled";
    case FaultKind::cut:
      return link_of(fault) + " is cut" + for_length(fault.length);
    default:
      return {};
  }
}

std::string host_sentence(const FaultAmounts& fault) {
  const std::string host = "the host of " + fault.target;
  switch (fault.kind) {
    case FaultKind::slew:
      return "the clocks of " + host + " slew by " + signed_length(fault.size);
    case FaultKind::rate:
      return "the clocks of " + host + " change their rate" + for_length(fault.length);
    case FaultKind::jump:
      return "the wall clock of " + host + " jumps by " + signed_length(fault.size);
    case FaultKind::suspend:
      return host + " is suspended" + for_length(fault.length);
    case FaultKind::freeze:
      return host + " is frozen, clocks and all," + for_length(fault.length);
    case FaultKind::host_loss:
      return host + " is lost";
    default:
      return {};
  }
}

std::string deadline_name(DeadlineKind kind) {
  switch (kind) {
    case DeadlineKind::key_expiry:
      return "the expiry of a key of ";
    case DeadlineKind::claim_end:
      return "the end of the lease of ";
    case DeadlineKind::rpc_timeout:
      return "the timeout of a call of ";
    case DeadlineKind::sleep:
      return "the end of a sleep of ";
    case DeadlineKind::tick:
      return "a tick of ";
    case DeadlineKind::detect:
      return "the detection by ";
    case DeadlineKind::restart:
      return "the restart of ";
    case DeadlineKind::fault_end:
      return "the end of a fault of ";
    case DeadlineKind::none:
    case DeadlineKind::count:
      break;
  }
  return "a deadline of ";
}

}  // namespace

std::string milliseconds_of(Instant at) {
  std::string text = to_string(at);
  if (text.ends_with("ms")) text.resize(text.size() - 2);
  return text;
}

std::string length_of(Duration length) {
  if (length == Duration::forever()) return "forever";
  const std::int64_t ns = record_bits(length);
  if (ns % kNsPerMs == 0) return fmt::format("{}ms", ns / kNsPerMs);
  return fmt::format("{}{}.{:03}ms", ns < 0 && ns / kNsPerMs == 0 ? "-" : "", ns / kNsPerMs,
                     (ns < 0 ? -ns : ns) % kNsPerMs / 1000);
}

std::string actor_name(const History& history, ActorId actor) {
  if (is_link(actor)) {
    return actor_name(history, link_from(actor)) + " to " + actor_name(history, link_to(actor));
  }
  if (actor.value >= history.actors.size()) return fmt::format("actor-{}", actor.value);
  const std::string& name = history.actors[actor.value].name;
  return name.empty() ? "the world" : name;
}

std::string holder_name(const History& history, HoldId hold) {
  return hold ? actor_name(history, hold.process()) : std::string();
}

std::string hold_name(const History& history, HoldId hold) {
  if (!hold) return {};
  return fmt::format("{}, hold {}", holder_name(history, hold), hold.number());
}

ActorId endpoint_of(const Record& record) {
  return ActorId{static_cast<std::uint16_t>(record.arg >> 32)};
}

std::string command_of(const History& history, const Record& applied, std::uint32_t stored) {
  const auto name = static_cast<std::uint32_t>(applied.arg);
  const auto last = static_cast<std::uint32_t>(static_cast<std::uint64_t>(applied.arg) >> 32);
  std::string out(history.text(name));
  if (applied.lock != 0) out += " " + std::string(history.text(applied.lock));
  if (stored != 0 && stored != last) out += " " + std::string(history.text(stored));
  if (last == 0) return out;
  // SET carries its value and its options before the last argument; only the ends are recorded.
  if (out.starts_with("SET ")) out += " …";
  return out + " " + std::string(history.text(last));
}

std::string reply_of(const History& history, const Record& applied) {
  // Kernel encoding: kind in the low four bits, an integer above them (sim/redis/node.h
  // reply_code).
  const auto kind = static_cast<redis::ReplyKind>(applied.result & 15);
  std::string text(history.text(applied.nonce));
  switch (kind) {
    case redis::ReplyKind::nil:
    case redis::ReplyKind::null_array:
      return "(nil)";
    case redis::ReplyKind::status:
      return text;
    case redis::ReplyKind::error:
      return "(error) " + text;
    case redis::ReplyKind::integer:
      return fmt::format("{}", applied.result >> 4);
    case redis::ReplyKind::bulk:
      return "\"" + text + "\"";
    case redis::ReplyKind::array:
      return "(array)";
  }
  return "?";
}

std::string fault_sentence(const FaultAmounts& fault) {
  if (std::string sentence = strike_sentence(fault); !sentence.empty()) return sentence;
  if (std::string sentence = host_sentence(fault); !sentence.empty()) return sentence;
  switch (fault.kind) {
    case FaultKind::pause:
    case FaultKind::node_pause:
      return fault.target + " stops" + for_length(fault.length);
    case FaultKind::panic:
      return fault.target + " panics";
    case FaultKind::kill:
    case FaultKind::node_kill:
      if (fault.end == EndKind::host_loss)
        return "the operating system of " + fault.target + " dies";
      return fault.target + " is killed";
    case FaultKind::failover:
      return "a failover: the old primary runs on";
    case FaultKind::evict:
      return fault.target + " evicts a key";
    case FaultKind::flush:
      return fault.target + " loses all its keys";
    default:
      return std::string(name_of(fault.kind)) + " strikes " + fault.target;
  }
}

std::string suffixes_sentence(const Suffixes& suffixes) {
  if (suffixes.drawn == 0) return {};
  if (suffixes.blocked == suffixes.drawn) {
    return fmt::format("blocked in all {} jittered suffixes", suffixes.drawn);
  }
  std::string text = fmt::format("it depends on what follows: of {} jittered suffixes {} are live",
                                 suffixes.drawn, suffixes.live);
  text += fmt::format(", {} blocked", suffixes.blocked);
  if (suffixes.unknown > 0) text += fmt::format(", {} unknown", suffixes.unknown);
  return text;
}

std::string bucket_name(const History& history, Bucket bucket) {
  constexpr std::array<std::string_view, Bucket::constant_count> kConstants = {
      "a round trip", "a third of the TTL",        "the TTL less the margin",
      "the TTL",      "the TTL and a millisecond", "twice the TTL"};
  if (bucket.is_deadline()) {
    const bool after = bucket.side() == Bucket::Side::after;
    return (after ? "just after " : "just before ") + deadline_name(bucket.deadline()) +
           actor_name(history, bucket.owner());
  }
  return bucket.bits < kConstants.size() ? std::string(kConstants[bucket.bits]) : "?";
}

std::string deviation_sentence(const History& history, const Deviation& deviation) {
  const Address& address = deviation.address;
  std::string out = actor_name(history, address.actor());
  if (const std::string_view label = name_of(address.label()); !label.empty() && label != "?") {
    out += " at " + std::string(label);
  }
  const HoldId hold = address.cause().hold();
  if (hold) out += " (" + hold_name(history, hold) + ")";
  out += ": ";
  if (address.kind() != ChoiceKind::fault_at_label) {
    return out + fmt::format("{} {}", name_of(address.kind()), deviation.value);
  }
  const FaultValue fault = FaultValue::unpack(deviation.value);
  return out + std::string(name_of(fault.kind)) + ", length " + bucket_name(history, fault.length);
}

}  // namespace locklab
