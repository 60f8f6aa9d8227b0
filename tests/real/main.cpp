// real_redis: plays stories on real servers and prints the page docs/real-redis.md.
// SPDX-License-Identifier: Apache-2.0
//
//   real_redis                        the page
//   real_redis STORY…                 the page with these stories
//   real_redis --any A B STORY…       seeds A to B of each, up to two faults of any kind; of each
//                                     run that does not agree, what led to it
// Exits with 0 when all that can be played agrees, with 77 where there is no redis-server.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <span>
#include <string>
#include <vector>

#include "search/search_testing.h"
#include "tests/real/records.h"
#include "tests/real/table.h"

namespace locklab::real {
namespace {

using testing_search::all_stories;
using testing_search::story;

std::vector<Scenario> stories_named(const std::vector<std::string>& names) {
  if (names.empty()) return all_stories();
  std::vector<Scenario> stories;
  stories.reserve(names.size());
  for (const std::string& name : names)
    stories.push_back(story(name));
  return stories;
}

bool print_page(const std::vector<Scenario>& stories) {
  std::vector<Comparison> comparisons;
  comparisons.reserve(stories.size());
  for (const Scenario& scenario : stories)
    comparisons.push_back(compare(scenario, published_run(scenario)));
  std::printf("%s", page_of(comparisons).c_str());
  bool well = true;
  for (const Comparison& comparison : comparisons)
    well = well && (comparison.agrees() || !comparison.walk.unmapped.empty());
  return well;
}

/// What the real parts had done before.
void print_last(const History& history) {
  constexpr std::size_t kShown = 40;
  const std::span<const Record> records = history.records();
  const std::size_t first = records.size() - std::min(records.size(), kShown);
  for (const Record& record : records.subspan(first)) {
    std::printf("  %5u %12s  %s\n", record.seq, to_string(record.at()).c_str(),
                line_of(history, record).c_str());
  }
}

bool play_any(const Scenario& scenario, std::uint64_t first, std::uint64_t last) {
  Sum sum;
  for (std::uint64_t seed = first; seed <= last; ++seed) {
    const Comparison comparison = compare(scenario, seeded_run(scenario, seed));
    sum.add(comparison);
    if (!comparison.agrees()) {
      std::printf("%s, seed %llu: %s\n", scenario.name.c_str(),
                  static_cast<unsigned long long>(seed), disagreement_of(comparison).c_str());
      print_last(comparison.walk.history);
    }
  }
  std::printf("%s: %s\n", scenario.name.c_str(), sum.sentence().c_str());
  return sum.disagreeing == 0;
}

int play(const std::vector<std::string>& words) {
  if (!has_redis_server()) {
    std::fprintf(stderr, "real_redis: there is no %s\n", kRedisServer);
    return 77;
  }
  if (words.empty() || words[0] != "--any") return print_page(stories_named(words)) ? 0 : 1;
  if (words.size() < 3) return 64;
  bool well = true;
  for (const Scenario& scenario : stories_named({words.begin() + 3, words.end()})) {
    well = play_any(testing_search::with_any_faults(scenario, 2), std::stoull(words[1]),
                    std::stoull(words[2])) &&
           well;
  }
  return well ? 0 : 1;
}

}  // namespace
}  // namespace locklab::real

int main(int argc, char** argv) {
  try {
    return locklab::real::play({argv + 1, argv + argc});
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "real_redis: %s\n", failure.what());
    return 70;
  }
}
