// Text: what a terminal may be given: escaped, measured in columns, cut and wrapped.
// SPDX-License-Identifier: Apache-2.0
//
// Names, keys and nonces come from users' files and may hold anything. Whatever leaves this folder
// for a terminal has passed escaped(): no control character, no direction override, valid UTF-8.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace locklab {

/// One code point of a text; invalid bytes come one at a time with valid = false.
struct Glyph {
  char32_t code = 0;
  std::size_t length = 1;  // In bytes.
  bool valid = true;
};
Glyph first_glyph(std::string_view text);
void append_utf8(std::string& out, char32_t code);

/// Columns on a terminal: 0 for combining marks, 2 for wide East Asian characters and emoji,
/// else 1.
std::size_t columns_of(char32_t code);
std::size_t columns_of(std::string_view text);

/// Control characters and invalid bytes as "\x1b", what reorders or hides text as "\u{202e}".
std::string escaped(std::string_view text);
/// The same in ASCII alone: our own signs by their nearest ("->" for an arrow), others as '?'.
std::string escaped_ascii(std::string_view text);

/// A word that any POSIX shell reads back unchanged.
std::string shell_word(std::string_view text);

/// At most this many columns; a longer text ends in `ellipsis`.
std::string cut(std::string_view text, std::size_t columns, std::string_view ellipsis);
/// Filled with blanks up to this many columns.
std::string padded(std::string_view text, std::size_t columns);
std::string right_aligned(std::string_view text, std::size_t columns);
/// Lines of at most this many columns, broken at blanks where there are any. At least one line.
std::vector<std::string> wrapped(std::string_view text, std::size_t columns);

}  // namespace locklab
