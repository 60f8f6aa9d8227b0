// Table: numbers first, then what each of them stands for.
// SPDX-License-Identifier: Apache-2.0
#include "tests/distance/table.h"

#include <array>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "search/workers.h"

namespace locklab::testing_distance {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kColumns = {{
    {"double-ownership", "inside"},
    {"claimed-exclusion", "claimed"},
    {"serializable-effects", "harm"},
    {"no-lost-update", "lost"},
    {"eventual-release", "blocked"},
    {"no-foreign-mutation", "foreign"},
    {"no-orphan-key", "orphan"},
}};

struct Subject {
  LockInfo lock;
  ResourceMode resource;
};

struct Measured : Piece {
  LockDistances of;
};

std::vector<Subject> subjects(const std::vector<LockInfo>& locks) {
  std::vector<Subject> all;
  for (const ResourceMode mode : {ResourceMode::none, ResourceMode::ge_w, ResourceMode::ge_rw}) {
    for (const LockInfo& lock : locks) {
      if (mode == ResourceMode::none || lock.fenced) all.push_back({lock, mode});
    }
  }
  return all;
}

std::string_view column_of(const std::string& property) {
  for (const auto& [name, column] : kColumns) {
    if (name == property) return column;
  }
  return property;
}

std::string number_of(const Distance& distance) {
  if (!distance.deviations) return "-";
  const bool most = distance.searched && *distance.deviations > 2;
  return fmt::format("{}{}", most ? "<=" : "", *distance.deviations);
}

std::string table_of(const std::vector<LockDistances>& all, std::string_view resource) {
  std::string out;
  for (const LockDistances& of : all) {
    if (of.resource != resource) continue;
    if (out.empty()) {
      out = fmt::format("    {:<26}", "at " + of.resource);
      for (const Distance& row : of.rows)
        out += fmt::format("{:>9}", column_of(row.property));
      out += "\n";
    }
    out += fmt::format("    {:<26}", of.lock);
    for (const Distance& row : of.rows)
      out += fmt::format("{:>9}", number_of(row));
    out += "\n";
  }
  return out + "\n";
}

std::string lines_of(const LockDistances& of) {
  std::string out;
  for (const Distance& row : of.rows) {
    if (!row.deviations) continue;
    out += fmt::format("    {:<26}{:<6} {:<9}{:<4}{}{}\n", of.lock, of.resource,
                       column_of(row.property), number_of(row), row.how,
                       row.searched ? " (searched)" : "");
  }
  return out;
}

}  // namespace

std::vector<LockDistances> measure(const std::vector<LockInfo>& locks, const Effort& effort,
                                   unsigned jobs) {
  const std::vector<Subject> all = subjects(locks);
  std::vector<LockDistances> measured;
  const auto make_work = [&]() -> PieceMaker {
    return [&](std::uint64_t number) {
      const Subject& subject = all[number];
      auto piece = std::make_unique<Measured>();
      piece->of = {std::string(subject.lock.name), std::string(name_of(subject.resource)),
                   distances(subject.lock, subject.resource, effort)};
      return piece;
    };
  };
  side_by_side(jobs, all.size(), make_work, [&](Piece& piece) {
    measured.push_back(std::move(static_cast<Measured&>(piece).of));
    return true;
  });
  return measured;
}

std::string tables_of(const std::vector<LockDistances>& all) {
  std::string out;
  for (const std::string_view resource : {"none", "ge_w", "ge_rw"})
    out += table_of(all, resource);
  for (const LockDistances& of : all)
    out += lines_of(of);
  return out;
}

}  // namespace locklab::testing_distance
