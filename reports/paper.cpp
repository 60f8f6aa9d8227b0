// Paper: colours are the eight of ECMA-48, so that every terminal's theme applies.
// SPDX-License-Identifier: Apache-2.0
#include "reports/paper.h"

#include <algorithm>

#include "reports/text.h"

namespace locklab {
namespace {

std::string_view code_of(Ink ink) {
  switch (ink) {
    case Ink::plain:
      return "";
    case Ink::bold:
      return "\x1b[1m";
    case Ink::dim:
      return "\x1b[2m";
    case Ink::red:
      return "\x1b[31m";
    case Ink::green:
      return "\x1b[32m";
    case Ink::yellow:
      return "\x1b[33m";
    case Ink::cyan:
      return "\x1b[36m";
  }
  return "";
}

}  // namespace

std::string Paper::say(std::string_view text) const {
  return ascii ? escaped_ascii(text) : escaped(text);
}

std::string Paper::paint(Ink ink, std::string_view text) const {
  if (!color || ink == Ink::plain || text.empty()) return std::string(text);
  return std::string(code_of(ink)) + std::string(text) + "\x1b[0m";
}

std::string Paper::paragraph(std::string_view first, std::string_view text, std::size_t indent,
                             Ink ink) const {
  const std::string head = say(first);
  const std::size_t used = std::max(columns_of(head), indent);
  const std::size_t room = width > used + 2 ? width - used : 2;
  std::string out;
  for (const std::string& line : wrapped(say(text), room)) {
    out += out.empty() ? padded(head, used) : std::string(used, ' ');
    out += paint(ink, line) + "\n";
  }
  return out;
}

}  // namespace locklab
