// Table: what was played on real servers, as the page docs/real-redis.md has it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <string>

#include "tests/real/story.h"

namespace locklab::real {

/// The whole page.
std::string page_of(std::span<const Comparison> comparisons);
/// What the page says of one story: in the table, and below it.
std::string row_of(const Comparison& comparison);
std::string details_of(const Comparison& comparison);
/// The first difference, the verdicts that differ, why it cannot be played or not be finished;
/// empty: it agrees.
std::string disagreement_of(const Comparison& comparison);

/// Many runs, added up.
struct Sum {
  std::uint64_t agreeing = 0;
  std::uint64_t disagreeing = 0;
  std::uint64_t unmapped = 0;
  std::set<std::string> why_unmapped;
  std::uint64_t events = 0;
  std::uint64_t seen = 0;  // Of them.
  std::uint64_t commands = 0;
  void add(const Comparison& comparison);
  std::string sentence() const;
};

}  // namespace locklab::real
