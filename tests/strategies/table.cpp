// Table: fixed columns, two spaces before each line (tests/nightly/strategies.sh).
// SPDX-License-Identifier: Apache-2.0
#include "tests/strategies/table.h"

#include <algorithm>

#include <fmt/format.h>

namespace locklab::strategies {
namespace {

constexpr std::size_t kNameColumns = 32;
constexpr std::size_t kCellColumns = 10;
constexpr std::uint64_t kMore = UINT64_MAX;

std::string padded_to(std::string text, std::size_t columns) {
  if (text.size() < columns) text.insert(0, columns - text.size(), ' ');
  return text;
}

std::string number(std::uint64_t value, const Effort& effort) {
  return value == 0 ? fmt::format(">{}", effort.most) : std::to_string(value);
}

std::uint64_t median_of(const Cell& cell) {
  return cell.median == 0 ? kMore : cell.median;
}

/// In hundredths.
std::uint64_t share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : (part * 100 + whole / 2) / whole;
}

struct Sum {
  std::uint64_t found = 0;
  std::uint64_t best = 0;
  std::uint64_t faster = 0;
  std::uint64_t slower = 0;
  std::uint64_t schedules = 0;
  std::uint64_t steps = 0;
  std::vector<std::uint64_t> medians;
};

Sum sum_of(std::size_t column, std::size_t reference, std::span<const Row> rows) {
  Sum sum;
  for (const Row& row : rows) {
    const std::uint64_t own = median_of(row.cells[column]);
    const std::uint64_t other = median_of(row.cells[reference]);
    std::uint64_t least = kMore;
    for (const Cell& cell : row.cells)
      least = std::min(least, median_of(cell));
    sum.found += own != kMore ? 1 : 0;
    sum.best += own != kMore && own == least ? 1 : 0;
    sum.faster += own < other ? 1 : 0;
    sum.slower += own > other ? 1 : 0;
    sum.schedules += row.cells[column].schedules;
    sum.steps += row.cells[column].steps;
    sum.medians.push_back(own);
  }
  std::sort(sum.medians.begin(), sum.medians.end());
  return sum;
}

}  // namespace

std::string heading(std::span<const StrategyInfo* const> strategies) {
  std::string line = fmt::format("  {:<{}}", "", kNameColumns);
  for (const StrategyInfo* const strategy : strategies)
    line += padded_to(std::string(strategy->name), kCellColumns);
  return line + "\n";
}

std::string line_of(const Row& row, const Effort& effort) {
  std::string line = fmt::format("  {:<{}}", row.name, kNameColumns);
  for (const Cell& cell : row.cells) {
    std::string text = number(cell.median, effort);
    if (cell.p95 != cell.median) text += "/" + number(cell.p95, effort);
    line += padded_to(text, kCellColumns);
  }
  return line + "\n";
}

std::string summary(std::span<const StrategyInfo* const> strategies, std::span<const Row> rows,
                    const Effort& effort) {
  std::size_t reference = 0;
  while (reference + 1 < strategies.size() && strategies[reference]->name != "uniform")
    ++reference;
  const Sum uniform = sum_of(reference, reference, rows);
  const std::uint64_t cost = share(uniform.steps, uniform.schedules);
  std::string text = fmt::format("  {:<12}{:>8}{:>8}{:>8}{:>8}{:>8}{:>10}\n", "", "found", "best",
                                 "sooner", "later", "median", "cost");
  for (std::size_t i = 0; i < strategies.size(); ++i) {
    const Sum sum = sum_of(i, reference, rows);
    const std::uint64_t middle = rows.empty() ? kMore : sum.medians[(rows.size() - 1) / 2];
    const std::uint64_t relative = share(share(sum.steps, sum.schedules), cost);
    text +=
        fmt::format("  {:<12}{:>8}{:>8}{:>8}{:>8}{:>8}{:>7}.{:02}\n", strategies[i]->name,
                    sum.found, sum.best, sum.faster, sum.slower,
                    number(middle == kMore ? 0 : middle, effort), relative / 100, relative % 100);
  }
  return text;
}

}  // namespace locklab::strategies
