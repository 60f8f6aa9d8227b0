// Diagnostic: from an offset to line, column and caret.
// SPDX-License-Identifier: Apache-2.0

#include "scenarios/diagnostic.h"

#include <algorithm>
#include <utility>

namespace locklab {
namespace {

constexpr std::size_t kWindow =
    100;  // Characters of a line that a terminal shows without wrapping.
constexpr std::size_t kBeforeCaret = 60;
constexpr std::size_t kQuoted = 60;

/// Bytes 10xxxxxx continue a character of UTF-8; what does not is one column.
bool starts_character(char c) {
  return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U;
}

std::size_t characters_in(std::string_view bytes) {
  return static_cast<std::size_t>(std::count_if(bytes.begin(), bytes.end(), starts_character));
}

/// The first `count` characters.
std::string_view prefix_of(std::string_view bytes, std::size_t count) {
  std::size_t end = 0;
  while (end < bytes.size()) {
    if (starts_character(bytes[end])) {
      if (count == 0) break;
      --count;
    }
    ++end;
  }
  return bytes.substr(0, end);
}

bool is_control(std::string_view text, std::size_t at) {
  const auto c = static_cast<unsigned char>(text[at]);
  if (c < 0x20 || c == 0x7f) return true;
  // C1 controls are U+0080 to U+009F; some terminals obey them.
  const auto before = at > 0 ? static_cast<unsigned char>(text[at - 1]) : 0U;
  return before == 0xc2U && c >= 0x80U && c < 0xa0U;
}

/// The line as it is shown: tabs are one blank, so that the caret stands right.
std::string shown(std::string_view line) {
  std::string out(line);
  std::replace(out.begin(), out.end(), '\t', ' ');
  return printable(out);
}

}  // namespace

std::string printable(std::string_view text) {
  std::string out(text);
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (is_control(text, i)) out[i] = '?';
  }
  return out;
}

std::string quoted(std::string_view text) {
  const std::string_view head = prefix_of(text, kQuoted);
  return "\"" + printable(head) + (head.size() < text.size() ? "…" : "") + "\"";
}

std::string Diagnostic::headline() const {
  std::string out = printable(source);
  if (line > 0) out += ":" + std::to_string(line) + ":" + std::to_string(column);
  return out + ": error: " + message;
}

std::string Diagnostic::render() const {
  std::string out = headline() + "\n";
  if (line == 0) return hint.empty() ? out : out + "  " + hint + "\n";
  std::string number = std::to_string(line);
  number.insert(0, number.size() < 5 ? 5 - number.size() : 0, ' ');
  out += number + " | " + excerpt + "\n";
  out += std::string(number.size(), ' ') + " | " + std::string(caret, ' ');
  out += std::string(width, '^') + (hint.empty() ? "" : " " + hint) + "\n";
  return out;
}

Diagnostic diagnostic_of(std::string source, std::string message, std::string hint) {
  Diagnostic out;
  out.source = std::move(source);
  out.message = std::move(message);
  out.hint = std::move(hint);
  return out;
}

Diagnostic diagnostic_at(const Place& place, std::string message, std::string hint) {
  Diagnostic out = diagnostic_of(place.source == nullptr ? "" : place.source->name,
                                 std::move(message), std::move(hint));
  if (place.source == nullptr) return out;
  const std::string_view text = place.source->text;
  const std::size_t offset = std::min(place.offset, text.size());
  const std::string_view before = text.substr(0, offset);
  const std::size_t newline = before.rfind('\n');
  const std::size_t start = newline == std::string_view::npos ? 0 : newline + 1;
  const std::string_view line = text.substr(start, text.find('\n', start) - start);
  const std::size_t column = characters_in(text.substr(start, offset - start));

  out.line = static_cast<std::uint32_t>(std::count(before.begin(), before.end(), '\n') + 1);
  out.column = static_cast<std::uint32_t>(column + 1);
  const std::size_t cut =
      characters_in(line) > kWindow && column > kBeforeCaret ? column - kBeforeCaret : 0;
  const std::string_view window = prefix_of(line.substr(prefix_of(line, cut).size()), kWindow);
  out.excerpt = shown(window);
  out.caret = static_cast<std::uint32_t>(column - cut);
  const std::size_t visible =
      characters_in(window) > out.caret ? characters_in(window) - out.caret : 1;
  const std::size_t wanted = characters_in(text.substr(offset, place.length));
  out.width = static_cast<std::uint32_t>(std::clamp<std::size_t>(wanted, 1, visible));
  return out;
}

std::string render(const std::vector<Diagnostic>& errors) {
  std::string out;
  for (const Diagnostic& error : errors)
    out += error.render();
  return out;
}

}  // namespace locklab
