// Recount: one level of sets makes the next.
// SPDX-License-Identifier: Apache-2.0
#include "search/recount.h"

#include <algorithm>
#include <memory>
#include <span>
#include <utility>

#include "search/recounting.h"
#include "search/token.h"
#include "search/workers.h"
#include "sim/mix.h"

namespace locklab {
namespace {

using Set = std::vector<Deviation>;  // In the order in which they are met.

/// Of a set, whatever its order, but for accidents of 2^-128: the sets themselves are too many.
using Fingerprint = std::pair<std::uint64_t, std::uint64_t>;
Fingerprint fingerprint_of(const Set& set) {
  Fingerprint print{0x7365, 0x7473};
  for (const Deviation& d : normalised(set)) {
    print.first = mix(mix(print.first, d.address.span), mix(d.address.place, d.value));
    print.second = mix(mix(print.second, d.value), mix(d.address.span, d.address.place));
  }
  return print;
}

/// Each piece takes its share of a cell's first deviations, so that a long cell is many pieces.
constexpr std::uint64_t kSlices = 64;

struct Part : Piece {
  Recount counts;
  std::vector<Fingerprint> met;
};

Recount nothing_counted(const Scenario& scenario, const Bound& bound,
                        std::span<const Property> properties) {
  Recount counts;
  counts.levels.resize(std::size_t{deepest_level(bound)} + 1);
  for (const Property& property : properties) {
    counts.properties.push_back({std::string(property.name),
                                 expected_of(scenario.expect, property.name),
                                 std::vector<std::uint64_t>(counts.levels.size()), 0, 0});
  }
  return counts;
}

class Recounter {
 public:
  Recounter(const Scenario& scenario, const Bound& bound, const CertifyHooks& hooks,
            const Laboratory& laboratory)
      : scenario_(scenario),
        bound_(bound),
        hooks_(hooks),
        runner_(laboratory.find, laboratory.scripts),
        judge_(judged_properties(scenario, laboratory)),
        source_(bound, scenario.client_count()) {}

  std::unique_ptr<Piece> work(std::uint64_t number) {
    auto part = std::make_unique<Part>();
    part->counts = nothing_counted(scenario_, bound_, judge_.properties());
    part_ = part.get();
    slice_ = number % kSlices;
    count(number / kSlices);
    return part;
  }

 private:
  void count(std::uint64_t cell) {
    std::vector<Set> sets = {{}};
    const std::size_t levels = part_->counts.levels.size();
    for (std::size_t level = 0; level < std::max<std::size_t>(levels - 1, 1); ++level) {
      std::vector<Set> next;
      for (const Set& set : sets) {
        run(set, cell, level, next);
        if (level + 2 == levels) {
          // The last level is the widest by far: its sets are run at once and not kept.
          for (const Set& leaf : std::exchange(next, {}))
            run(leaf, cell, level + 1, next);
        }
        if (part_->counts.cancelled) return;
      }
      sets = std::move(next);
    }
  }

  void run(const Set& set, std::uint64_t cell, std::size_t level, std::vector<Set>& next) {
    Recount& counts = part_->counts;
    if (counts.cancelled) return;
    source_.aim(set, cell, level + 1 < counts.levels.size());
    const Execution& execution = runner_.run(scenario_, source_);
    counts.cancelled = hooks_.cancelled && hooks_.cancelled();
    // Every slice runs the empty set, for what may follow it; the first one counts it.
    if (level > 0 || slice_ == 0) add(set, level, execution);
    if (execution.deviation_count() != set.size()) return;
    std::uint64_t place = 0;
    for (const Deviation& follower : source_.followers()) {
      if (level == 0 && place++ % kSlices != slice_) continue;
      next.push_back(set);
      next.back().push_back(follower);
    }
  }

  void add(const Set& set, std::size_t level, const Execution& execution) {
    Recount& counts = part_->counts;
    part_->met.push_back(fingerprint_of(set));
    if (execution.deviation_count() != set.size()) {
      ++counts.levels[level].impossible;
      return;
    }
    ++counts.levels[level].schedules;
    counts.levels[level].sum.add(execution);
    const std::span<const NamedFinding> findings = judge_.judge(*execution.history);
    for (std::size_t i = 0; i < findings.size(); ++i) {
      const Verdict verdict = findings[i].finding.verdict;
      PropertyCount& property = counts.properties[i];
      if (verdict == Verdict::violated) ++property.violated[level];
      if (verdict == Verdict::unknown) ++property.unknown;
      if (findings[i].finding.exercised > 0) ++property.exercised;
    }
  }

  const Scenario& scenario_;
  const Bound bound_;
  const CertifyHooks& hooks_;
  Runner runner_;
  Judge judge_;
  Recounting source_;
  Part* part_ = nullptr;
  std::uint64_t slice_ = 0;
};

std::uint64_t cells_of(const PhasePoints& phases, std::uint32_t clients) {
  std::uint64_t cells = std::uint64_t{phases.poll} * phases.work;
  for (std::uint32_t i = 0; i < clients; ++i)
    cells *= phases.start;
  return cells;
}

void add(Recount& whole, const Recount& part) {
  for (std::size_t l = 0; l < whole.levels.size(); ++l) {
    whole.levels[l].schedules += part.levels[l].schedules;
    whole.levels[l].impossible += part.levels[l].impossible;
    whole.levels[l].sum.add(part.levels[l].sum);
  }
  for (std::size_t p = 0; p < whole.properties.size(); ++p) {
    PropertyCount& sum = whole.properties[p];
    for (std::size_t l = 0; l < sum.violated.size(); ++l)
      sum.violated[l] += part.properties[p].violated[l];
    sum.unknown += part.properties[p].unknown;
    sum.exercised += part.properties[p].exercised;
  }
  whole.cancelled |= part.cancelled;
}

bool has_twice(std::vector<Fingerprint>& met) {
  std::sort(met.begin(), met.end());
  return std::adjacent_find(met.begin(), met.end()) != met.end();
}

std::string differing(const std::string& what, std::uint64_t said, std::uint64_t found) {
  if (said == found) return "";
  return "it says " + std::to_string(said) + " " + what + ", and there are " +
         std::to_string(found);
}

}  // namespace

Recount recount(const Scenario& scenario, const Bound& bound, unsigned jobs,
                const CertifyHooks& hooks, const Laboratory& laboratory) {
  Recount whole = nothing_counted(scenario, bound, judged_properties(scenario, laboratory));
  const auto make_work = [&]() -> PieceMaker {
    auto recounter = std::make_shared<Recounter>(scenario, bound, hooks, laboratory);
    return [recounter](std::uint64_t number) { return recounter->work(number); };
  };
  std::uint64_t pieces = 0;
  std::uint64_t schedules = 0;
  std::vector<Fingerprint> met;  // Of one cell: equal sets in two cells are two schedules.
  const auto take = [&](Piece& piece) {
    auto& part = static_cast<Part&>(piece);
    add(whole, part.counts);
    met.insert(met.end(), part.met.begin(), part.met.end());
    if (++pieces % kSlices == 0) {
      whole.twice |= has_twice(met);
      met.clear();
    }
    for (const LevelCount& level : part.counts.levels)
      schedules += level.schedules;
    if (hooks.progress) hooks.progress({schedules, 0});
    return !whole.cancelled;
  };
  side_by_side(std::max(jobs, 1U), cells_of(bound.phases, scenario.client_count()) * kSlices,
               make_work, take);
  return whole;
}

std::string difference(const Certificate& certificate, const Recount& recount) {
  if (recount.twice) return "a set of deviations was met twice";
  if (certificate.levels.size() != recount.levels.size()) return "it has another number of levels";
  for (std::size_t level = 0; level < recount.levels.size(); ++level) {
    const LevelCount& said = certificate.levels[level];
    const LevelCount& found = recount.levels[level];
    const std::string with = " with " + std::to_string(level) + " deviations";
    std::string text = differing("schedules" + with, said.schedules, found.schedules);
    if (text.empty()) {
      text = differing("impossible sets" + with, said.impossible, found.impossible);
    }
    if (!text.empty()) return text;
    if (!(said.sum == found.sum)) return "the schedules" + with + " are others";
  }
  if (certificate.properties.size() != recount.properties.size())
    return "it judges other properties";
  for (std::size_t i = 0; i < recount.properties.size(); ++i) {
    if (certificate.properties[i] == recount.properties[i]) continue;
    return "it says something else of " + recount.properties[i].name;
  }
  return "";
}

}  // namespace locklab
