// Digests: one line `scenario seed digest` for each: digests FIRST LAST [JOBS [FILL]].
// SPDX-License-Identifier: Apache-2.0
//
// FILL is the byte that each fiber finds on its stack.
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>

#include "scenarios/loader.h"
#include "scenarios/run.h"
#include "search/workers.h"
#include "sim/sources.h"
#include "sim/stack_fill.h"

namespace locklab {
namespace {

using Fill = std::optional<std::uint8_t>;

struct Lines : Piece {
  std::string text;
};

/// One seed in every scenario.
PieceMaker maker(const std::vector<Scenario>& scenarios, std::uint64_t first, Fill fill) {
  auto runner = std::make_shared<Runner>();
  return [&scenarios, first, fill, runner](std::uint64_t number) {
    fill_stacks_of_this_thread(fill);
    auto lines = std::make_unique<Lines>();
    for (const Scenario& scenario : scenarios) {
      const std::uint64_t seed = first + number;
      SeededSource source(seed);
      char line[128];
      std::snprintf(line, sizeof(line), "%s %llu %016llx\n", scenario.name.c_str(),
                    static_cast<unsigned long long>(seed),
                    static_cast<unsigned long long>(runner->run(scenario, source).digest));
      lines->text += line;
    }
    return lines;
  };
}

int print(std::uint64_t first, std::uint64_t last, unsigned jobs, Fill fill) {
  std::vector<Scenario> scenarios;
  for (const std::string& name : embedded_scenario_names()) {
    LoadResult loaded = load_scenario(name);
    if (!loaded.scenario) return 1;
    scenarios.push_back(*std::move(loaded.scenario));
  }
  side_by_side(
      jobs, last - first + 1, [&] { return maker(scenarios, first, fill); },
      [](Piece& piece) {
        return std::fputs(static_cast<Lines&>(piece).text.c_str(), stdout) >= 0;
      });
  return std::fflush(stdout) == 0 ? 0 : 1;
}

}  // namespace
}  // namespace locklab

int main(int argc, char** argv) {
  if (argc < 3 || argc > 5) {
    std::fputs("usage: digests FIRST LAST [JOBS [FILL]]\n", stderr);
    return 64;
  }
  const auto number = [&](int i) { return std::strtoull(argv[i], nullptr, 10); };
  if (number(1) == 0 || number(2) < number(1)) return 64;
  locklab::Fill fill;
  if (argc == 5) fill = static_cast<std::uint8_t>(number(4));
  return locklab::print(number(1), number(2), argc > 3 ? static_cast<unsigned>(number(3)) : 1,
                        fill);
}
