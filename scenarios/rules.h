// Rules: what the value of one key of a scenario file may be.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "scenarios/scenario.h"
#include "sim/fault_kind.h"
#include "sim/label.h"
#include "sim/time.h"
#include "sim/verdict.h"
#include "sim/world_config.h"

namespace locklab::schema {

struct IntegerRule {
  std::int64_t min;
  std::int64_t max;
};

/// A duration, or a time since the start: a string with a unit.
struct TimeRule {
  Duration min;
  Duration max;
  bool forever = false;  // "forever" is allowed too.
};

struct FlagRule {};

enum class TextForm : std::uint8_t {
  name,     // [a-z0-9-]+
  word,     // Printable ASCII without blanks.
  command,  // [A-Z]+
  line,     // One line of text.
  prose     // Lines of text.
};
struct TextRule {
  TextForm form;
  std::size_t max;  // Bytes.
};

template <class Enum>
struct Word {
  std::string_view name;
  Enum value;
};

/// One word of an enumeration.
template <class Enum>
struct WordRule {
  const std::vector<Word<Enum>>& (*words)();
  std::string_view noun;  // "resource mode"
};

/// A list of different words of an enumeration, held as a set.
template <class Enum>
struct WordSetRule {
  const std::vector<Word<Enum>>& (*words)();
  std::string_view noun;
};

/// An object whose keys are described under the tag Keys.
template <class Keys>
struct ObjectRule {};

template <class Rule>
struct ListRule {
  Rule element;
  std::size_t min;
  std::size_t max;
};

/// {property: verdict}
struct VerdictsRule {
  std::size_t max;
};

const std::vector<Word<ResourceMode>>& resource_mode_words();
const std::vector<Word<FaultKind>>& fault_kind_words();  // Without none.
const std::vector<Word<Label>>& label_words();           // Without none.
const std::vector<Word<CutDirection>>& direction_words();
const std::vector<Word<NodeDeath>>& death_words();
const std::vector<Word<Unlock>>& unlock_words();
const std::vector<Word<TimeoutPolicy>>& pool_words();
const std::vector<Word<Persistence>>& persistence_words();
const std::vector<Word<Verdict>>& verdict_words();

// The two sets that world_config.h holds as bits.
inline bool has(FaultKinds set, FaultKind kind) {
  return set.has(kind);
}
inline void insert(FaultKinds& set, FaultKind kind) {
  set = set.with(kind);
}
inline bool has(std::uint32_t set, Label label) {
  return (set >> static_cast<unsigned>(label) & 1U) != 0;
}
inline void insert(std::uint32_t& set, Label label) {
  set |= 1U << static_cast<unsigned>(label);
}

}  // namespace locklab::schema
