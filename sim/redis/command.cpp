// Number and name parsing, and the assembly of the families into one table.
// SPDX-License-Identifier: Apache-2.0
#include "sim/redis/command.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <vector>

#include "sim/contract.h"
#include "sim/redis/commands/families.h"

namespace locklab::redis {
namespace {

constexpr char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

// Longer than any name in the table, so that a longer one cannot match.
constexpr std::size_t kNameMax = 32;

/// All rows, sorted, with an index by the first letter: a lookup compares a few short names.
class Table {
 public:
  Table() {
    for (const auto family : {string_commands(), hash_commands(), key_commands(), server_commands(),
                              script_commands(), connection_commands()}) {
      rows_.insert(rows_.end(), family.begin(), family.end());
    }
    std::sort(rows_.begin(), rows_.end(),
              [](const CommandSpec& a, const CommandSpec& b) { return a.name < b.name; });
    for (std::size_t i = 1; i < rows_.size(); ++i)
      SIM_ASSERT(rows_[i - 1].name != rows_[i].name);
    for (const CommandSpec& row : rows_)
      SIM_ASSERT(row.name.size() <= kNameMax);
    for (std::size_t letter = 0; letter < first_.size(); ++letter) {
      const auto starts_below = [letter](const CommandSpec& row) {
        return static_cast<std::size_t>(row.name.front() - 'a') < letter;
      };
      first_[letter] = static_cast<std::size_t>(
          std::partition_point(rows_.begin(), rows_.end(), starts_below) - rows_.begin());
    }
  }

  [[nodiscard]] std::span<const CommandSpec> rows() const { return rows_; }

  [[nodiscard]] const CommandSpec* find(std::string_view lower_case) const {
    const auto letter = static_cast<std::size_t>(lower_case.empty() ? 0 : lower_case[0] - 'a');
    if (lower_case.empty() || letter + 1 >= first_.size()) return nullptr;
    for (std::size_t i = first_[letter]; i < first_[letter + 1]; ++i) {
      if (rows_[i].name == lower_case) return &rows_[i];
    }
    return nullptr;
  }

 private:
  std::vector<CommandSpec> rows_;
  std::array<std::size_t, 27> first_{};
};

const Table& table() {
  static const Table kTable;
  return kTable;
}

}  // namespace

const CommandSpec* find_command(Command argv) {
  if (argv.empty() || argv[0].size() > kNameMax) return nullptr;
  std::array<char, 2 * kNameMax + 1> buffer;
  char* end = std::transform(argv[0].begin(), argv[0].end(), buffer.begin(), lower);
  const auto name = [&] {
    return std::string_view(buffer.data(), static_cast<std::size_t>(end - buffer.data()));
  };
  const CommandSpec* row = table().find(name());
  // "script|load" as one word names no command.
  if (row == nullptr || argv[0].find('|') != std::string_view::npos) return nullptr;
  if (!row->has(kContainer) || argv.size() < 2 || argv[1].size() > kNameMax) return row;
  *end++ = '|';
  end = std::transform(argv[1].begin(), argv[1].end(), end, lower);
  const CommandSpec* subcommand = table().find(name());
  return subcommand == nullptr ? row : subcommand;
}

std::span<const CommandSpec> all_commands() {
  return table().rows();
}

bool equals_ignoring_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return lower(x) == lower(y); });
}

std::optional<std::int64_t> parse_integer(std::string_view text) {
  const bool negative = !text.empty() && text[0] == '-';
  const std::string_view digits = text.substr(negative ? 1 : 0);
  if (digits.empty()) return std::nullopt;
  if (digits[0] == '0') {
    return text == "0" ? std::optional<std::int64_t>(0) : std::nullopt;
  }
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string_view format_integer(std::int64_t value, Arena& arena) {
  char digits[20];
  const auto [end, error] = std::to_chars(digits, digits + sizeof digits, value);
  SIM_ASSERT(error == std::errc());
  return arena.copy(std::string_view(digits, static_cast<std::size_t>(end - digits)));
}

Command copy(Command argv, Arena& arena) {
  const std::span<std::string_view> result = arena.make_array<std::string_view>(argv.size());
  for (std::size_t i = 0; i < argv.size(); ++i)
    result[i] = arena.copy(argv[i]);
  return result;
}

}  // namespace locklab::redis
