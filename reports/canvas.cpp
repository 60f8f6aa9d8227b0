// Canvas: every cell is one column, so that a row's width is its number of cells.
// SPDX-License-Identifier: Apache-2.0
#include "reports/canvas.h"

#include <algorithm>

#include "reports/text.h"

namespace locklab {

void CanvasRow::put(std::size_t column, std::string_view text, Ink ink, std::size_t end) {
  end = std::min(end, cells_.size());
  std::vector<char32_t> codes;
  while (!text.empty()) {
    const Glyph glyph = first_glyph(text);
    codes.push_back(glyph.valid && columns_of(glyph.code) == 1 && glyph.code >= U' ' ? glyph.code
                                                                                     : U'?');
    text.remove_prefix(glyph.length);
  }
  if (column >= end) return;
  const std::size_t room = end - column;
  if (codes.size() > room) {
    codes.resize(room);
    codes.back() = U'…';
  }
  for (std::size_t i = 0; i < codes.size(); ++i)
    cells_[column + i] = {codes[i], ink};
}

void CanvasRow::fill(std::size_t from, std::size_t to, char32_t code, Ink ink) {
  for (std::size_t i = from; i < std::min(to, cells_.size()); ++i)
    cells_[i] = {code, ink};
}

bool CanvasRow::is_free(std::size_t from, std::size_t to) const {
  if (to > cells_.size() || from > to) return false;
  return std::all_of(cells_.begin() + static_cast<std::ptrdiff_t>(from),
                     cells_.begin() + static_cast<std::ptrdiff_t>(to),
                     [](const Cell& cell) { return cell.code == U' '; });
}

std::size_t CanvasRow::used() const {
  std::size_t used = cells_.size();
  while (used > 0 && cells_[used - 1].code == U' ')
    --used;
  return used;
}

std::string CanvasRow::text(const Paper& paper) const {
  std::string out;
  const std::size_t end = used();
  for (std::size_t from = 0; from < end;) {
    std::size_t to = from;
    std::string run;
    for (; to < end && cells_[to].ink == cells_[from].ink; ++to) {
      // One column each, also in ASCII: a sign whose nearest is longer keeps its first character.
      std::string sign;
      append_utf8(sign, cells_[to].code);
      run += paper.ascii ? escaped_ascii(sign).substr(0, 1) : escaped(sign);
    }
    out += paper.paint(cells_[from].ink, run);
    from = to;
  }
  return out + "\n";
}

}  // namespace locklab
