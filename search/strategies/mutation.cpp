// Mutation: a bounded pool of sets, and five ways to change one.
// SPDX-License-Identifier: Apache-2.0
#include "search/strategies/mutation.h"

#include <algorithm>

#include "search/strategies/neighbours.h"
#include "search/strategies/shape.h"
#include "search/token.h"
#include "sim/mix.h"
#include "sim/sources.h"

namespace locklab {
namespace {

constexpr std::uint64_t kOwn = 0x6d7574617465;  // No other engine's draws.

using Set = std::vector<Deviation>;

class Draws {
 public:
  explicit Draws(std::uint64_t seed) : state_(seed) {}
  std::uint64_t random() { return state_ = mix(state_, kOwn); }
  std::size_t below(std::size_t bound) { return locklab::below(bound, random()); }

 private:
  std::uint64_t state_;
};

/// One of four goes; at least one.
void lose(Set& set, Draws& draws) {
  set.erase(set.begin() + static_cast<std::ptrdiff_t>(draws.below(set.size())));
  std::erase_if(set, [&draws](const Deviation&) { return draws.below(4) == 0; });
}

/// Up to its own first deviations, and from there on the other's.
void splice(Set& set, const Set& other, Draws& draws) {
  const Address cut = set[draws.below(set.size())].address;
  std::erase_if(set, [cut](const Deviation& d) { return d.address > cut; });
  for (const Deviation& deviation : other) {
    if (deviation.address > cut) set.push_back(deviation);
  }
}

void change(Set& set, const Set& other, Draws& draws) {
  const std::size_t at = draws.below(set.size());
  switch (draws.below(5)) {
    case 0:
      lose(set, draws);
      break;
    case 1:
      set.push_back({shifted(set[at].address, draws.random()), set[at].value, kAnyWitness});
      break;
    case 2:
      set[at].address = shifted(set[at].address, draws.random());
      break;
    case 3:
      set[at].value = changed_value(set[at], draws.random());
      break;
    default:
      splice(set, other, draws);
      break;
  }
}

class MutationProposer : public Proposer {
 public:
  explicit MutationProposer(const Mutation& engine) : engine_(engine) {}

  ChoiceSource* at(std::uint64_t number) override {
    const Set set = engine_.proposal(number);
    if (set.empty()) {
      fresh_.reseed(number);
      return &fresh_;
    }
    listed_.load(set);
    return &listed_;
  }

 private:
  const Mutation& engine_;
  SeededSource fresh_{0};
  ReplaySource listed_;
};

}  // namespace

std::unique_ptr<Proposer> Mutation::proposer() const {
  return std::make_unique<MutationProposer>(*this);
}

void Mutation::begin(std::uint64_t first_number) {
  first_ = first_number;
  shapes_.clear();
  known_.clear();
  oldest_ = 0;
}

std::optional<Lesson> Mutation::lesson(const Execution& execution) const {
  const std::uint64_t shape = shape_of(*execution.history);
  if (execution.choices.empty() || shapes_.count(shape) != 0) return std::nullopt;
  return Lesson{shape, {execution.choices.begin(), execution.choices.end()}};
}

void Mutation::learn(std::span<const Lesson> lessons) {
  for (const Lesson& lesson : lessons) {
    if (!shapes_.insert(lesson.shape).second) continue;
    if (known_.size() < kKnown) {
      known_.push_back(lesson.choices);
    } else {
      known_[oldest_] = lesson.choices;
      oldest_ = (oldest_ + 1) % kKnown;
    }
  }
}

std::vector<Deviation> Mutation::proposal(std::uint64_t number) const {
  Draws draws(mix(mix(first_, kOwn), number));
  if (known_.empty() || draws.below(4) == 0) return {};
  Set set = known_[draws.below(known_.size())];
  const Set& other = known_[draws.below(known_.size())];
  for (Deviation& deviation : set)
    deviation.witness = kAnyWitness;
  for (std::size_t changes = 1 + draws.below(3); changes > 0 && !set.empty(); --changes)
    change(set, other, draws);
  set = normalised(std::move(set));
  // What is found must fit into a token.
  while (set.size() > kTokenDeviations)
    set.erase(set.begin() + static_cast<std::ptrdiff_t>(draws.below(set.size())));
  return set;
}

}  // namespace locklab
