// Check shard, merged: counts added up, the lowest seeds kept; no gap and no overlap.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "search/check_shard.h"

namespace locklab {
namespace {

CheckShardResult refuse(std::string why) {
  return {std::nullopt, std::move(why)};
}

/// Whether both are parts of the same search, whatever they found. Where the file lay on its
/// machine does not matter.
bool is_same_search(const SavedSearch& a, const SavedSearch& b) {
  return a.scenario.text == b.scenario.text && a.scenario.set == b.scenario.set &&
         a.scenario.hash == b.scenario.hash && a.seeds == b.seeds && a.strategy == b.strategy &&
         std::equal(
             a.tallies.begin(), a.tallies.end(), b.tallies.begin(), b.tallies.end(),
             [](const SavedTally& x, const SavedTally& y) { return x.property == y.property; });
}

/// What of two searches that are not the same differs.
std::string other_setting(const SavedSearch& a, const SavedSearch& b) {
  if (a.scenario.text != b.scenario.text) return " is of another scenario";
  if (a.scenario.set != b.scenario.set) return " was made with other --set flags";
  if (a.seeds != b.seeds) return " was made with other seeds";
  if (a.strategy != b.strategy) return " was made with another strategy";
  return " was made by another version of locklab";
}

/// What makes them parts of different commands; "" if nothing.
std::string difference(const CheckShard& whole, const CheckShard& part) {
  const std::string name = name_of(part.shard);
  if (part.shard.of != whole.shard.of) {
    return name + " is one of " + std::to_string(part.shard.of) + ", and others are of " +
           std::to_string(whole.shard.of);
  }
  if (part.searches.size() != whole.searches.size()) return name + " is of another check";
  for (std::size_t i = 0; i < part.searches.size(); ++i) {
    const SavedSearch& one = part.searches[i];
    const SavedSearch& other = whole.searches[i];
    if (is_same_search(one, other)) continue;
    return name + other_setting(one, other);
  }
  return "";
}

bool is_complete(const CheckShard& shard) {
  return std::all_of(shard.searches.begin(), shard.searches.end(),
                     [](const SavedSearch& search) { return search.complete; });
}

void keep_lowest(std::optional<std::uint64_t>& kept, const std::optional<std::uint64_t>& seed) {
  if (seed && (!kept || *seed < *kept)) kept = seed;
}

void add(SavedSearch& whole, const SavedSearch& part) {
  whole.runs += part.runs;
  whole.steps += part.steps;
  whole.exhausted = whole.exhausted || part.exhausted;
  whole.sampled = whole.sampled || part.sampled;
  for (std::size_t i = 0; i < whole.tallies.size(); ++i) {
    SavedTally& sum = whole.tallies[i];
    const SavedTally& more = part.tallies[i];
    sum.violated += more.violated;
    sum.unknown += more.unknown;
    sum.exercised_runs += more.exercised_runs;
    sum.exercised += more.exercised;
    keep_lowest(sum.first, more.first);
  }
  keep_lowest(whole.unexpected, part.unexpected);
  for (std::size_t i = 0; i < whole.runs_with.size(); ++i)
    whole.runs_with[i] += part.runs_with[i];
  whole.found.insert(whole.found.end(), part.found.begin(), part.found.end());
  whole.coverage.add(part.coverage);
}

/// Those that are still the first of something.
void drop_later_runs(SavedSearch& search) {
  std::erase_if(search.found, [&search](const SavedRun& run) {
    const bool first = std::any_of(search.tallies.begin(), search.tallies.end(),
                                   [&run](const SavedTally& t) { return t.first == run.seed; });
    return !first && search.unexpected != run.seed;
  });
}

}  // namespace

CheckShardResult merge_check_shards(std::vector<CheckShard> shards) {
  if (shards.empty()) return refuse("there is nothing to merge");
  std::sort(shards.begin(), shards.end(),
            [](const CheckShard& a, const CheckShard& b) { return a.shard < b.shard; });
  CheckShard whole = shards.front();
  for (std::size_t i = 0; i < shards.size(); ++i) {
    const CheckShard& part = shards[i];
    std::string why = difference(whole, part);
    if (why.empty()) why = misplaced(part.shard, i + 1);
    if (why.empty() && !is_complete(part)) why = name_of(part.shard) + " was interrupted";
    if (!why.empty()) return refuse(std::move(why));
    if (i == 0) continue;
    for (std::size_t s = 0; s < whole.searches.size(); ++s)
      add(whole.searches[s], part.searches[s]);
  }
  std::string missing = missing_after(shards.size(), whole.shard.of);
  if (!missing.empty()) return refuse(std::move(missing));
  for (SavedSearch& search : whole.searches) {
    search.coverage.schedules.settle();
    drop_later_runs(search);
  }
  whole.shard = {};
  return {std::move(whole), ""};
}

}  // namespace locklab
