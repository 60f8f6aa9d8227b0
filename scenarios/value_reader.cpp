// Value reader: the messages of wrong values.
// SPDX-License-Identifier: Apache-2.0

#include "scenarios/value_reader.h"

#include <utility>

namespace locklab::schema {
namespace {

using Kind = JsonValue::Kind;

std::string shown(Duration d) {
  return "\"" + to_string(d) + "\"";
}

/// What a bare number was probably meant to be.
std::string duration_hint(const std::string& number, std::int64_t integer) {
  const bool whole = integer > 0 && integer % 1000 == 0;
  const std::string second = whole ? std::to_string(integer / 1000) + "s" : number + "s";
  return "did you mean \"" + number + "ms\" or \"" + second + "\"?";
}

bool is_decimal(std::string_view text) {
  return !text.empty() && text.size() <= 18 &&
         text.find_first_not_of("0123456789.") == std::string_view::npos;
}

void report_duration(const JsonValue& value, Decoding& d) {
  const bool number = value.kind == Kind::integer || value.kind == Kind::number;
  if (number || (value.kind == Kind::text && is_decimal(value.text))) {
    const bool simple = is_decimal(value.text);
    std::int64_t integer = value.integer;
    if (value.kind == Kind::text && value.text.find('.') == std::string::npos && simple) {
      integer = std::stoll(value.text);
    }
    d.error(value, "a duration needs a unit",
            simple ? duration_hint(value.text, integer) : "write \"250ms\" or \"8s\"");
  } else if (value.kind == Kind::text) {
    d.error(value, quoted(value.text) + " is not a duration",
            "write \"250ms\", \"1.5s\" or \"2m\"");
  } else {
    d.error(value, "expected a duration, found " + std::string(kind_name(value.kind)),
            "write \"250ms\" or \"8s\"");
  }
}

/// The first character that the form does not allow is at this index.
std::size_t first_refused(TextForm form, std::string_view text) {
  constexpr std::string_view kLower = "abcdefghijklmnopqrstuvwxyz0123456789-";
  constexpr std::string_view kUpper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  if (form == TextForm::name) return text.find_first_not_of(kLower);
  if (form == TextForm::command) return text.find_first_not_of(kUpper);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    const bool blank = form == TextForm::prose && (c == '\n' || c == '\t');
    const bool word = form != TextForm::word || (c > 0x20 && c < 0x7f);
    if ((c < 0x20 && !blank) || c == 0x7f || !word) return i;
  }
  return std::string_view::npos;
}

std::string_view form_hint(TextForm form) {
  switch (form) {
    case TextForm::name:
      return "use a-z, 0-9 and -";
    case TextForm::word:
      return "use printable ASCII without blanks";
    case TextForm::command:
      return "a command is written in capitals: \"SET\"";
    case TextForm::line:
      return "write one line without control characters";
    case TextForm::prose:
      return "write text without control characters";
  }
  return "";
}

}  // namespace

bool expect_kind(Kind kind, const JsonValue& value, Decoding& d) {
  if (value.kind == kind) return true;
  d.error(value, "expected " + std::string(kind_name(kind)) + ", found " +
                     std::string(kind_name(value.kind)));
  return false;
}

bool expect_count(std::size_t min, std::size_t max, const JsonValue& value, Decoding& d) {
  const std::size_t count = value.elements.size() + value.members.size();
  if (count < min) d.error(value, "needs at least " + std::to_string(min) + " entry");
  if (count > max) d.error(value, "has more than " + std::to_string(max) + " entries");
  return count >= min && count <= max;
}

std::optional<std::int64_t> read_integer(IntegerRule rule, const JsonValue& value, Decoding& d) {
  const std::string range = std::to_string(rule.min) + " to " + std::to_string(rule.max);
  if (value.kind == Kind::number) {
    d.error(value, "expected an integer from " + range);
    return std::nullopt;
  }
  if (value.kind != Kind::integer) {
    const bool digits = value.kind == Kind::text && is_decimal(value.text);
    d.error(value, "expected an integer, found " + std::string(kind_name(value.kind)),
            digits ? "write " + value.text + " without quotes" : "");
    return std::nullopt;
  }
  if (value.integer < rule.min || value.integer > rule.max) {
    d.error(value, "out of range: " + range);
    return std::nullopt;
  }
  return value.integer;
}

std::optional<Duration> read_time(TimeRule rule, const JsonValue& value, Decoding& d) {
  if (rule.forever && value.kind == Kind::text && value.text == "forever") {
    return Duration::forever();
  }
  std::optional<Duration> got;
  if (value.kind == Kind::text) got = parse_duration(value.text);
  if (!got) {
    report_duration(value, d);
    return got;
  }
  if (*got < rule.min || *got > rule.max) {
    std::string message = "out of range: " + shown(rule.min) + " to " + shown(rule.max);
    if (*got < rule.min && rule.min == Duration()) message = "a duration must not be negative";
    if (*got < rule.min && rule.min == nanoseconds(1)) message = "must be longer than zero";
    d.error(value, std::move(message));
    return std::nullopt;
  }
  return got;
}

std::optional<std::string> read_text(TextRule rule, const JsonValue& value, Decoding& d) {
  if (!expect_kind(Kind::text, value, d)) return std::nullopt;
  const bool prose = rule.form == TextForm::prose || rule.form == TextForm::line;
  if (value.text.empty() && !prose) {
    d.error(value, "must not be empty");
    return std::nullopt;
  }
  if (value.text.size() > rule.max) {
    d.error(value, "longer than " + std::to_string(rule.max) + " bytes");
    return std::nullopt;
  }
  if (first_refused(rule.form, value.text) != std::string_view::npos) {
    d.error(value, quoted(value.text) + " has a character that is not allowed here",
            std::string(form_hint(rule.form)));
    return std::nullopt;
  }
  return value.text;
}

std::optional<bool> read_flag(const JsonValue& value, Decoding& d) {
  if (!expect_kind(Kind::boolean, value, d)) return std::nullopt;
  return value.boolean;
}

std::optional<std::size_t> read_word(std::span<const std::string_view> words, std::string_view noun,
                                     const JsonValue& value, Decoding& d) {
  if (!expect_kind(Kind::text, value, d)) return std::nullopt;
  const auto found = std::find(words.begin(), words.end(), value.text);
  if (found != words.end()) return static_cast<std::size_t>(found - words.begin());
  d.error(value, "no " + std::string(noun) + " is named " + quoted(value.text),
          suggestion(value.text, words));
  return std::nullopt;
}

void read(VerdictsRule rule, std::map<std::string, Verdict>& slot, const JsonValue& value,
          Decoding& d) {
  if (!expect_kind(Kind::object, value, d) || !expect_count(0, rule.max, value, d)) return;
  slot.clear();
  for (const JsonMember& member : value.members) {
    if (member.key.substr(0, 2) == "x-") continue;
    const TextRule name{TextForm::name, kNameBytes};
    if (member.key.size() > name.max || member.key.empty() ||
        first_refused(name.form, member.key) != std::string_view::npos) {
      d.error(d.place_of(member.offset, member.length),
              quoted(member.key) + " cannot be a property's name",
              std::string(form_hint(name.form)));
      continue;
    }
    const Decoding::Step step(d, member.key, member.value);
    Verdict verdict = Verdict::holds;
    read(WordRule<Verdict>{verdict_words, "verdict"}, verdict, member.value, d);
    slot[member.key] = verdict;
  }
}

void unknown_key(const JsonMember& member, std::span<const std::string_view> known, Decoding& d) {
  d.error(d.place_of(member.offset, member.length), "unknown key " + quoted(member.key),
          suggestion(member.key, known));
}

void check_version(const JsonValue& object, Decoding& d) {
  const JsonMember* member = object.find("schema");
  const std::string hint = "write \"schema\": " + std::to_string(kVersion);
  if (member == nullptr) {
    d.error(object, "missing key \"schema\"", hint);
  } else if (member->value.kind != Kind::integer || member->value.integer != kVersion) {
    d.error(member->value,
            "this is not version " + std::to_string(kVersion) +
                " of the scenario file, the only one that can be read",
            hint);
  }
}

}  // namespace locklab::schema
