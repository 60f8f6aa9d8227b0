// Value text: a member as canonical JSON: default values left out, keys sorted.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scenarios/json_text.h"
#include "scenarios/keys.h"

namespace locklab::schema {

inline std::string text_of(IntegerRule, std::int64_t value) {
  return std::to_string(value);
}
inline std::string text_of(TimeRule, Duration value) {
  return json_quoted(to_string(value));
}
inline std::string text_of(TimeRule rule, const std::optional<Duration>& value) {
  return value ? text_of(rule, *value) : "null";
}
inline std::string text_of(TimeRule rule, const std::optional<Instant>& value) {
  return value ? text_of(rule, *value - Instant::origin()) : "null";
}
inline std::string text_of(TextRule, const std::string& value) {
  return json_quoted(value);
}
inline std::string text_of(FlagRule, bool value) {
  return value ? "true" : "false";
}

template <class Enum>
std::string text_of(const WordRule<Enum>& rule, Enum value) {
  for (const Word<Enum>& word : rule.words()) {
    if (word.value == value) return json_quoted(word.name);
  }
  return "null";
}

/// "[a,b]" of parts that are JSON.
inline std::string joined(char open, const std::vector<std::string>& parts, char close) {
  std::string out(1, open);
  for (const std::string& part : parts) {
    if (out.size() > 1) out += ',';
    out += part;
  }
  return out + close;
}

template <class Enum, class Set>
std::string text_of(const WordSetRule<Enum>& rule, const Set& value) {
  std::vector<std::string> parts;
  for (const Word<Enum>& word : rule.words()) {
    if (has(value, word.value)) parts.push_back(json_quoted(word.name));
  }
  return joined('[', parts, ']');
}

inline std::string text_of(VerdictsRule, const std::map<std::string, Verdict>& value) {
  std::vector<std::string> parts;
  parts.reserve(value.size());
  for (const auto& [property, verdict] : value) {
    parts.push_back(json_quoted(property) + ":" + json_quoted(name_of(verdict)));
  }
  return joined('{', parts, '}');
}

template <class Keys, class Owner>
std::string text_of(ObjectRule<Keys>, const Owner& value);

template <class Rule, class Element>
std::string text_of(const ListRule<Rule>& rule, const std::vector<Element>& value) {
  std::vector<std::string> parts;
  parts.reserve(value.size());
  for (const Element& element : value)
    parts.push_back(text_of(rule.element, element));
  return joined('[', parts, ']');
}

/// The visitor that writes what differs from a default owner.
template <class Owner>
class ObjectPrinter {
 public:
  explicit ObjectPrinter(const Owner& owner) : owner_(owner) {}

  template <class Access, class Rule>
  void field(std::string_view key, Access access, const Rule& rule, std::string_view,
             Trait trait = Trait::optional) {
    if (trait == Trait::story) return;
    std::string text = text_of(rule, access(owner_));
    const bool differs = text != text_of(rule, access(default_));
    if (differs || trait == Trait::required) parts_.emplace_back(key, std::move(text));
  }

  void version() { parts_.emplace_back("schema", std::to_string(kVersion)); }

  std::string take() {
    std::sort(parts_.begin(), parts_.end());
    std::vector<std::string> members;
    for (const auto& [key, text] : parts_)
      members.push_back(json_quoted(key) + ":" + text);
    return joined('{', members, '}');
  }

 private:
  const Owner& owner_;
  const Owner default_{};
  std::vector<std::pair<std::string_view, std::string>> parts_;
};

template <class Keys, class Owner>
std::string text_of(ObjectRule<Keys>, const Owner& value) {
  ObjectPrinter<Owner> printer(value);
  describe(printer, Keys{});
  return printer.take();
}

}  // namespace locklab::schema
