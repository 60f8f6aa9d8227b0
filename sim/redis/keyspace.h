// The keys of one node: value, expiry and creator of each, without any opinion on time.
// SPDX-License-Identifier: Apache-2.0
//
// An open-addressing table (XXH3 with a fixed seed, linear probing, backward-shift deletion) over
// entries that never move. Nothing is ever iterated in hash order: keys are listed sorted, expiries
// in order of (expiry, age). Erased entries keep their buffers for the next key.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/redis/hash.h"

namespace locklab::redis {

/// Unix milliseconds of a node's own wall clock, the unit in which Redis stores expiries: up to
/// 2^63 - 1, far beyond what LocalInstant can hold.
using UnixMs = std::int64_t;
constexpr UnixMs kNoExpiry = -1;

/// A new type of value is an enumerator, a name in type_name(), a member of Entry and a family of
/// commands.
enum class ValueType : std::uint8_t { string, hash };

/// What TYPE calls it: "string".
std::string_view type_name(ValueType type);

class Keyspace;

/// Members other than value and creator change only through the Keyspace. An entry that is used
/// again keeps the buffers of every type.
class Entry {
 public:
  [[nodiscard]] std::string_view key() const { return key_; }
  [[nodiscard]] UnixMs expiry() const { return expiry_; }
  [[nodiscard]] bool has_expiry() const { return expiry_ != kNoExpiry; }
  [[nodiscard]] ValueType type() const { return type_; }
  /// The string, nullptr if the value is of another type.
  [[nodiscard]] std::string* string() { return type_ == ValueType::string ? &string_ : nullptr; }
  [[nodiscard]] const std::string* string() const {
    return type_ == ValueType::string ? &string_ : nullptr;
  }
  /// The fields, nullptr if the value is of another type.
  [[nodiscard]] Hash* hash() { return type_ == ValueType::hash ? &hash_fields_ : nullptr; }
  [[nodiscard]] const Hash* hash() const {
    return type_ == ValueType::hash ? &hash_fields_ : nullptr;
  }
  /// Replaces whatever it was by a string.
  void set_string(std::string_view text) {
    type_ = ValueType::string;
    string_ = text;
  }
  /// Replaces whatever it was by an empty hash.
  Hash& make_hash() {
    type_ = ValueType::hash;
    hash_fields_.clear();
    return hash_fields_;
  }

  /// Context::origin of the command that made this incarnation of the key: the one by which it came
  /// into being, or the last one that replaced it whole and without KEEPTTL (SET, SETEX, PSETEX,
  /// GETSET, MSET). Kept by all that continue an incarnation: SET … KEEPTTL, the EXPIRE family,
  /// PERSIST, GETEX, INCR and its kin, APPEND.
  std::uint64_t creator = 0;

 private:
  friend class Keyspace;
  static constexpr std::uint32_t kNowhere = 0xFFFFFFFF;

  std::string key_;
  ValueType type_ = ValueType::string;
  std::string string_;
  Hash hash_fields_;
  UnixMs expiry_ = kNoExpiry;
  std::uint64_t hash_ = 0;
  std::uint64_t age_ = 0;                    // Ordinal of creation: breaks ties between expiries.
  std::uint32_t index_ = 0;                  // Own place in entries_.
  std::uint32_t live_place_ = kNowhere;      // In live_.
  std::uint32_t deadline_place_ = kNowhere;  // In deadlines_.
};

class Keyspace {
 public:
  Keyspace();
  Keyspace(const Keyspace&) = delete;
  Keyspace& operator=(const Keyspace&) = delete;
  Keyspace(Keyspace&&) = default;
  Keyspace& operator=(Keyspace&&) = default;

  /// The entry, expired or not; nullptr if there is none. Pointers hold until the entry is erased.
  [[nodiscard]] Entry* find(std::string_view key);
  [[nodiscard]] const Entry* find(std::string_view key) const;
  /// A new entry with an empty string, no expiry and creator 0. The key must be absent.
  Entry& insert(std::string_view key);
  void erase(Entry& entry);
  void set_expiry(Entry& entry, UnixMs when);

  /// Number of keys that are stored, logically expired ones included (DBSIZE).
  [[nodiscard]] std::size_t size() const { return live_.size(); }
  /// The entry that expires first, by (expiry, age); nullptr if no key has an expiry.
  [[nodiscard]] Entry* first_deadline();
  /// The earliest expiry that is not before `from`; nullopt if there is none. Costs one visit per
  /// key that has expired before `from`.
  [[nodiscard]] std::optional<UnixMs> next_expiry(UnixMs from) const;
  /// All entries, sorted by key. The second form reuses the caller's memory.
  [[nodiscard]] std::vector<const Entry*> sorted() const;
  void sorted(std::vector<const Entry*>& into) const;

  /// Forgets all keys and keeps all memory.
  void clear();

 private:
  struct Slot {
    std::uint32_t tag = 0;    // Upper half of the hash.
    std::uint32_t entry = 0;  // Index + 1; 0 is free.
  };

  [[nodiscard]] std::size_t slot_of(std::string_view key, std::uint64_t hash) const;
  void grow();
  void free_slot(std::size_t slot);
  [[nodiscard]] bool earlier(std::uint32_t a, std::uint32_t b) const;
  void sift_up(std::uint32_t place);
  void sift_down(std::uint32_t place);
  void move_deadline(std::uint32_t place, std::uint32_t entry);
  void remove_deadline(Entry& entry);

  std::vector<std::unique_ptr<Entry>> entries_;
  std::vector<std::uint32_t> spare_;      // Entries without a key.
  std::vector<std::uint32_t> live_;       // Entries with a key, in no order.
  std::vector<std::uint32_t> deadlines_;  // Binary heap of the entries with an expiry.
  std::vector<Slot> slots_;               // A power of two, at most half full.
  std::uint64_t next_age_ = 0;
};

}  // namespace locklab::redis
