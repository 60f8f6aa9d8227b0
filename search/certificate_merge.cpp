// Merge: shards of one enumeration added up, with no gap and no overlap.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "search/certificate_file.h"

namespace locklab {
namespace {

CertificateResult refuse(std::string why) {
  return {std::nullopt, std::move(why)};
}

/// "" if it can stand at that place, counted from 1, among the shards of the whole.
std::string objection(const Certificate& whole, const Certificate& part, std::uint64_t place) {
  const std::string name = name_of(part.shard);
  const bool same = part.scenario_hash == whole.scenario_hash && part.set == whole.set &&
                    part.scenario == whole.scenario && part.bound == whole.bound &&
                    part.shard.of == whole.shard.of &&
                    part.properties.size() == whole.properties.size();
  if (!same) return name + " is of another enumeration";
  for (std::size_t i = 0; i < part.properties.size(); ++i) {
    if (part.properties[i].name != whole.properties[i].name)
      return name + " judges other properties";
  }
  std::string why = misplaced(part.shard, place);
  const bool incomplete = !part.counterexample && part.units_done < part.units;
  return why.empty() && incomplete ? name + " is incomplete" : why;
}

Certificate emptied(Certificate whole) {
  whole.counterexample.reset();
  whole.units = whole.units_done = 0;
  whole.levels.assign(whole.levels.size(), {});
  for (PropertyCount& property : whole.properties) {
    property.violated.assign(property.violated.size(), 0);
    property.unknown = property.exercised = 0;
  }
  return whole;
}

void add(Certificate& whole, const Certificate& part) {
  whole.units += part.units;
  whole.units_done += part.units_done;
  for (std::size_t l = 0; l < part.levels.size(); ++l) {
    whole.levels[l].schedules += part.levels[l].schedules;
    whole.levels[l].impossible += part.levels[l].impossible;
    whole.levels[l].sum.add(part.levels[l].sum);
  }
  for (std::size_t p = 0; p < part.properties.size(); ++p) {
    PropertyCount& sum = whole.properties[p];
    const PropertyCount& more = part.properties[p];
    for (std::size_t l = 0; l < sum.violated.size(); ++l)
      sum.violated[l] += more.violated[l];
    sum.unknown += more.unknown;
    sum.exercised += more.exercised;
  }
  const auto& found = part.counterexample;
  if (found && (!whole.counterexample || found->unit < whole.counterexample->unit)) {
    whole.counterexample = found;
  }
}

}  // namespace

CertificateResult merge_certificates(std::vector<Certificate> shards) {
  if (shards.empty()) return refuse("there is nothing to merge");
  std::sort(shards.begin(), shards.end(),
            [](const Certificate& a, const Certificate& b) { return a.shard < b.shard; });
  Certificate whole = emptied(shards.front());
  for (std::size_t i = 0; i < shards.size(); ++i) {
    std::string why = objection(whole, shards[i], i + 1);
    if (!why.empty()) return refuse(std::move(why));
    add(whole, shards[i]);
  }
  std::string missing = missing_after(shards.size(), whole.shard.of);
  if (!missing.empty()) return refuse(std::move(missing));
  whole.shard = {};
  return {whole, ""};
}

}  // namespace locklab
