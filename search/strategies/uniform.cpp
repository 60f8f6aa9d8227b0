// Uniform: one hash of number and address for each choice.
// SPDX-License-Identifier: Apache-2.0
#include "search/strategies/uniform.h"

#include <algorithm>

#include "sim/mix.h"

namespace locklab {
namespace {

constexpr std::uint64_t kOwn = 0x756e69666f726d;  // No other engine's draws.

class UniformProposer : public Proposer, public ChoiceSource {
 public:
  UniformProposer(std::uint32_t points, std::uint32_t most)
      : points_(std::max(points, 1U)), most_(most) {}

  ChoiceSource* at(std::uint64_t number) override {
    seed_ = mix(number, kOwn);
    return this;
  }

  void begin() override {}
  std::uint64_t draw(const Address& address, std::uint64_t bound, Witness) override {
    return below(bound, random(address));
  }
  std::uint64_t draw_fault(const Address& address, const FaultMenu& menu) override {
    const std::uint64_t r = random(address);
    return below(points_, r) < most_ ? any_fault(menu, r) : 0;
  }

 private:
  std::uint64_t random(const Address& address) const {
    return mix(mix(seed_, address.span), address.place);
  }

  std::uint32_t points_;
  std::uint32_t most_;
  std::uint64_t seed_ = 0;
};

}  // namespace

Uniform::Uniform(const Scenario& scenario, const Laboratory& laboratory)
    : calm_(CalmRun::of(scenario, laboratory)), most_faults_(scenario.world.search.max) {}

std::unique_ptr<Proposer> Uniform::proposer() const {
  return std::make_unique<UniformProposer>(calm_.faults, most_faults_);
}

}  // namespace locklab
