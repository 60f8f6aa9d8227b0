// Set: one value of a scenario replaced from the command line, by the table of keys.
// SPDX-License-Identifier: Apache-2.0

#include <deque>
#include <type_traits>
#include <utility>

#include "scenarios/checks.h"
#include "scenarios/value_reader.h"

namespace locklab {
namespace schema {
namespace {

using Kind = JsonValue::Kind;

/// "path=value"; offsets count from the start of the argument.
struct Assignment {
  std::string_view path;
  std::string_view value;
  std::size_t value_offset = 0;
};

void shift(JsonValue& value, std::size_t by) {
  value.offset += by;
  for (JsonValue& element : value.elements)
    shift(element, by);
  for (JsonMember& member : value.members) {
    member.offset += by;
    shift(member.value, by);
  }
}

JsonValue bare_text(const Assignment& a, std::size_t from, std::size_t length) {
  JsonValue value;
  value.kind = Kind::text;
  value.text = std::string(a.value.substr(from, length));
  value.offset = a.value_offset + from;
  value.length = length;
  return value;
}

/// nullopt: it is not JSON.
std::optional<JsonValue> as_json(const Assignment& a) {
  JsonResult json = read_json(a.value);
  if (json.root) shift(*json.root, a.value_offset);
  return std::move(json.root);
}

JsonValue comma_list(const Assignment& a) {
  JsonValue list = bare_text(a, 0, a.value.size());
  list.kind = Kind::array;
  for (std::size_t from = 0; from < a.value.size();) {
    const std::size_t comma = std::min(a.value.find(',', from), a.value.size());
    list.elements.push_back(bare_text(a, from, comma - from));
    from = comma + 1;
  }
  return list;
}

template <class Rule>
struct IsList : std::false_type {};
template <class Enum>
struct IsList<WordSetRule<Enum>> : std::true_type {};
template <>
struct IsList<ListRule<TextRule>> : std::true_type {};

template <class Rule>
struct IsTree : std::false_type {};
template <class Keys>
struct IsTree<ObjectRule<Keys>> : std::true_type {};
template <class Keys>
struct IsTree<ListRule<ObjectRule<Keys>>> : std::true_type {};
template <>
struct IsTree<VerdictsRule> : std::true_type {};

/// On a command line strings have no quotes and lists no brackets, unless the user writes them.
template <class Rule>
JsonValue value_for(const Assignment& a) {
  constexpr bool kLiteral = std::is_same_v<Rule, IntegerRule> || std::is_same_v<Rule, FlagRule>;
  const char first = a.value.empty() ? ' ' : a.value.front();
  if (kLiteral || IsTree<Rule>::value || first == '"' || first == '[') {
    if (std::optional<JsonValue> json = as_json(a)) return std::move(*json);
  }
  if (IsList<Rule>::value) return comma_list(a);
  return bare_text(a, 0, a.value.size());
}

/// Follows the path of one assignment down the table.
class Walk {
 public:
  Walk(const Assignment& assignment, Decoding& d) : a_(assignment), d_(d), rest_(a_.path) {}

  /// Takes the first key off the rest of the path.
  std::string_view step() {
    const std::size_t dot = std::min(rest_.find('.'), rest_.size());
    head_ = rest_.substr(0, dot);
    rest_.remove_prefix(std::min(dot + 1, rest_.size()));
    return head_;
  }
  bool at_end() const { return rest_.empty(); }

  void unknown(std::span<const std::string_view> known) {
    d_.error(head_place(), "unknown key " + quoted(head_), suggestion(head_, known));
  }
  void no_such_entry(std::size_t count) {
    d_.error(head_place(), "the list has " + std::to_string(count) + " entries, counted from 0");
  }
  void too_deep() {
    d_.error(Place{d_.place_of(0, 0).source, offset_of(rest_), rest_.size()},
             "this value has no keys of its own");
  }

  template <class Rule, class Slot>
  void assign(const Rule& rule, Slot& slot) {
    const JsonValue value = value_for<Rule>(a_);
    const Decoding::Step step(d_, a_.path, value);
    read(rule, slot, value, d_);
  }

 private:
  std::size_t offset_of(std::string_view part) const {
    return static_cast<std::size_t>(part.data() - a_.path.data());
  }
  Place head_place() const { return d_.place_of(offset_of(head_), head_.size()); }

  const Assignment& a_;
  Decoding& d_;
  std::string_view rest_;
  std::string_view head_;
};

template <class Rule, class Slot>
void descend(const Rule& rule, Slot& slot, Walk& walk) {
  walk.at_end() ? walk.assign(rule, slot) : walk.too_deep();
}

inline void descend(const VerdictsRule& rule, std::map<std::string, Verdict>& slot, Walk& walk) {
  if (walk.at_end()) return walk.assign(rule, slot);
  const std::string property(walk.step());
  const WordRule<Verdict> verdict{verdict_words, "verdict"};
  if (!walk.at_end()) return walk.too_deep();
  walk.assign(verdict, slot[property]);
}

template <class Keys, class Owner>
void descend(const ObjectRule<Keys>& rule, Owner& slot, Walk& walk);

template <class Keys, class Element>
void descend(const ListRule<ObjectRule<Keys>>& rule, std::vector<Element>& slot, Walk& walk) {
  if (walk.at_end()) return walk.assign(rule, slot);
  const std::string index(walk.step());
  const bool digits = !index.empty() && index.size() <= 3 &&
                      index.find_first_not_of("0123456789") == std::string::npos;
  const std::size_t i = digits ? std::stoul(index) : slot.size();
  if (i >= slot.size()) return walk.no_such_entry(slot.size());
  descend(rule.element, slot[i], walk);
}

/// The visitor that looks for one key.
template <class Owner>
class KeyFinder {
 public:
  KeyFinder(Owner& owner, std::string_view key, Walk& walk)
      : owner_(owner), key_(key), walk_(walk) {}

  template <class Access, class Rule>
  void field(std::string_view key, Access access, const Rule& rule, std::string_view,
             Trait = Trait::optional) {
    known_.push_back(key);
    if (key != key_) return;
    found_ = true;
    descend(rule, access(owner_), walk_);
  }
  void version() {}
  void finish() {
    if (!found_) walk_.unknown(known_);
  }

 private:
  Owner& owner_;
  std::string_view key_;
  Walk& walk_;
  std::vector<std::string_view> known_;
  bool found_ = false;
};

template <class Keys, class Owner>
void descend(const ObjectRule<Keys>& rule, Owner& slot, Walk& walk) {
  if (walk.at_end()) return walk.assign(rule, slot);
  KeyFinder<Owner> finder(slot, walk.step(), walk);
  describe(finder, Keys{});
  finder.finish();
}

void apply(Scenario& scenario, std::string_view text, Decoding& d) {
  const std::size_t equals = text.find('=');
  const Place whole = d.place_of(0, text.size());
  if (equals == std::string_view::npos || equals == 0) {
    return d.error(whole, "expected key=value", "as in \"clients.0.ttl=2s\"");
  }
  const Assignment assignment{text.substr(0, equals), text.substr(equals + 1), equals + 1};
  if (assignment.path == "name") {
    return d.error(whole, "a scenario's name cannot be set: tokens find it by its name");
  }
  Walk walk(assignment, d);
  descend(ObjectRule<ScenarioKeys>{}, scenario, walk);
}

}  // namespace
}  // namespace schema

std::vector<Diagnostic> apply_set(Scenario& scenario, std::span<const std::string> assignments,
                                  const Vocabulary* vocabulary) {
  if (assignments.empty()) return {};
  std::deque<SourceText> sources;  // Places point into it: elements must not move.
  for (const std::string& text : assignments)
    sources.push_back({"--set", text});
  schema::Decoding d(sources.front());
  Scenario changed = scenario;
  for (const SourceText& source : sources) {
    d.read_from(source);
    schema::apply(changed, source.text, d);
  }
  if (d.ok()) schema::check_scenario(changed, vocabulary, d);
  std::vector<Diagnostic> errors = d.take_errors();
  if (!errors.empty()) return errors;
  changed.hash = scenario_hash(changed);
  scenario = std::move(changed);
  return {};
}

std::vector<Diagnostic> apply_set(Scenario& scenario, const std::string& assignment,
                                  const Vocabulary* vocabulary) {
  return apply_set(scenario, std::span<const std::string>(&assignment, 1), vocabulary);
}

}  // namespace locklab
