// Priorities: levels by hash, change points by counting.
// SPDX-License-Identifier: Apache-2.0
#include "search/strategies/priorities.h"

#include <algorithm>

#include "sim/mix.h"

namespace locklab {
namespace {

constexpr std::uint64_t kOwn = 0x706374;  // No other engine's draws.
constexpr std::uint64_t kLevels = 8;
constexpr std::uint64_t kSlowest = kLevels - 1;

class PrioritiesProposer : public Proposer, public ChoiceSource {
 public:
  PrioritiesProposer(const CalmRun& calm, std::uint32_t depth) : calm_(calm), depth_(depth) {}

  ChoiceSource* at(std::uint64_t number) override {
    seed_ = mix(mix(number, kOwn), depth_);
    drops_.clear();
    strikes_.clear();
    for (std::uint32_t i = 1; i < depth_; ++i) {
      const std::uint64_t r = mix(seed_, i);
      const bool strikes = calm_.faults > 0 && below(2, mix(r, 1)) == 0;
      if (strikes) {
        strikes_.push_back(below(calm_.faults, r));
      } else if (calm_.orders > 0) {
        drops_.push_back(below(calm_.orders, r));
      }
    }
    return this;
  }

  void begin() override {
    orders_ = 0;
    points_ = 0;
    dropped_.clear();
  }

  std::uint64_t draw(const Address& address, std::uint64_t bound, Witness) override {
    if (is_free_dimension(address.kind())) return below(bound, random(address));
    if (contains(drops_, orders_++)) dropped_.push_back(address.actor());
    return (bound - 1) * level_of(address.actor()) / kSlowest;
  }

  std::uint64_t draw_fault(const Address& address, const FaultMenu& menu) override {
    return contains(strikes_, points_++) ? any_fault(menu, random(address)) : 0;
  }

 private:
  static bool contains(const std::vector<std::uint64_t>& list, std::uint64_t number) {
    return std::find(list.begin(), list.end(), number) != list.end();
  }
  std::uint64_t random(const Address& address) const {
    return mix(mix(seed_, address.span), address.place);
  }
  std::uint64_t level_of(ActorId actor) const {
    const bool dropped = std::find(dropped_.begin(), dropped_.end(), actor) != dropped_.end();
    return dropped ? kSlowest : below(kLevels, mix(seed_, ~std::uint64_t{actor.value}));
  }

  CalmRun calm_;
  std::uint32_t depth_;
  std::uint64_t seed_ = 0;
  std::vector<std::uint64_t> drops_;    // Which choices of order, from 0.
  std::vector<std::uint64_t> strikes_;  // Which fault points, from 0.
  std::uint64_t orders_ = 0;
  std::uint64_t points_ = 0;
  std::vector<ActorId> dropped_;
};

}  // namespace

Priorities::Priorities(const Scenario& scenario, const Laboratory& laboratory, std::uint32_t depth)
    : calm_(CalmRun::of(scenario, laboratory)), depth_(depth) {}

std::unique_ptr<Proposer> Priorities::proposer() const {
  return std::make_unique<PrioritiesProposer>(calm_, depth_);
}

}  // namespace locklab
