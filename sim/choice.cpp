// The door itself: visits are counted, values clamped, deviations kept.
// SPDX-License-Identifier: Apache-2.0
#include "sim/choice.h"

#include <algorithm>

#include "sim/contract.h"
#include "sim/mix.h"

namespace locklab {

Witness witness_of(std::uint64_t peer, std::uint64_t what, std::uint64_t deadline) {
  const auto bits = static_cast<std::uint32_t>(mix(mix(peer + 1, what + 1), deadline + 1));
  return Witness{bits == 0 ? 1 : bits};  // 0 means "any".
}

VisitCounter::VisitCounter() : slots_(1024) {}

void VisitCounter::reset() {
  used_ = 0;
  if (++generation_ < 1U << (32 - kCountBits)) return;
  generation_ = 1;
  std::fill(slots_.begin(), slots_.end(), Slot());
}

void VisitCounter::grow() {
  std::vector<Slot> old(slots_.size() * 2);
  old.swap(slots_);
  const std::size_t mask = slots_.size() - 1;
  for (const Slot& slot : old) {
    if (is_free(slot)) continue;
    std::size_t i = mix(slot.span, slot.place) & mask;
    while (!is_free(slots_[i]))
      i = (i + 1) & mask;
    slots_[i] = slot;
  }
}

std::uint32_t VisitCounter::visit(std::uint64_t span, std::uint64_t place) {
  if (used_ * 2 >= slots_.size()) grow();
  const auto short_place = static_cast<std::uint32_t>(place >> 32);
  const std::size_t mask = slots_.size() - 1;
  std::size_t i = mix(span, short_place) & mask;
  for (; !is_free(slots_[i]); i = (i + 1) & mask) {
    Slot& slot = slots_[i];
    if (slot.span != span || slot.place != short_place) continue;
    const std::uint32_t count = ++slot.generation_count & ((1U << kCountBits) - 1);
    SIM_ASSERT(count != 0);  // More visits of one place than any limit of steps allows.
    return count;
  }
  slots_[i] = {span, short_place, generation_ << kCountBits | 1U};
  ++used_;
  return 1;
}

void Choices::begin(ChoiceSource& source) {
  source_ = &source;
  source.begin();
  counter_.reset();
  taken_.clear();
  visits_ = 0;
  settled_ = false;
}

Address Choices::next(ChoiceKind kind, Span span, ActorId actor, Label label) {
  ++visits_;
  Address address = Address::of(span, actor, kind, label, 0);
  address.place |= counter_.visit(address.span, address.place);
  return address;
}

std::uint64_t Choices::choose(ChoiceKind kind, Span span, ActorId actor, Label label,
                              std::uint64_t bound, Witness witness) {
  const Address address = next(kind, span, actor, label);
  if (bound <= 1 || settled_) return 0;
  const std::uint64_t value = std::min(source_->draw(address, bound, witness), bound - 1);
  if (value != 0) taken_.push_back({address, value, witness});
  return value;
}

void Choices::pass(ChoiceKind kind, Span span, ActorId actor, Label label) {
  next(kind, span, actor, label);
}

Address Choices::visit_fault(Span span, ActorId actor, Label label) {
  return next(ChoiceKind::fault_at_label, span, actor, label);
}

std::uint64_t Choices::choose_fault(const Address& address, const FaultMenu& menu) {
  return source_->draw_fault(address, menu);
}

void Choices::accept_fault(const Address& address, std::uint64_t value, Witness witness) {
  SIM_ASSERT(value != 0);
  taken_.push_back({address, value, witness});
}

}  // namespace locklab
