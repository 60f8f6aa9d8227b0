// Drawn error: headline, a window of the line, carets, hint.
// SPDX-License-Identifier: Apache-2.0
#include "cli/drawn_error.h"

#include <algorithm>

#include <fmt/format.h>

#include "reports/text.h"

namespace locklab::cli {
namespace {

constexpr std::size_t kMargin = 8;       // "12345 | "
constexpr std::size_t kAfterCaret = 20;  // What is wrong may be longer: its beginning tells.

/// Without its first columns; in ASCII paper a character may be several.
std::string_view behind(std::string_view text, std::size_t columns) {
  while (columns > 0 && !text.empty()) {
    const Glyph glyph = first_glyph(text);
    columns -= std::min(columns, columns_of(glyph.code));
    text.remove_prefix(glyph.length);
  }
  return text;
}

}  // namespace

std::string drawn(const Diagnostic& error, const Paper& paper) {
  const std::size_t room = paper.width - kMargin;
  const std::size_t shown = std::min<std::size_t>(error.width, kAfterCaret);
  const std::size_t skipped =
      error.caret + shown > room ? error.caret + shown - room : std::size_t{0};
  const std::size_t caret = error.caret - skipped;
  const std::string excerpt(behind(error.excerpt, skipped));
  const std::size_t width = std::min<std::size_t>(error.width, room - caret);

  std::string out = paper.paragraph("", error.headline(), 0);
  out += fmt::format("{:>5} | {}\n", error.line, cut(paper.say(excerpt), room, ""));
  const std::string carets = std::string(caret, ' ') + std::string(width, '^');
  out += "      | " + carets;
  if (carets.size() + 1 + columns_of(paper.say(error.hint)) <= room) {
    return out + (error.hint.empty() ? "" : " " + paper.say(error.hint)) + "\n";
  }
  return out + "\n" + paper.paragraph("      | ", error.hint, kMargin);
}

}  // namespace locklab::cli
