// Keys: what can be seen of one server's keys, beside what the simulated records tell of them.
// SPDX-License-Identifier: Apache-2.0
//
// A command may change a key more than once, and only what it leaves behind can be seen. So two
// things are kept: what has been seen behind the latest command, and what the records up to now
// have told. When the last record of a command has been told, the two must be the same.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/ids.h"
#include "tests/real/redis_server.h"

namespace locklab::real {

/// A key as GET or HGETALL, and PEXPIRETIME show it, and who brought it into being.
struct SeenKey {
  bool is_hash = false;
  std::string value;                                        // Of a string.
  std::vector<std::pair<std::string, std::string>> fields;  // Of a hash.
  std::int64_t expiry = -1;
  Span creator;

  /// As records have it: a string as it is, a hash as the names of its fields.
  std::string text() const;
  /// nullptr: there is none. The empty one is a string's value.
  const std::string* field(std::string_view name) const;
  void set(std::string_view field, std::string_view value);
  void remove(std::string_view field);
  bool is_expired(std::int64_t unix_ms) const { return expiry >= 0 && unix_ms > expiry; }
};

/// Who brought which value of which key into being, on any server.
using Creators = std::map<std::pair<std::string, std::string>, Span>;

class Keys {
 public:
  using Map = std::map<std::string, SeenKey>;

  void look(RedisServer& server) { seen_ = read(server); }
  /// Another data set is there now: what is seen is no change.
  void adopt(RedisServer& server, const Creators& creators);
  void forget();
  void forget_told() { told_.clear(); }

  /// nullptr: there is no such key.
  const SeenKey* seen(const std::string& key) const { return find(seen_, key); }
  const SeenKey* told(const std::string& key) const { return find(told_, key); }
  SeenKey& tell(const std::string& key) { return told_[key]; }
  void tell_end_of(const std::string& key) { told_.erase(key); }
  /// The first key that is not as told; empty: all are.
  std::string astray() const { return first_difference(seen_, told_); }
  /// The first key that is not as the other has been seen to have it.
  std::string unlike(const Keys& other) const { return first_difference(seen_, other.seen_); }

 private:
  static const SeenKey* find(const Map& map, const std::string& key);
  static std::string first_difference(const Map& a, const Map& b);
  Map read(RedisServer& server) const;

  Map seen_;
  Map told_;
};

}  // namespace locklab::real
