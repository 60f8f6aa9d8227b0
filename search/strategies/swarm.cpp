// Swarm: the kernel's seeded source under the name that strategies have.
// SPDX-License-Identifier: Apache-2.0
#include "search/strategies/swarm.h"

namespace locklab {
namespace {

class SwarmProposer : public Proposer {
 public:
  ChoiceSource* at(std::uint64_t number) override {
    source_.reseed(number);
    return &source_;
  }

 private:
  SeededSource source_{0};
};

}  // namespace

std::unique_ptr<Proposer> Swarm::proposer() const {
  return std::make_unique<SwarmProposer>();
}

}  // namespace locklab
