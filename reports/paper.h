// Paper: what a report is written on: its width, its colours, and whether it has only ASCII.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace locklab {

enum class Ink : std::uint8_t { plain, bold, dim, red, green, yellow, cyan };

struct Paper {
  static constexpr std::size_t kNarrowest = 40;
  static constexpr std::size_t kWidest = 500;

  std::size_t width = 80;
  bool color = false;
  bool ascii = false;

  /// Any text, made safe for this paper. Measure and cut only what has passed here.
  std::string say(std::string_view text) const;
  /// A text that has passed say(), in an ink; unchanged without colour.
  std::string paint(Ink ink, std::string_view text) const;
  /// say(), wrapped to the width; further lines begin with `indent` blanks. Ends with a newline.
  std::string paragraph(std::string_view first, std::string_view text, std::size_t indent,
                        Ink ink = Ink::plain) const;
};

}  // namespace locklab
