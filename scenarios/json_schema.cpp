// JSON schema of scenario files, from the table of keys.
// SPDX-License-Identifier: Apache-2.0

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/decoder.h"
#include "scenarios/value_text.h"

namespace locklab {
namespace schema {
namespace {

constexpr std::string_view kAmount = "[0-9]+(\\\\.[0-9]+)?(ns|us|ms|s|m|h)";

std::string member(std::string_view key, std::string_view value) {
  return json_quoted(key) + ":" + std::string(value);
}

// What each rule says, as members of a JSON schema object.
std::string schema_of(IntegerRule rule) {
  return member("type", "\"integer\"") + "," + member("minimum", std::to_string(rule.min)) + "," +
         member("maximum", std::to_string(rule.max));
}

std::string schema_of(TimeRule rule) {
  std::string pattern(kAmount);
  if (rule.min < Duration()) pattern = "-?" + pattern;
  if (rule.forever) pattern = "(" + pattern + "|forever)";
  return member("type", "\"string\"") + "," + member("pattern", "\"^" + pattern + "$\"");
}

std::string schema_of(FlagRule) {
  return member("type", "\"boolean\"");
}

std::string schema_of(TextRule rule) {
  std::string out =
      member("type", "\"string\"") + "," + member("maxLength", std::to_string(rule.max));
  switch (rule.form) {
    case TextForm::name:
      return out + "," + member("pattern", "\"^[a-z0-9-]+$\"");
    case TextForm::word:
      return out + "," + member("pattern", "\"^[!-~]+$\"");
    case TextForm::command:
      return out + "," + member("pattern", "\"^[A-Z]+$\"");
    case TextForm::line:
    case TextForm::prose:
      return out;
  }
  return out;
}

template <class Enum>
std::string words_schema(const std::vector<Word<Enum>>& words) {
  std::vector<std::string> names;
  names.reserve(words.size());
  for (const Word<Enum>& word : words)
    names.push_back(json_quoted(word.name));
  return member("enum", joined('[', names, ']'));
}

template <class Enum>
std::string schema_of(const WordRule<Enum>& rule) {
  return words_schema(rule.words());
}

template <class Enum>
std::string schema_of(const WordSetRule<Enum>& rule) {
  return member("type", "\"array\"") + "," +
         member("items", "{" + words_schema(rule.words()) + "}") + "," +
         member("uniqueItems", "true");
}

std::string schema_of(VerdictsRule rule) {
  return member("type", "\"object\"") + "," + member("maxProperties", std::to_string(rule.max)) +
         "," + member("patternProperties", "{" + member("^x-", "true") + "}") + "," +
         member("additionalProperties", "{" + words_schema(verdict_words()) + "}");
}

template <class Keys>
std::string schema_of(ObjectRule<Keys>);
template <class Rule>
std::string schema_of(const ListRule<Rule>& rule);

/// The visitor that describes one object.
template <class Owner>
class ObjectSchema {
 public:
  template <class Access, class Rule>
  void field(std::string_view key, Access access, const Rule& rule, std::string_view doc,
             Trait trait = Trait::optional) {
    std::string body = schema_of(rule) + "," + member("description", json_quoted(doc));
    if (trait == Trait::required) {
      required_.push_back(json_quoted(key));
    } else if (const std::string text = text_of(rule, access(default_)); is_value(text)) {
      body += "," + member("default", text);
    }
    properties_.push_back(member(key, "{" + body + "}"));
  }

  void version() {
    required_.push_back("\"schema\"");
    properties_.push_back(member("$schema", "{" + member("type", "\"string\"") + "}"));
    properties_.push_back(member("schema", "{" + member("const", std::to_string(kVersion)) + "," +
                                               member("description", "\"The version.\"") + "}"));
  }

  std::string take() const {
    return member("type", "\"object\"") + "," +
           member("properties", joined('{', properties_, '}')) + "," +
           member("patternProperties", "{" + member("^x-", "true") + "}") + "," +
           member("additionalProperties", "false") + "," +
           member("required", joined('[', required_, ']'));
  }

 private:
  /// Empty lists and objects, and what is absent, say nothing as a default.
  static bool is_value(const std::string& text) {
    return text != "null" && text != "[]" && text != "\"\"" && text.front() != '{';
  }

  const Owner default_{};
  std::vector<std::string> properties_;
  std::vector<std::string> required_;
};

template <class Keys>
std::string schema_of(ObjectRule<Keys>) {
  ObjectSchema<typename Keys::Owner> object;
  describe(object, Keys{});
  return object.take();
}

template <class Rule>
std::string schema_of(const ListRule<Rule>& rule) {
  return member("type", "\"array\"") + "," + member("items", "{" + schema_of(rule.element) + "}") +
         "," + member("minItems", std::to_string(rule.min)) + "," +
         member("maxItems", std::to_string(rule.max));
}

}  // namespace
}  // namespace schema

std::string scenario_schema() {
  using schema::member;
  return pretty_json("{" + member("$schema", "\"https://json-schema.org/draft/2020-12/schema\"") +
                     "," + member("title", "\"locklab scenario, version 1\"") + "," +
                     schema::schema_of(schema::ObjectRule<schema::ScenarioKeys>{}) + "}");
}

}  // namespace locklab
