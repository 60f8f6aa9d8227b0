// Text: UTF-8 read strictly, with the few tables that a terminal needs.
// SPDX-License-Identifier: Apache-2.0
#include "reports/text.h"

#include <algorithm>
#include <array>
#include <optional>

namespace locklab {
namespace {

struct Range {
  char32_t first;
  char32_t last;
};

template <std::size_t N>
bool contains(const std::array<Range, N>& ranges, char32_t code) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [code](const Range& r) { return code >= r.first && code <= r.last; });
}

// The blocks of combining marks and of wide characters (Unicode 15, UAX 11), as whole blocks: a
// column too many in a rare script is better than a table of a thousand lines.
constexpr std::array<Range, 6> kCombining = {{{0x0300, 0x036f},
                                              {0x0483, 0x0489},
                                              {0x1ab0, 0x1aff},
                                              {0x1dc0, 0x1dff},
                                              {0x20d0, 0x20ff},
                                              {0xfe00, 0xfe0f}}};
constexpr std::array<Range, 8> kWide = {{{0x1100, 0x115f},
                                         {0x2e80, 0xa4cf},
                                         {0xac00, 0xd7a3},
                                         {0xf900, 0xfaff},
                                         {0xfe30, 0xfe6f},
                                         {0xff00, 0xff60},
                                         {0x1f300, 0x1faff},
                                         {0x20000, 0x3fffd}}};
// Controls, and what reorders, hides or joins text (UTR 36, "bidirectional text spoofing").
constexpr std::array<Range, 9> kUnsafe = {{{0x0000, 0x001f},
                                           {0x007f, 0x009f},
                                           {0x00ad, 0x00ad},
                                           {0x061c, 0x061c},
                                           {0x200b, 0x200f},
                                           {0x2028, 0x202e},
                                           {0x2060, 0x206f},
                                           {0xfeff, 0xfeff},
                                           {0xe0000, 0xe0fff}}};

struct Plain {
  char32_t code;
  std::string_view text;
};
constexpr std::array<Plain, 20> kPlain = {{
    {U'→', "->"},  {U'←', "<-"}, {U'↔', "<->"}, {U'…', "..."},   {U'·', "-"},
    {U'✓', "ok"},  {U'✗', "x"},  {U'◀', "<"},   {U'▶', ">"},     {U'─', "-"},
    {U'┄', "."},   {U'┃', "|"},  {U'█', "#"},   {U'▒', "%"},     {U'░', ":"},
    {U'±', "+/-"}, {U'≤', "<="}, {U'≥', ">="},  {U'Δ', "bound"}, {U'×', "x"},
}};

std::string hex_of(char32_t code, unsigned least) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string digits;
  for (; code != 0 || digits.size() < least; code >>= 4)
    digits.insert(digits.begin(), kDigits[code & 15]);
  return digits;
}

void append_escape(std::string& out, char32_t code, bool byte) {
  if (byte || code < 0x80) {
    out += "\\x" + hex_of(code, 2);
  } else {
    out += "\\u{" + hex_of(code, 4) + "}";
  }
}

/// The number of continuation bytes after this first one, and its payload; nullopt: no first byte.
struct Lead {
  std::size_t more = 0;
  char32_t bits = 0;
};
std::optional<Lead> lead_of(unsigned char byte) {
  if (byte < 0x80) return Lead{0, byte};
  if (byte >= 0xc2 && byte < 0xe0) return Lead{1, byte & 0x1fU};
  if (byte >= 0xe0 && byte < 0xf0) return Lead{2, byte & 0x0fU};
  if (byte >= 0xf0 && byte < 0xf5) return Lead{3, byte & 0x07U};
  return std::nullopt;
}

bool is_scalar(char32_t code, std::size_t more) {
  constexpr std::array<char32_t, 4> kLeast = {0, 0x80, 0x800, 0x10000};
  return code >= kLeast[more] && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
}

/// Where the columns end, in bytes.
std::size_t bytes_within(std::string_view text, std::size_t columns) {
  std::size_t used = 0;
  std::size_t at = 0;
  while (at < text.size()) {
    const Glyph glyph = first_glyph(text.substr(at));
    used += columns_of(glyph.code);
    if (used > columns) break;
    at += glyph.length;
  }
  return at;
}

}  // namespace

Glyph first_glyph(std::string_view text) {
  const auto byte = static_cast<unsigned char>(text.front());
  const Glyph invalid{byte, 1, false};
  const std::optional<Lead> lead = lead_of(byte);
  if (!lead || text.size() <= lead->more) return invalid;
  char32_t code = lead->bits;
  for (std::size_t i = 1; i <= lead->more; ++i) {
    const auto next = static_cast<unsigned char>(text[i]);
    if ((next & 0xc0U) != 0x80U) return invalid;
    code = code << 6 | (next & 0x3fU);
  }
  if (!is_scalar(code, lead->more)) return invalid;
  return {code, lead->more + 1, true};
}

void append_utf8(std::string& out, char32_t code) {
  if (code < 0x80) {
    out += static_cast<char>(code);
    return;
  }
  const int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  constexpr std::array<unsigned, 4> kMarks = {0, 0xc0, 0xe0, 0xf0};
  out += static_cast<char>(kMarks[static_cast<std::size_t>(more)] | code >> (6 * more));
  for (int i = more - 1; i >= 0; --i)
    out += static_cast<char>(0x80U | (code >> (6 * i) & 0x3fU));
}

std::size_t columns_of(char32_t code) {
  if (code < 0x300) return 1;
  if (contains(kCombining, code)) return 0;
  return contains(kWide, code) ? 2 : 1;
}

std::size_t columns_of(std::string_view text) {
  std::size_t columns = 0;
  while (!text.empty()) {
    const Glyph glyph = first_glyph(text);
    columns += columns_of(glyph.code);
    text.remove_prefix(glyph.length);
  }
  return columns;
}

std::string escaped(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const Glyph glyph = first_glyph(text);
    if (!glyph.valid || contains(kUnsafe, glyph.code)) {
      append_escape(out, glyph.code, !glyph.valid);
    } else {
      out += text.substr(0, glyph.length);
    }
    text.remove_prefix(glyph.length);
  }
  return out;
}

std::string escaped_ascii(std::string_view text) {
  const std::string safe = escaped(text);
  std::string out;
  for (std::string_view rest = safe; !rest.empty();) {
    const Glyph glyph = first_glyph(rest);
    const auto* const known = std::find_if(
        kPlain.begin(), kPlain.end(), [&glyph](const Plain& p) { return p.code == glyph.code; });
    if (glyph.code < 0x80) {
      out += static_cast<char>(glyph.code);
    } else {
      out += known != kPlain.end() ? known->text : "?";
    }
    rest.remove_prefix(glyph.length);
  }
  return out;
}

std::string shell_word(std::string_view text) {
  constexpr std::string_view kSafe =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=.,:/@%";
  const bool safe = !text.empty() && text.find_first_not_of(kSafe) == std::string_view::npos;
  if (safe) return std::string(text);
  std::string out = "'";
  for (const char c : text)
    out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string cut(std::string_view text, std::size_t columns, std::string_view ellipsis) {
  if (columns_of(text) <= columns) return std::string(text);
  const std::size_t tail = columns_of(ellipsis);
  if (tail > columns) return std::string(text.substr(0, bytes_within(text, columns)));
  return std::string(text.substr(0, bytes_within(text, columns - tail))) + std::string(ellipsis);
}

std::string padded(std::string_view text, std::size_t columns) {
  const std::size_t used = columns_of(text);
  return std::string(text) + std::string(used < columns ? columns - used : 0, ' ');
}

std::string right_aligned(std::string_view text, std::size_t columns) {
  const std::size_t used = columns_of(text);
  return std::string(used < columns ? columns - used : 0, ' ') + std::string(text);
}

std::vector<std::string> wrapped(std::string_view text, std::size_t columns) {
  columns = std::max<std::size_t>(columns, 2);  // A wide character must fit.
  std::vector<std::string> lines;
  while (columns_of(text) > columns) {
    std::size_t end = bytes_within(text, columns);
    // A blank just behind the last column is a good place too.
    const std::size_t blank = text.substr(0, std::min(end + 1, text.size())).rfind(' ');
    const bool at_blank = blank != std::string_view::npos && blank > 0;
    if (at_blank) end = blank;
    const std::size_t last = text.substr(0, end).find_last_not_of(' ');
    lines.emplace_back(text.substr(0, last == std::string_view::npos ? end : last + 1));
    text.remove_prefix(at_blank ? end + 1 : end);
  }
  lines.emplace_back(text);
  return lines;
}

}  // namespace locklab
