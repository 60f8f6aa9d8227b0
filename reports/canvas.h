// Canvas: rows of single-column characters with inks, for drawings that must never be too wide.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "reports/paper.h"

namespace locklab {

class CanvasRow {
 public:
  explicit CanvasRow(std::size_t width) : cells_(width) {}

  /// Writes from this column on; what would lie at or beyond `end` or the row's end is cut off,
  /// with an ellipsis if there is room for one. Characters that are not one column wide become '?'.
  void put(std::size_t column, std::string_view text, Ink ink, std::size_t end = SIZE_MAX);
  void fill(std::size_t from, std::size_t to, char32_t code, Ink ink);
  bool is_free(std::size_t from, std::size_t to) const;
  /// One past the last column that is not blank.
  std::size_t used() const;
  /// Without trailing blanks, with a newline.
  std::string text(const Paper& paper) const;

 private:
  struct Cell {
    char32_t code = U' ';
    Ink ink = Ink::plain;
  };
  std::vector<Cell> cells_;
};

}  // namespace locklab
