// Driver: what becomes of keys: what is seen on a server, where a record tells of a change.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "tests/real/driver.h"
#include "tests/real/records.h"

namespace locklab::real {
namespace {

/// Effects of one command come to a replica together, though each has a record.
bool belongs_to_one_command(EventKind kind) {
  return kind == EventKind::effect_applied || kind == EventKind::key_set ||
         kind == EventKind::key_deleted || kind == EventKind::key_ttl ||
         kind == EventKind::key_value;
}

}  // namespace

/// Whether the same command says later, of the same key, something that hides what this record
/// says. If nothing does, the server shows it.
bool Driver::is_hidden(const Record& record) const {
  for (std::uint32_t seq = record.seq + 1; seq <= simulated_.records().size(); ++seq) {
    const Record& later = simulated_.at(seq);
    const bool same_command = later.actor == record.actor && later.t == record.t;
    if (!same_command || !belongs_to_one_command(later.kind)) return false;
    if (later.lock != record.lock || later.kind == EventKind::effect_applied) continue;
    switch (later.kind) {
      case EventKind::key_ttl:
        // Of a key that is set, the value stays to be seen.
        if (record.kind == EventKind::key_ttl) return true;
        break;
      case EventKind::key_value:
        if (record.kind == EventKind::key_value && record.nonce == later.nonce) return true;
        break;
      default:
        return true;
    }
  }
  return false;
}

/// Whether that command says something of that kind, later, of the same key.
bool Driver::has_later(const Record& record, EventKind kind) const {
  for (std::uint32_t seq = record.seq + 1; seq <= simulated_.records().size(); ++seq) {
    const Record& later = simulated_.at(seq);
    if (later.actor != record.actor || later.t != record.t || !belongs_to_one_command(later.kind))
      break;
    if (later.lock == record.lock && later.kind == kind) return true;
  }
  return false;
}

void Driver::on_key(const Record& record) {
  Node& node = node_of(record);
  const std::string name(text(record.lock));
  Record real;
  real.actor = record.actor;
  real.kind = record.kind;
  real.lock = static_cast<std::uint16_t>(walk_.history.intern(name).value);
  real.flags = node.replica ? event_flags::kReplica : std::uint16_t{0};
  real.epoch = node.epoch;
  // On a replica there is no caller to be seen: the simulation's word.
  real.hold = node.replica ? record.hold : node.caller.value;
  ++walk_.key_changes;
  if (record.kind == EventKind::key_set) {
    see_new_key(record, node, name, real);
  } else {
    const SeenKey* const before = node.keys.told(name);
    if (before == nullptr) differ(record, "the server has had no such key");
    real.arg = static_cast<std::int64_t>(before->creator.bits);
    if (record.kind != EventKind::key_value) {
      real.nonce = walk_.history.intern(before->text()).value;
    }
    if (record.kind == EventKind::key_deleted) {
      see_end_of_key(record, node, name, real);
    } else {
      see_changed_key(record, node, name, real);
    }
  }
  note(real, record);
}

void Driver::see_new_key(const Record& record, Node& node, const std::string& name, Record& real) {
  SeenKey key;
  const bool hidden = is_hidden(record);
  const SeenKey* const seen = node.keys.seen(name);
  if (!hidden && seen == nullptr) differ(record, "the server has no such key");
  if (hidden || has_later(record, EventKind::key_value)) {
    // What stood there in between nobody can see.
    key.is_hash = seen != nullptr ? seen->is_hash : has_later(record, EventKind::key_value);
    const std::string value(text(record.nonce));
    if (!key.is_hash) key.value = value;
    for (std::size_t at = 0; key.is_hash && at < value.size();) {
      const std::size_t end = std::min(value.find(' ', at), value.size());
      key.fields.emplace_back(value.substr(at, end - at), "");
      at = end + 1;
    }
  } else {
    key = *seen;
  }
  key.expiry = hidden || has_later(record, EventKind::key_ttl) ? record.result : seen->expiry;
  if (node.cause) {
    key.creator = *node.cause;
    creators_[{name, key.text()}] = *node.cause;
  } else {  // It came from another server, or from a file.
    const auto creator = creators_.find({name, key.text()});
    if (creator != creators_.end()) key.creator = creator->second;
  }
  real.nonce = walk_.history.intern(key.text()).value;
  real.arg = static_cast<std::int64_t>(key.creator.bits);
  real.result = key.expiry;
  real.hold = node.cause ? node.caller.value : key.creator.hold().value;
  node.keys.tell(name) = key;
}

void Driver::see_changed_key(const Record& record, Node& node, const std::string& name,
                             Record& real) {
  const SeenKey* const seen = node.keys.seen(name);
  const bool hidden = is_hidden(record);
  SeenKey& told = node.keys.tell(name);
  if (!hidden && seen == nullptr) differ(record, "the server has no such key");
  if (record.kind == EventKind::key_ttl) {
    told.expiry = hidden ? record.result : seen->expiry;
    real.result = told.expiry;
    return;
  }
  const std::string field(text(record.nonce));
  real.nonce = walk_.history.intern(field).value;
  const std::string* const value = hidden ? nullptr : seen->field(field);
  if (value == nullptr && !hidden && !record.has(event_flags::kRemoved)) {
    differ(record, "the key has no such field");
  }
  if (value == nullptr) {
    real.flags |= record.flags & (event_flags::kRemoved | event_flags::kText);
    real.result = record.has(event_flags::kText)
                      ? walk_.history.intern(text(static_cast<std::uint32_t>(record.result))).value
                      : record.result;
    if (record.has(event_flags::kRemoved)) return told.remove(field);
    return told.set(field, record.has(event_flags::kText)
                               ? std::string(text(static_cast<std::uint32_t>(record.result)))
                               : word_of(record.result));
  }
  real.result = number_of(*value);
  if (word_of(real.result) != *value) {
    real.flags |= event_flags::kText;
    real.result = walk_.history.intern(*value).value;
  }
  told.set(field, *value);
}

void Driver::see_end_of_key(const Record& record, Node& node, const std::string& name,
                            Record& real) {
  const SeenKey& before = *node.keys.told(name);
  const bool expired = !node.replica && before.is_expired(node.server->clock() / 1000);
  const bool replaced = has_later(record, EventKind::key_set);
  if (!replaced && node.keys.seen(name) != nullptr) {
    // Expired: whoever asks finds nothing, and a primary deletes it then.
    if (!expired || !node.server->answers()) differ(record, "the server still has that key");
    if (node.server->command({"EXISTS", name}).integer != 0) differ(record, "the key lives on");
    node.keys.look(*node.server);
  }
  if (expired) real.flags |= event_flags::kByExpiry;
  if (node.replica) real.flags |= record.flags & event_flags::kByExpiry;
  // A new one in the place of one that lived: a command that writes over it, or deletes it first.
  if (replaced && !expired) real.flags |= record.flags & event_flags::kOverwritten;
  if (expired && record.hold != real.hold) real.hold = record.hold;  // Nobody's, or who found it.
  node.keys.tell_end_of(name);
}

void Driver::on_key_lost(const Record& record) {
  Node& node = node_of(record);
  const std::string name(text(record.lock));
  const SeenKey* const key = node.keys.told(name);
  if (key == nullptr) differ(record, "the server has no such key");
  if (node.server->answers()) {
    const std::int64_t now = node.server->unix_milliseconds();
    if (!key->is_expired(now)) {
      differ(record, "the server's clock reads " + std::to_string(now) +
                         ", and the key lives until " + std::to_string(key->expiry));
    }
  }
  Record real;
  real.actor = record.actor;
  real.kind = EventKind::key_lost;
  real.lock = static_cast<std::uint16_t>(walk_.history.intern(name).value);
  real.flags = node.replica ? event_flags::kReplica : std::uint16_t{0};
  real.hold = key->creator.hold().value;
  real.nonce = walk_.history.intern(key->text()).value;
  real.epoch = node.epoch;
  real.arg = static_cast<std::int64_t>(key->creator.bits);
  note(real, record);
}

/// Whatever a server's last command changed has been told: nothing else may have changed.
void Driver::check_keys(const Record& record, const Node& node) const {
  const std::string key = node.keys.astray();
  if (key.empty()) return;
  const auto shown = [](const SeenKey* one) {
    return one == nullptr ? "not there" : one->text() + " until " + std::to_string(one->expiry);
  };
  differ(record, "the key " + key + " has changed besides: it is " + shown(node.keys.seen(key)) +
                     ", and was " + shown(node.keys.told(key)));
}

/// Where no command of that server follows, whose answer would be looked at.
void Driver::check_keys_anew(const Record& record, Node& node) const {
  if (node.server->answers()) node.keys.look(*node.server);
  check_keys(record, node);
}

}  // namespace locklab::real
