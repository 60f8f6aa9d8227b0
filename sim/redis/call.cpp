// Lookup with expiry, and the changes of keys with their reports.
// SPDX-License-Identifier: Apache-2.0
#include "sim/redis/call.h"

#include "sim/contract.h"

namespace locklab::redis {
namespace {

std::string_view text_of(const Entry& entry) {
  const std::string* text = entry.string();
  return text == nullptr ? std::string_view() : std::string_view(*text);
}

/// What a change of `entry` has to say of its past.
Change change_of(const Entry& entry, ChangeKind kind, Arena& arena) {
  Change change;
  change.kind = kind;
  change.key = arena.copy(entry.key());
  change.old_value = arena.copy(text_of(entry));
  change.old_creator = entry.creator;
  change.old_expiry = entry.expiry();
  return change;
}

}  // namespace

void expire(Keyspace& keys, Entry& entry, Arena& arena, EffectSink& effects) {
  const Change change = change_of(entry, ChangeKind::expired, arena);
  effects.report(change);
  const std::string_view del[] = {"DEL", change.key};
  effects.propagate(arena.copy(Command(del)));
  keys.erase(entry);
}

Entry* Call::lookup(std::string_view key) {
  Entry* entry = keys().find(key);
  if (entry == nullptr || !expired(*entry)) return entry;
  if (context_.role == Role::primary && !context_.deletion_paused) {
    expire(keys(), *entry, arena_, effects_);
  }
  return nullptr;
}

bool Call::hides(const Entry& entry) const {
  return expired(entry);
}

void Call::report(Change change, const Entry& after) {
  change.new_value = arena_.copy(text_of(after));
  change.new_creator = after.creator;
  change.new_expiry = after.expiry();
  effects_.report(change);
}

Entry& Call::store(Entry* existing, std::string_view key, std::string_view value, UnixMs expiry,
                   Incarnation incarnation) {
  Change change;
  if (existing == nullptr) {
    // An expired key that may not be deleted now is still in the table; the new one takes its
    // place.
    existing = keys().find(key);
    if (existing != nullptr) erase(*existing, ChangeKind::expired);
    existing = &keys().insert(key);
    change.kind = ChangeKind::created;
    change.key = arena_.copy(key);
    existing->creator = context_.origin;
  } else {
    const bool fresh = incarnation == Incarnation::fresh;
    change =
        change_of(*existing, fresh ? ChangeKind::overwritten : ChangeKind::value_changed, arena_);
    if (fresh) existing->creator = context_.origin;
  }
  if (std::string* text = existing->string()) {
    *text = value;
  } else {
    existing->value.emplace<std::string>(value);
  }
  if (existing->expiry() != expiry) keys().set_expiry(*existing, expiry);
  report(change, *existing);
  return *existing;
}

void Call::set_expiry(Entry& entry, UnixMs when) {
  const Change change = change_of(entry, ChangeKind::expiry_changed, arena_);
  keys().set_expiry(entry, when);
  report(change, entry);
}

void Call::persist(Entry& entry) {
  const Change change = change_of(entry, ChangeKind::persisted, arena_);
  keys().set_expiry(entry, kNoExpiry);
  report(change, entry);
}

void Call::erase(Entry& entry, ChangeKind kind) {
  effects_.report(change_of(entry, kind, arena_));
  keys().erase(entry);
}

void Call::propagate() {
  propagate(argv_);
}

void Call::propagate(std::initializer_list<std::string_view> argv) {
  propagate(Command(argv.begin(), argv.size()));
}

void Call::propagate(Command argv) {
  if (context_.caller == Caller::primary_link || !replicated_) return;
  effects_.propagate(copy(argv, arena_));
}

}  // namespace locklab::redis
