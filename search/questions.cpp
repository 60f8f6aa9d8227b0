// Questions: sources that stand before other sources.
// SPDX-License-Identifier: Apache-2.0
#include "search/questions.h"

#include <algorithm>

namespace locklab {
namespace {

Offer offer_of(const FaultMenu& menu) {
  Offer offer;
  offer.kinds = menu.allowed();
  for (std::uint16_t constant = 0; constant < Bucket::constant_count; ++constant)
    offer.lengths.push_back(Bucket{constant});
  for (const PendingDeadline& deadline : menu.deadlines()) {
    for (const Bucket::Side side : {Bucket::Side::before, Bucket::Side::after}) {
      offer.lengths.push_back(Bucket::at(deadline.kind, deadline.owner, deadline.ordinal, side));
    }
  }
  for (std::size_t k = 1; k < offer.targets.size(); ++k) {
    const auto kind = static_cast<FaultKind>(k);
    if (!offer.kinds.has(kind)) continue;
    offer.targets[k] = static_cast<std::uint16_t>(menu.target_count(kind));
    offer.seconds[k] = static_cast<std::uint16_t>(menu.second_count(kind));
  }
  return offer;
}

}  // namespace

void ListeningSource::begin() {
  answers_.begin();
  questions_.clear();
  offers_.clear();
}

std::uint64_t ListeningSource::draw(const Address& address, std::uint64_t bound, Witness witness) {
  const std::uint64_t answer = answers_.draw(address, bound, witness);
  questions_.push_back({address, bound, answer, records(), 0});
  return answer;
}

std::uint64_t ListeningSource::draw_fault(const Address& address, const FaultMenu& menu) {
  const std::uint64_t answer = answers_.draw_fault(address, menu);
  questions_.push_back({address, 0, answer, records(), static_cast<std::uint32_t>(offers_.size())});
  offers_.push_back(offer_of(menu));
  return answer;
}

const Question* ListeningSource::find(const Address& address) const {
  const auto found =
      std::find_if(questions_.begin(), questions_.end(),
                   [&address](const Question& question) { return question.address == address; });
  return found == questions_.end() ? nullptr : &*found;
}

void ForkingSource::begin() {
  first_.begin();
  then_.begin();
  asked_ = 0;
}

std::uint64_t ForkingSource::draw(const Address& address, std::uint64_t bound, Witness witness) {
  return next().draw(address, bound, witness);
}

std::uint64_t ForkingSource::draw_fault(const Address& address, const FaultMenu& menu) {
  return next().draw_fault(address, menu);
}

}  // namespace locklab
