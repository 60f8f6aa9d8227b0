// Compare: replays, looks for the places that were met, and walks two histories side by side.
// SPDX-License-Identifier: Apache-2.0
#include "search/compare.h"

#include <algorithm>
#include <string_view>

#include "sim/contract.h"
#include "sim/sources.h"

namespace locklab {
namespace {

bool is_taken(const Deviation& deviation, std::span<const Deviation> taken) {
  return std::any_of(taken.begin(), taken.end(), [&deviation](const Deviation& other) {
    return other.address == deviation.address;
  });
}

// --- Two records ------------------------------------------------------------------------------

/// Records of two histories, which number actors and texts each in its own way.
class Pairs {
 public:
  Pairs(const History& a, const History& b)
      : a_(a),
        b_(b),
        same_actors_(std::equal(a.actors.begin(), a.actors.end(), b.actors.begin(), b.actors.end(),
                                [](const auto& x, const auto& y) { return x.name == y.name; })) {}

  bool same(const Record& x, const Record& y) const {
    return x.t == y.t && x.kind == y.kind && x.cause == y.cause && x.label == y.label &&
           x.flags == y.flags && x.fence == y.fence && x.epoch == y.epoch && x.local == y.local &&
           (x.hold & 0xffffU) == (y.hold & 0xffffU) &&
           same_actor(x.hold_id().process(), y.hold_id().process()) &&
           same_actor(x.who(), y.who()) && same_text(x.lock, y.lock) &&
           same_text(x.nonce, y.nonce) && same_amounts(x, y);
  }

 private:
  bool same_actor(ActorId x, ActorId y) const {
    if (same_actors_ || is_link(x) || is_link(y)) return x == y;
    const bool known = x.value < a_.actors.size() && y.value < b_.actors.size();
    return known ? a_.actors[x.value].name == b_.actors[y.value].name : x == y;
  }
  bool same_text(std::uint32_t x, std::uint32_t y) const { return a_.text(x) == b_.text(y); }
  bool same_amounts(const Record& x, const Record& y) const {
    if (x.kind == EventKind::applied) {
      return x.result == y.result && same_text(low(x.arg), low(y.arg)) &&
             same_text(high(x.arg), high(y.arg));
    }
    if (x.kind == EventKind::key_value && x.has(event_flags::kText)) {
      return same_text(low(x.result), low(y.result));
    }
    // Elsewhere an amount may hold an actor's number, which says nothing between two worlds.
    return x.result == y.result && (!same_actors_ || x.arg == y.arg);
  }
  static std::uint32_t low(std::int64_t bits) { return static_cast<std::uint32_t>(bits); }
  static std::uint32_t high(std::int64_t bits) {
    return static_cast<std::uint32_t>(static_cast<std::uint64_t>(bits) >> 32);
  }

  const History& a_;
  const History& b_;
  bool same_actors_;
};

std::vector<Property> overlap_and_harm(const Laboratory& laboratory) {
  constexpr std::array<std::string_view, 2> kNames = {"double-ownership", "serializable-effects"};
  std::vector<Property> both;
  for (const std::string_view name : kNames) {
    for (const Property& property : laboratory.properties) {
      if (property.name == name) both.push_back(property);
    }
  }
  SIM_ASSERT(both.size() == kNames.size());
  return both;
}

}  // namespace

Fit fit(const Scenario& scenario, std::span<const Deviation> choices,
        const Laboratory& laboratory) {
  Runner runner(laboratory.find, laboratory.scripts);
  ReplaySource source;
  Fit fit;
  fit.choices.assign(choices.begin(), choices.end());
  source.load(fit.choices);
  const std::span<const Deviation> strict = runner.run(scenario, source).choices;
  std::vector<bool> changed;
  for (Deviation& deviation : fit.choices) {
    changed.push_back(!is_taken(deviation, strict));
    if (changed.back()) deviation.witness = kAnyWitness;
  }
  source.load(fit.choices);
  const std::span<const Deviation> open = runner.run(scenario, source).choices;
  for (std::size_t i = 0; i < fit.choices.size(); ++i) {
    if (!is_taken(fit.choices[i], open)) {
      fit.missed.push_back(fit.choices[i]);
    } else {
      ++(changed[i] ? fit.changed : fit.met);
    }
  }
  return fit;
}

std::uint32_t first_difference(const History& a, const History& b) {
  const Pairs pairs(a, b);
  const auto [x, y] =
      std::mismatch(a.records().begin(), a.records().end(), b.records().begin(), b.records().end(),
                    [&pairs](const Record& p, const Record& q) { return pairs.same(p, q); });
  if (x == a.records().end() && y == b.records().end()) return 0;
  return static_cast<std::uint32_t>(x - a.records().begin()) + 1;
}

Quadrants quadrants(const Scenario& scenario, std::uint64_t first, std::uint64_t last,
                    const std::function<bool()>& cancelled, const Laboratory& laboratory) {
  Runner runner(laboratory.find, laboratory.scripts);
  Judge judge(overlap_and_harm(laboratory));
  SeededSource source(first);
  Quadrants result;
  for (std::uint64_t seed = first;; ++seed) {
    source.reseed(seed);
    const auto findings = judge.judge(*runner.run(scenario, source).history);
    const Verdict overlap = findings[0].finding.verdict;
    const Verdict harm = findings[1].finding.verdict;
    ++result.runs;
    if (overlap == Verdict::unknown || harm == Verdict::unknown) {
      ++result.unknown;
    } else {
      ++result.count[overlap == Verdict::violated ? 1 : 0][harm == Verdict::violated ? 1 : 0];
    }
    if (seed == last || (cancelled && cancelled())) return result;
  }
}

}  // namespace locklab
