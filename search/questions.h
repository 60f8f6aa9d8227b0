// Questions: what a run asked its source, in order, and what it could have been told instead.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/choice.h"
#include "sim/history.h"
#include "sim/sources.h"

namespace locklab {

/// What a fault point offered.
struct Offer {
  FaultKinds kinds;
  /// The constants, then just before and just after each pending deadline, as the menu has them.
  std::vector<Bucket> lengths;
  std::array<std::uint16_t, static_cast<std::size_t>(FaultKind::count)> targets{};
  std::array<std::uint16_t, static_cast<std::size_t>(FaultKind::count)> seconds{};
};

struct Question {
  Address address;
  std::uint64_t bound = 0;  // 0: a fault point, and `offer` says what could strike.
  std::uint64_t answer = 0;
  std::uint32_t records = 0;  // How many the history had: the decision comes right after them.
  std::uint32_t offer = 0;    // Index in offers().
};

/// Answers as another source does, and writes down what it was asked.
class ListeningSource : public ChoiceSource {
 public:
  /// `history` is the one that the run writes.
  ListeningSource(ChoiceSource& answers, const History& history)
      : answers_(answers), history_(history) {}

  void begin() override;
  std::uint64_t draw(const Address& address, std::uint64_t bound, Witness witness) override;
  std::uint64_t draw_fault(const Address& address, const FaultMenu& menu) override;

  const std::vector<Question>& questions() const { return questions_; }
  const Offer& offer(const Question& question) const { return offers_[question.offer]; }
  /// nullptr: the run was not asked there.
  const Question* find(const Address& address) const;

 private:
  std::uint32_t records() const { return static_cast<std::uint32_t>(history_.records().size()); }

  ChoiceSource& answers_;
  const History& history_;
  std::vector<Question> questions_;
  std::vector<Offer> offers_;
};

/// The first answers of one source, then those of another: a run is rewound to a point, and chance
/// decides again. As long as the answers are the same, a run is, so their number names a point.
class ForkingSource : public ChoiceSource {
 public:
  ForkingSource(ChoiceSource& first, ChoiceSource& then, std::uint64_t answers)
      : first_(first), then_(then), kept_(answers) {}

  void begin() override;
  std::uint64_t draw(const Address& address, std::uint64_t bound, Witness witness) override;
  std::uint64_t draw_fault(const Address& address, const FaultMenu& menu) override;

 private:
  ChoiceSource& next() { return asked_++ < kept_ ? first_ : then_; }

  ChoiceSource& first_;
  ChoiceSource& then_;
  std::uint64_t kept_;
  std::uint64_t asked_ = 0;
};

}  // namespace locklab
