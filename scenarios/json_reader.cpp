// JSON reader: nlohmann's SAX parser, with a cursor that finds the place of each of its events.
// SPDX-License-Identifier: Apache-2.0

#include "scenarios/json_reader.h"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include <nlohmann/json.hpp>

namespace locklab {
namespace {

using Kind = JsonValue::Kind;

/// Steps through the text in time with the parser, which does not tell where its tokens are.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : text_(text) {
    if (text_.substr(0, 3) == "\xEF\xBB\xBF") end_ = 3;  // The parser skips a byte order mark too.
  }

  /// Of the token that starts after blanks, comments, commas and colons; moves behind it.
  void take_word() {
    take(start(), [this](std::size_t at) { return word_end(at); });
  }
  void take_string() {
    take(start(), [this](std::size_t at) { return string_end(at); });
  }
  void take_bracket() {
    take(start(), [](std::size_t at) { return at + 1; });
  }

  std::size_t offset() const { return begin_; }
  std::size_t length() const { return end_ - begin_; }
  std::string_view token() const { return text_.substr(begin_, end_ - begin_); }

  /// Where the next token starts, commas and colons skipped or not.
  std::size_t next(bool separators) const {
    std::size_t at = end_;
    while (at < text_.size()) {
      const char c = text_[at];
      if (c == ' ' || c == '\t' || c == '\n' || c == '\r' ||
          (separators && (c == ',' || c == ':'))) {
        ++at;
      } else if (text_.substr(at, 2) == "//") {
        at = std::min(text_.find('\n', at), text_.size());
      } else if (text_.substr(at, 2) == "/*") {
        const std::size_t close = text_.find("*/", at + 2);
        at = close == std::string_view::npos ? text_.size() : close + 2;
      } else {
        break;
      }
    }
    return at;
  }

 private:
  std::size_t start() const { return next(true); }

  template <class End>
  void take(std::size_t at, End end) {
    begin_ = at;
    end_ = std::min(end(at), text_.size());
  }

  std::size_t word_end(std::size_t at) const {
    const auto in_word = [](char c) {
      return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == 'E' || c == '-' || c == '+' ||
             c == '.';
    };
    while (at < text_.size() && in_word(text_[at]))
      ++at;
    return at;
  }

  std::size_t string_end(std::size_t at) const {
    ++at;
    while (at < text_.size() && text_[at] != '"')
      at += text_[at] == '\\' ? 2 : 1;
    return at + 1;
  }

  std::string_view text_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

/// Builds the tree; every event returns false to stop the parser at the first error.
class Builder {
 public:
  using number_integer_t = nlohmann::json::number_integer_t;
  using number_unsigned_t = nlohmann::json::number_unsigned_t;
  using number_float_t = nlohmann::json::number_float_t;
  using string_t = nlohmann::json::string_t;
  using binary_t = nlohmann::json::binary_t;

  Builder(std::string_view text, const JsonLimits& limits)
      : text_(text), limits_(limits), cursor_(text) {}

  JsonResult take() {
    if (error_.message.empty()) error_.root = std::move(root_);
    return std::move(error_);
  }

  bool null() {
    cursor_.take_word();
    return add(Kind::null) != nullptr;
  }
  bool boolean(bool value) {
    cursor_.take_word();
    JsonValue* added = add(Kind::boolean);
    if (added != nullptr) added->boolean = value;
    return added != nullptr;
  }
  bool number_integer(number_integer_t value) { return integer(value, Kind::integer); }
  bool number_unsigned(number_unsigned_t value) {
    const bool fits =
        value <= static_cast<number_unsigned_t>(std::numeric_limits<std::int64_t>::max());
    return integer(fits ? static_cast<std::int64_t>(value) : 0,
                   fits ? Kind::integer : Kind::number);
  }
  bool number_float(number_float_t, const string_t&) { return integer(0, Kind::number); }
  bool string(string_t& value) {
    cursor_.take_string();
    JsonValue* added = add(Kind::text);
    if (added != nullptr) added->text = std::move(value);
    return added != nullptr;
  }
  bool binary(binary_t&) { return false; }

  bool start_object(std::size_t) { return open(Kind::object); }
  bool start_array(std::size_t) { return open(Kind::array); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }

  bool key(string_t& name) {
    cursor_.take_string();
    Frame& frame = frames_.back();
    if (!frame.keys.insert(name).second) {
      return fail(cursor_.offset(), cursor_.length(), "this key is here twice",
                  "remove one of them");
    }
    frame.value->members.push_back({std::move(name), cursor_.offset(), cursor_.length(), {}});
    return true;
  }

  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::json::exception& error) {
    const std::string_view what = error.what();
    const std::size_t detail = what.find(" - ");
    std::string message(detail == std::string_view::npos ? "a number out of range"
                                                         : what.substr(detail + 3));
    const bool lexical = message.find("; last read: '") != std::string::npos;
    if (lexical) {
      // What was read is shown by the caret; it may hold bytes that are not text.
      message.erase(message.find("; last read: '"));
      return fail(std::min(position == 0 ? 0 : position - 1, text_.size()), 1,
                  "not JSON: " + message, lexical_hint(message));
    }
    return fail_at_token(std::move(message));
  }

 private:
  struct Frame {
    JsonValue* value;
    std::set<std::string> keys;
  };

  bool integer(std::int64_t value, Kind kind) {
    cursor_.take_word();
    JsonValue* added = add(kind);
    if (added == nullptr) return false;
    added->integer = value;
    added->text = std::string(cursor_.token());
    return true;
  }

  bool open(Kind kind) {
    cursor_.take_bracket();
    if (frames_.size() >= limits_.depth) {
      return fail(cursor_.offset(), 1,
                  "nested deeper than " + std::to_string(limits_.depth) + " levels");
    }
    JsonValue* added = add(kind);
    if (added != nullptr) frames_.push_back({added, {}});
    return added != nullptr;
  }

  bool close() {
    cursor_.take_bracket();
    frames_.pop_back();
    return true;
  }

  /// Pointers into a parent stay valid: it grows only after its last child is complete.
  JsonValue* add(Kind kind) {
    if (++values_ > limits_.values) {
      fail(cursor_.offset(), cursor_.length(),
           "more than " + std::to_string(limits_.values) + " values");
      return nullptr;
    }
    JsonValue* slot = &root_;
    if (!frames_.empty()) {
      JsonValue& parent = *frames_.back().value;
      slot = parent.kind == Kind::array ? &parent.elements.emplace_back()
                                        : &parent.members.back().value;
    }
    slot->kind = kind;
    slot->offset = cursor_.offset();
    slot->length = cursor_.length();
    return slot;
  }

  /// The parser met a token that it did not expect: the next one, which may follow a separator.
  bool fail_at_token(std::string message) {
    std::size_t at = cursor_.next(false);
    std::string hint;
    if (at < text_.size() && (text_[at] == ',' || text_[at] == ':')) {
      const std::size_t after = cursor_.next(true);
      const bool bracket = after < text_.size() && (text_[after] == '}' || text_[after] == ']');
      if (text_[at] == ',' && bracket) {
        hint = "remove this comma";
      } else if (message.find(text_[at] == ',' ? "','" : "':'") == std::string::npos) {
        at = after;
      }
    }
    if (at >= text_.size()) {
      at = std::min(text_.find_last_not_of(" \t\r\n") + 1, text_.size());
      if (at == 0) message = "the text is empty";
    }
    return fail(at, 1, "not JSON: " + message, std::move(hint));
  }

  static std::string lexical_hint(std::string_view message) {
    if (message.find("invalid literal") == std::string_view::npos) return {};
    return "keys and strings stand in double quotes";
  }

  bool fail(std::size_t offset, std::size_t length, std::string message, std::string hint = {}) {
    error_.offset = offset;
    error_.length = length;
    error_.message = std::move(message);
    error_.hint = std::move(hint);
    return false;
  }

  std::string_view text_;
  JsonLimits limits_;
  Cursor cursor_;
  JsonValue root_;
  std::vector<Frame> frames_;
  std::size_t values_ = 0;
  JsonResult error_;
};

}  // namespace

const JsonMember* JsonValue::find(std::string_view key) const {
  for (const JsonMember& member : members) {
    if (member.key == key) return &member;
  }
  return nullptr;
}

std::string_view kind_name(Kind kind) {
  switch (kind) {
    case Kind::null:
      return "null";
    case Kind::boolean:
      return "true or false";
    case Kind::integer:
      return "an integer";
    case Kind::number:
      return "a number";
    case Kind::text:
      return "a string";
    case Kind::array:
      return "a list";
    case Kind::object:
      return "an object";
  }
  return "";
}

JsonResult read_json(std::string_view text, const JsonLimits& limits) {
  if (text.size() > limits.bytes) {
    JsonResult result;
    result.message = "larger than " + std::to_string(limits.bytes) + " bytes";
    return result;
  }
  Builder builder(text, limits);
  constexpr bool kWholeText = true;
  constexpr bool kComments = true;
  nlohmann::json::sax_parse(text.begin(), text.end(), &builder,
                            nlohmann::json::input_format_t::json, kWholeText, kComments);
  return builder.take();
}

}  // namespace locklab
