// Value reader: a JSON value into a member, by the rule of its key.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/decoding.h"
#include "scenarios/keys.h"
#include "scenarios/suggest.h"

namespace locklab::schema {

// Each returns what was read, or nothing after it has reported the error.
std::optional<std::int64_t> read_integer(IntegerRule rule, const JsonValue& value, Decoding& d);
std::optional<Duration> read_time(TimeRule rule, const JsonValue& value, Decoding& d);
std::optional<std::string> read_text(TextRule rule, const JsonValue& value, Decoding& d);
std::optional<bool> read_flag(const JsonValue& value, Decoding& d);
/// The index of the word.
std::optional<std::size_t> read_word(std::span<const std::string_view> words, std::string_view noun,
                                     const JsonValue& value, Decoding& d);
bool expect_kind(JsonValue::Kind kind, const JsonValue& value, Decoding& d);
bool expect_count(std::size_t min, std::size_t max, const JsonValue& value, Decoding& d);
void unknown_key(const JsonMember& member, std::span<const std::string_view> known, Decoding& d);
void check_version(const JsonValue& object, Decoding& d);

template <class Enum>
std::vector<std::string_view> names_of(const std::vector<Word<Enum>>& words) {
  std::vector<std::string_view> names;
  names.reserve(words.size());
  for (const Word<Enum>& word : words)
    names.push_back(word.name);
  return names;
}

inline void read(IntegerRule rule, std::int64_t& slot, const JsonValue& value, Decoding& d) {
  slot = read_integer(rule, value, d).value_or(slot);
}
inline void read(IntegerRule rule, std::uint32_t& slot, const JsonValue& value, Decoding& d) {
  if (const auto got = read_integer(rule, value, d)) slot = static_cast<std::uint32_t>(*got);
}
inline void read(TimeRule rule, Duration& slot, const JsonValue& value, Decoding& d) {
  slot = read_time(rule, value, d).value_or(slot);
}
inline void read(TimeRule rule, std::optional<Duration>& slot, const JsonValue& value,
                 Decoding& d) {
  if (const auto got = read_time(rule, value, d)) slot = *got;
}
inline void read(TimeRule rule, std::optional<Instant>& slot, const JsonValue& value, Decoding& d) {
  if (const auto got = read_time(rule, value, d)) slot = Instant::origin() + *got;
}
inline void read(TextRule rule, std::string& slot, const JsonValue& value, Decoding& d) {
  if (auto got = read_text(rule, value, d)) slot = std::move(*got);
}
inline void read(FlagRule, bool& slot, const JsonValue& value, Decoding& d) {
  slot = read_flag(value, d).value_or(slot);
}

template <class Enum>
void read(const WordRule<Enum>& rule, Enum& slot, const JsonValue& value, Decoding& d) {
  const auto& words = rule.words();
  if (const auto i = read_word(names_of(words), rule.noun, value, d)) slot = words[*i].value;
}

template <class Enum, class Set>
void read(const WordSetRule<Enum>& rule, Set& slot, const JsonValue& value, Decoding& d) {
  if (!expect_kind(JsonValue::Kind::array, value, d)) return;
  const auto& words = rule.words();
  slot = Set{};
  for (const JsonValue& element : value.elements) {
    const auto i = read_word(names_of(words), rule.noun, element, d);
    if (!i) continue;
    if (has(slot, words[*i].value)) d.error(element, quoted(element.text) + " is here twice");
    insert(slot, words[*i].value);
  }
}

void read(VerdictsRule rule, std::map<std::string, Verdict>& slot, const JsonValue& value,
          Decoding& d);

template <class Keys, class Owner>
void read(ObjectRule<Keys>, Owner& slot, const JsonValue& value, Decoding& d);

template <class Rule, class Element>
void read(const ListRule<Rule>& rule, std::vector<Element>& slot, const JsonValue& value,
          Decoding& d) {
  if (!expect_kind(JsonValue::Kind::array, value, d)) return;
  if (!expect_count(rule.min, rule.max, value, d)) return;
  slot.clear();
  for (const JsonValue& element : value.elements) {
    const Decoding::Step step(d, std::to_string(slot.size()), element);
    slot.emplace_back();
    read(rule.element, slot.back(), element, d);
  }
}

/// The visitor that reads one object.
template <class Owner>
class ObjectReader {
 public:
  ObjectReader(Owner& owner, const JsonValue& object, Decoding& d)
      : owner_(owner), object_(object), d_(d) {}

  template <class Access, class Rule>
  void field(std::string_view key, Access access, const Rule& rule, std::string_view,
             Trait trait = Trait::optional) {
    known_.push_back(key);
    const JsonMember* member = object_.find(key);
    if (member != nullptr) {
      const Decoding::Step step(d_, key, member->value);
      read(rule, access(owner_), member->value, d_);
    } else if (trait == Trait::required) {
      d_.error(object_, "missing key \"" + std::string(key) + "\"");
    }
  }

  void version() {
    known_.push_back("schema");
    free_.push_back("$schema");
    check_version(object_, d_);
  }

  /// After all fields: keys that none of them named.
  void finish() {
    for (const JsonMember& member : object_.members) {
      const bool known = std::find(known_.begin(), known_.end(), member.key) != known_.end();
      const bool free = std::find(free_.begin(), free_.end(), member.key) != free_.end();
      if (!known && !free && member.key.substr(0, 2) != "x-") unknown_key(member, known_, d_);
    }
  }

 private:
  Owner& owner_;
  const JsonValue& object_;
  Decoding& d_;
  std::vector<std::string_view> known_;
  std::vector<std::string_view> free_;  // Allowed, without meaning here.
};

template <class Keys, class Owner>
void read(ObjectRule<Keys>, Owner& slot, const JsonValue& value, Decoding& d) {
  if (!expect_kind(JsonValue::Kind::object, value, d)) return;
  ObjectReader<Owner> reader(slot, value, d);
  describe(reader, Keys{});
  reader.finish();
}

}  // namespace locklab::schema
