// JSON text: the two things that writing JSON needs when keys come from tables.
// SPDX-License-Identifier: Apache-2.0

#include "scenarios/json_text.h"

#include <cstddef>

namespace locklab {
namespace {

/// Behind the string that starts at `at`.
std::size_t string_end(std::string_view text, std::size_t at) {
  ++at;
  while (at < text.size() && text[at] != '"')
    at += text[at] == '\\' ? 2 : 1;
  return at + 1;
}

/// The list that opens at `at` holds no object and no list.
bool is_plain_list(std::string_view text, std::size_t at) {
  for (std::size_t i = at + 1; i < text.size(); ++i) {
    if (text[i] == '"') {
      i = string_end(text, i) - 1;
    } else if (text[i] == '[' || text[i] == '{') {
      return false;
    } else if (text[i] == ']') {
      return true;
    }
  }
  return true;
}

}  // namespace

std::string json_quoted(std::string_view text) {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (byte < 0x20) {
      out += "\\u00";
      out += kHex[byte >> 4];
      out += kHex[byte & 0xfU];
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string pretty_json(std::string_view compact) {
  std::string out;
  std::size_t depth = 0;
  bool plain = false;  // Inside a list that stays on its line.
  const auto new_line = [&] { out += "\n" + std::string(2 * depth, ' '); };
  for (std::size_t i = 0; i < compact.size(); ++i) {
    const char c = compact[i];
    if (c == '"') {
      const std::size_t end = string_end(compact, i);
      out += compact.substr(i, end - i);
      i = end - 1;
    } else if (c == ',') {
      out += c;
      plain ? out += ' ' : (new_line(), out);
    } else if (c == ':') {
      out += ": ";
    } else if (c == '{' || c == '[') {
      plain = c == '[' && is_plain_list(compact, i);
      out += c;
      ++depth;
      const bool empty = i + 1 < compact.size() && (compact[i + 1] == '}' || compact[i + 1] == ']');
      if (!plain && !empty) new_line();
    } else if (c == '}' || c == ']') {
      --depth;
      if (!plain && compact[i - 1] != '{' && compact[i - 1] != '[') new_line();
      plain = false;
      out += c;
    } else {
      out += c;
    }
  }
  return out + "\n";
}

}  // namespace locklab
