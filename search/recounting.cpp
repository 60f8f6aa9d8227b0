// Recounting: followers by value, faults by an odometer over all fields.
// SPDX-License-Identifier: Apache-2.0
#include "search/recounting.h"

namespace locklab {
namespace {

bool has_length(const FaultValue& value) {
  constexpr FaultKinds kWithout = FaultKinds{}
                                      .with(FaultKind::lost_reply)
                                      .with(FaultKind::reset)
                                      .with(FaultKind::cancel)
                                      .with(FaultKind::panic)
                                      .with(FaultKind::failover)
                                      .with(FaultKind::evict)
                                      .with(FaultKind::flush)
                                      .with(FaultKind::slew);
  if (value.kind == FaultKind::kill) return value.second == 1;
  if (value.kind == FaultKind::host_loss) return value.second == 0;
  if (value.kind == FaultKind::node_kill) return (value.second & 1U) == 0;
  return !kWithout.has(value.kind);
}

}  // namespace

void Recounting::aim(const std::vector<Deviation>& set, std::uint64_t cell, bool lists) {
  set_ = set;
  cell_ = cell;
  lists_ = lists;
  replay_.load(set);
}

void Recounting::begin() {
  replay_.begin();
  followers_.clear();
  first_client_.reset();
  last_met_ = set_.empty();
}

std::uint64_t Recounting::draw(const Address& address, std::uint64_t bound, Witness witness) {
  if (is_free_dimension(address.kind())) return free_value(address, bound);
  const std::uint64_t value = replay_.draw(address, bound, witness);
  if (value == 0) {
    for (std::uint64_t v = 1; v < bound; ++v)
      if (is_tried(v, bound - 1)) note({address, v, witness}, false);
  }
  meet(address);
  return value;
}

std::uint64_t Recounting::draw_fault(const Address& address, const FaultMenu& menu) {
  const std::uint64_t value = replay_.draw_fault(address, menu);
  if (value == 0 && may_follow(true)) note_faults(address, menu);
  meet(address);
  return value;
}

void Recounting::meet(const Address& address) {
  if (!set_.empty() && address == set_.back().address) last_met_ = true;
}

bool Recounting::may_follow(bool fault) const {
  if (!lists_ || !last_met_ || set_.size() == bound_.deviations) return false;
  std::uint32_t same = 0;
  for (const Deviation& d : set_)
    same += (d.address.kind() == ChoiceKind::fault_at_label) == fault;
  return same < (fault ? bound_.faults : bound_.orders);
}

void Recounting::note(const Deviation& deviation, bool fault) {
  if (may_follow(fault)) followers_.push_back(deviation);
}

/// v is ceil(greatest · i / steps) for some i: the evenly spaced ones.
bool Recounting::is_tried(std::uint64_t v, std::uint64_t greatest) const {
  if (greatest <= bound_.steps) return true;
  const std::uint64_t i = v * bound_.steps / greatest;
  return i > 0 && (greatest * i + bound_.steps - 1) / bound_.steps == v;
}

/// Digits from the right: start of the first client, of the second, …, poll, work.
std::uint64_t Recounting::free_value(const Address& address, std::uint64_t bound) {
  if (!first_client_) first_client_ = address.actor().value;
  const std::uint32_t client = address.actor().value - *first_client_;
  if (client >= clients_) return 0;
  const PhasePoints& points = bound_.phases;
  std::uint64_t rest = cell_;
  if (address.kind() == ChoiceKind::start_phase) {
    for (std::uint32_t i = 0; i < client; ++i)
      rest /= points.start;
    return rest % points.start * bound / points.start;
  }
  for (std::uint32_t i = 0; i < clients_; ++i)
    rest /= points.start;
  if (address.kind() == ChoiceKind::poll_phase) return rest % points.poll * bound / points.poll;
  return rest / points.poll * bound / points.work;
}

/// An odometer over all fields; what repeats another value is passed over.
void Recounting::note_faults(const Address& address, const FaultMenu& menu) {
  std::vector<Bucket> lengths;
  for (std::uint16_t c = 0; c < Bucket::constant_count; ++c)
    lengths.push_back(Bucket{c});
  for (const PendingDeadline& d : menu.deadlines()) {
    if (d.ordinal > 0xf) continue;
    lengths.push_back(Bucket::at(d.kind, d.owner, d.ordinal, Bucket::Side::before));
    lengths.push_back(Bucket::at(d.kind, d.owner, d.ordinal, Bucket::Side::after));
  }
  for (unsigned k = 1; k < static_cast<unsigned>(FaultKind::count); ++k) {
    FaultValue value;
    value.kind = static_cast<FaultKind>(k);
    if (!menu.allowed().has(value.kind)) continue;
    const unsigned victims = menu.target_count(value.kind);
    const unsigned seconds = menu.second_count(value.kind);
    for (unsigned i = 0; i < victims * seconds; ++i) {
      value.target = static_cast<std::uint8_t>(i / seconds);
      value.second = static_cast<std::uint16_t>(i % seconds);
      const bool natural = value.target == 0;
      if (victims > 1 && natural == bound_.every_target) continue;
      const std::size_t count = has_length(value) ? lengths.size() : 1;
      for (std::size_t j = 0; j < count; ++j) {
        value.length = lengths[j];
        followers_.push_back({address, value.pack(), menu.witness_of_value(value.pack())});
      }
    }
  }
}

}  // namespace locklab
