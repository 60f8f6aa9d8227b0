// Table: docs/traps.md as data, one row for each trap.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace locklab::testing_traps {

/// One line of the table: | A1 | what | shown by | mended by |
struct Row {
  std::string id;
  std::vector<std::string> shown;
  std::vector<std::string> mended;
};

inline std::vector<std::string> cells_of(std::string_view line) {
  std::vector<std::string> cells;
  for (std::size_t begin = line.find('|'); begin != std::string_view::npos;) {
    const std::size_t end = line.find('|', begin + 1);
    if (end == std::string_view::npos) break;
    cells.emplace_back(line.substr(begin + 1, end - begin - 1));
    begin = end;
  }
  return cells;
}

/// What stands between backquotes.
inline std::vector<std::string> names_in(std::string_view cell) {
  std::vector<std::string> names;
  for (std::size_t begin = cell.find('`'); begin != std::string_view::npos;) {
    const std::size_t end = cell.find('`', begin + 1);
    if (end == std::string_view::npos) break;
    names.emplace_back(cell.substr(begin + 1, end - begin - 1));
    begin = cell.find('`', end + 1);
  }
  return names;
}

inline std::vector<Row> rows() {
  std::ifstream file(LOCKLAB_SOURCE_DIR "/docs/traps.md");
  std::vector<Row> rows;
  for (std::string line; std::getline(file, line);) {
    const std::vector<std::string> cells = cells_of(line);
    if (cells.size() != 4 || cells[0].find_first_of("0123456789") == std::string::npos) continue;
    const std::size_t begin = cells[0].find_first_not_of(' ');
    const std::size_t end = cells[0].find_last_not_of(' ') + 1;
    rows.push_back({cells[0].substr(begin, end - begin), names_in(cells[2]), names_in(cells[3])});
  }
  return rows;
}

}  // namespace locklab::testing_traps
