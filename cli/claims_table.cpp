// Claims table: names of kinds stand upright above their columns.
// SPDX-License-Identifier: Apache-2.0
#include "cli/claims_table.h"

#include <algorithm>
#include <vector>

#include "reports/text.h"
#include "sim/fault_kind.h"

namespace locklab::cli {
namespace {

constexpr std::string_view kLegend =
    "i  two inside                  h  harm at a resource that checks no fence\n"
    "b  blocked, and nothing else   F  harm at one that does: fenced locks only\n"
    "B  blocked, and one of these   .  nothing in 1,000 schedules\n";

/// "none" first: what needs no fault.
std::vector<std::string_view> kinds() {
  std::vector<std::string_view> names;
  for (unsigned kind = 0; kind < static_cast<unsigned>(FaultKind::count); ++kind)
    names.push_back(kind == 0 ? "none" : name_of(static_cast<FaultKind>(kind)));
  return names;
}

bool has_word(std::string_view words, std::string_view word) {
  return (" " + std::string(words) + " ").find(" " + std::string(word) + " ") != std::string::npos;
}

std::string without_end_blanks(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

}  // namespace

char claim_letter(const LockInfo& lock, std::string_view kind) {
  const Breaks& breaks = lock.breaks;
  char worst = '.';
  if (has_word(breaks.two_inside, kind)) worst = 'i';
  if (has_word(breaks.harm, kind)) worst = 'h';
  if (has_word(breaks.fenced_harm, kind)) worst = 'F';
  if (!has_word(breaks.blocked, kind)) return worst;
  return worst == '.' ? 'b' : 'B';
}

std::string claims_table() {
  const std::vector<std::string_view> names = kinds();
  std::size_t tallest = 0;
  for (const std::string_view name : names)
    tallest = std::max(tallest, name.size());
  std::size_t widest = 0;
  for (const LockInfo& lock : all_locks())
    widest = std::max(widest, lock.name.size());
  std::string out;
  for (std::size_t row = 0; row < tallest; ++row) {
    std::string line(widest + 1, ' ');
    for (const std::string_view name : names) {
      const std::size_t above = tallest - name.size();
      line += {' ', row < above ? ' ' : name[row - above]};
    }
    out += without_end_blanks(line) + "\n";
  }
  for (const LockInfo& lock : all_locks()) {
    out += padded(std::string(lock.name), widest + 1);
    for (const std::string_view name : names)
      out += {' ', claim_letter(lock, name)};
    out += "\n";
  }
  return out + "\n" + std::string(kLegend);
}

}  // namespace locklab::cli
