// Portfolio: a fixed turn of twenty.
// SPDX-License-Identifier: Apache-2.0
#include "search/strategies/portfolio.h"

#include <string_view>

namespace locklab {
namespace {

// s: swarm, 2 3 4: priorities of that depth, 1: single, u: uniform.
constexpr std::string_view kTurn = "1s2ss1su3ss1s2sss4ss";
constexpr std::uint64_t kSinglesInTurn = 3;
static_assert(kTurn.size() == 20);

class PortfolioProposer : public Proposer {
 public:
  PortfolioProposer(const Engine& swarm, const Engine& depth_2, const Engine& depth_3,
                    const Engine& depth_4, const Engine& singles, const Engine& uniform)
      : swarm_(swarm.proposer()),
        depth_2_(depth_2.proposer()),
        depth_3_(depth_3.proposer()),
        depth_4_(depth_4.proposer()),
        singles_(singles.proposer()),
        uniform_(uniform.proposer()) {}

  ChoiceSource* at(std::uint64_t number) override {
    const std::uint64_t index = number == 0 ? 0 : number - 1;
    const std::size_t place = index % kTurn.size();
    switch (kTurn[place]) {
      case '1':
        return single(index / kTurn.size() * kSinglesInTurn + singles_before(place), number);
      case '2':
        return depth_2_->at(number);
      case '3':
        return depth_3_->at(number);
      case '4':
        return depth_4_->at(number);
      case 'u':
        return uniform_->at(number);
      default:
        return swarm_->at(number);
    }
  }

 private:
  static std::uint64_t singles_before(std::size_t place) {
    std::uint64_t count = 0;
    for (const char c : kTurn.substr(0, place))
      count += c == '1' ? 1 : 0;
    return count;
  }

  ChoiceSource* single(std::uint64_t index, std::uint64_t number) {
    ChoiceSource* const source = spent_ ? nullptr : singles_->at(index + 1);
    spent_ = source == nullptr;
    return spent_ ? swarm_->at(number) : source;
  }

  std::unique_ptr<Proposer> swarm_;
  std::unique_ptr<Proposer> depth_2_;
  std::unique_ptr<Proposer> depth_3_;
  std::unique_ptr<Proposer> depth_4_;
  std::unique_ptr<Proposer> singles_;
  std::unique_ptr<Proposer> uniform_;
  bool spent_ = false;
};

}  // namespace

Portfolio::Portfolio(const Scenario& scenario, const Laboratory& laboratory)
    : depth_2_(scenario, laboratory, 2),
      depth_3_(scenario, laboratory, 3),
      depth_4_(scenario, laboratory, 4),
      singles_(scenario, laboratory),
      uniform_(scenario, laboratory) {}

std::unique_ptr<Proposer> Portfolio::proposer() const {
  return std::make_unique<PortfolioProposer>(swarm_, depth_2_, depth_3_, depth_4_, singles_,
                                             uniform_);
}

}  // namespace locklab
