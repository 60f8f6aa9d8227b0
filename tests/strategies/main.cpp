// strategies: the table of docs/strategies.md, or one of its rows.
// SPDX-License-Identifier: Apache-2.0
//
// strategies JOBS                           every broken story, then the summary
// strategies one NAME STORY PROPERTY        one row under that name: linked with a mutant
#include <cstdio>
#include <cstdlib>

#include "search/workers.h"
#include "tests/strategies/table.h"

namespace {

using namespace locklab;
using namespace locklab::strategies;

struct Done : Piece {
  Row row;
};

std::vector<const StrategyInfo*> all() {
  std::vector<const StrategyInfo*> strategies;
  for (const StrategyInfo& strategy : all_strategies())
    strategies.push_back(&strategy);
  return strategies;
}

int one(const std::vector<std::string>& words) {
  const std::optional<Case> about = case_named(words[2], words[3]);
  if (!about) return 65;
  const Effort effort;
  std::fputs(line_of(measure_all(*about, words[1], all(), effort), effort).c_str(), stdout);
  return 0;
}

void everything(unsigned jobs) {
  const std::vector<Case> cases = broken_stories();
  const std::vector<const StrategyInfo*> strategies = all();
  const Effort effort;
  std::vector<Row> rows;
  std::fputs(heading(strategies).c_str(), stdout);
  const auto make_work = [&]() -> PieceMaker {
    return [&](std::uint64_t number) {
      auto done = std::make_unique<Done>();
      const Case& about = cases[number];
      done->row = measure_all(about, about.scenario.name, strategies, effort);
      return done;
    };
  };
  const auto take = [&](Piece& piece) {
    rows.push_back(static_cast<Done&>(piece).row);
    std::fputs(line_of(rows.back(), effort).c_str(), stdout);
    std::fflush(stdout);
    return true;
  };
  side_by_side(jobs, cases.size(), make_work, take);
  std::fputs(("\n" + summary(strategies, rows, effort)).c_str(), stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() == 4 && words[0] == "one") return one(words);
  const unsigned long jobs = words.size() == 1 ? std::strtoul(words[0].c_str(), nullptr, 10) : 0;
  if (jobs == 0 || jobs > 256) {
    std::fputs("usage: strategies JOBS | strategies one NAME STORY PROPERTY\n", stderr);
    return 64;
  }
  everything(static_cast<unsigned>(jobs));
  return 0;
}
