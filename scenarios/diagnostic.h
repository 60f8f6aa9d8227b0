// Diagnostic: one error in a text that a user wrote, with its place, the line and a suggestion.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace locklab {

/// A text under its name in messages. The text must outlive it.
struct SourceText {
  std::string name;
  std::string_view text;
};

/// A part of a source. `source` null: nowhere in particular.
struct Place {
  const SourceText* source = nullptr;
  std::size_t offset = 0;
  std::size_t length = 0;
};

struct Diagnostic {
  std::string source;
  std::uint32_t line = 0;    // From 1; 0: of the source as a whole.
  std::uint32_t column = 0;  // From 1, in characters.
  std::string message;
  std::string hint;         // "did you mean …"; may be empty.
  std::string excerpt;      // The line, cut to a window when it is long.
  std::uint32_t caret = 0;  // Characters of the excerpt before the caret.
  std::uint32_t width = 1;  // Length of the underline.

  /// "file:14:17: error: a duration needs a unit"
  std::string headline() const;
  /// The headline, the line and the caret with the hint; ends with a newline.
  std::string render() const;
};

Diagnostic diagnostic_at(const Place& place, std::string message, std::string hint = {});
/// About a source that has no text to show.
Diagnostic diagnostic_of(std::string source, std::string message, std::string hint = {});

/// All of them, rendered.
std::string render(const std::vector<Diagnostic>& errors);

/// The text in double quotes, cut to 60 characters, without control characters: safe on a terminal.
std::string quoted(std::string_view text);
/// Control characters become '?'.
std::string printable(std::string_view text);

}  // namespace locklab
