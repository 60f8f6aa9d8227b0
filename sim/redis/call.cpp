// Lookup with expiry, and the changes of keys with their reports.
// SPDX-License-Identifier: Apache-2.0
#include "sim/redis/call.h"

#include "sim/contract.h"

namespace locklab::redis {
namespace {

/// What a change of `entry` has to say of its past.
Change change_of(const Entry& entry, ChangeKind kind, Arena& arena) {
  Change change;
  change.kind = kind;
  change.key = arena.copy(entry.key());
  change.old_value = text_of(entry, arena);
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
  change.new_value = text_of(after, arena_);
  change.new_creator = after.creator;
  change.new_expiry = after.expiry();
  effects_.report(change);
}

Entry& Call::create(std::string_view key) {
  // An expired key that may not be deleted now is still in the table; the new one takes its place.
  Entry* hidden = keys().find(key);
  if (hidden != nullptr) erase(*hidden, ChangeKind::expired);
  Entry& entry = keys().insert(key);
  entry.creator = context_.origin;
  return entry;
}

Entry& Call::store(Entry* existing, std::string_view key, std::string_view value, UnixMs expiry,
                   Incarnation incarnation) {
  Change change;
  if (existing == nullptr) {
    existing = &create(key);
    change.kind = ChangeKind::created;
    change.key = arena_.copy(key);
  } else {
    const bool fresh = incarnation == Incarnation::fresh;
    change =
        change_of(*existing, fresh ? ChangeKind::overwritten : ChangeKind::value_changed, arena_);
    if (fresh) existing->creator = context_.origin;
  }
  existing->set_string(value);
  if (existing->expiry() != expiry) keys().set_expiry(*existing, expiry);
  report(change, *existing);
  return *existing;
}

void Call::report_field(ChangeKind kind, const Entry& entry, std::string_view field,
                        std::string_view old_value, std::string_view new_value) {
  Change change;
  change.kind = kind;
  change.key = arena_.copy(entry.key());
  change.field = arena_.copy(field);
  change.old_value = arena_.copy(old_value);
  change.new_value = arena_.copy(new_value);
  change.old_creator = change.new_creator = entry.creator;
  change.old_expiry = change.new_expiry = entry.expiry();
  effects_.report(change);
}

std::int64_t Call::store_fields(Entry* existing, std::string_view key, Command pairs) {
  const bool created = existing == nullptr;
  if (created) {
    existing = &create(key);
    existing->make_hash();
  }
  Hash& hash = *existing->hash();
  const std::span<std::string_view> old_values = arena_.make_array<std::string_view>(pairs.size());
  std::int64_t added = 0;
  for (std::size_t i = 0; i < pairs.size(); i += 2) {
    const Hash::Field* old = hash.find(pairs[i]);
    if (old != nullptr) old_values[i] = arena_.copy(std::string_view(old->value));
    if (hash.set(pairs[i], pairs[i + 1])) ++added;
  }
  // The key comes into being with all its fields; then each of them is told of.
  if (created) {
    Change change;
    change.key = arena_.copy(key);
    report(change, *existing);
  }
  for (std::size_t i = 0; i < pairs.size(); i += 2) {
    report_field(ChangeKind::value_changed, *existing, pairs[i], old_values[i], pairs[i + 1]);
  }
  return added;
}

bool Call::erase_field(Entry& entry, std::string_view field) {
  Hash& hash = *entry.hash();
  const Hash::Field* found = hash.find(field);
  if (found == nullptr) return false;
  if (hash.size() == 1) {
    erase(entry);
    return true;
  }
  report_field(ChangeKind::field_removed, entry, field, found->value, {});
  hash.erase(field);
  return true;
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
