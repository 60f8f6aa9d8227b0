// Recounting: repeats a set by address, as a token is replayed, and notes what may follow it.
// SPDX-License-Identifier: Apache-2.0
//
// The second reading of what a Bound allows; search/strategies/ has the first, and neither uses the
// other.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "search/strategies/bound.h"
#include "sim/sources.h"

namespace locklab {

class Recounting : public ChoiceSource {
 public:
  Recounting(const Bound& bound, std::uint32_t clients) : bound_(bound), clients_(clients) {}

  /// The next run repeats the set, in the cell; `lists`: it notes what may follow its last
  /// deviation.
  void aim(const std::vector<Deviation>& set, std::uint64_t cell, bool lists);
  const std::vector<Deviation>& followers() const { return followers_; }

  void begin() override;
  std::uint64_t draw(const Address& address, std::uint64_t bound, Witness witness) override;
  std::uint64_t draw_fault(const Address& address, const FaultMenu& menu) override;

 private:
  void meet(const Address& address);
  bool may_follow(bool fault) const;
  void note(const Deviation& deviation, bool fault);
  bool is_tried(std::uint64_t v, std::uint64_t greatest) const;
  std::uint64_t free_value(const Address& address, std::uint64_t bound);
  void note_faults(const Address& address, const FaultMenu& menu);

  Bound bound_;
  std::uint32_t clients_;
  std::vector<Deviation> set_;
  std::uint64_t cell_ = 0;
  bool lists_ = false;
  bool last_met_ = false;
  ReplaySource replay_;
  std::vector<Deviation> followers_;
  std::optional<std::uint16_t> first_client_;
};

}  // namespace locklab
