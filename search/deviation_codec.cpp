// Deviation codec: what most deviations share costs one bit each.
// SPDX-License-Identifier: Apache-2.0
//
// A deviation is a head (varint) and the parts that the head does not spare, in this order:
// - head: kind 5 bits; same span, plain span, own actor, first visit, any witness 1 bit; label;
// - span: process less that of the deviation before, operation·2 + (fiber ≠ 0), fiber, attempt;
// - actor, unless it is the span's;
// - n, unless it is 1;
// - value: a fault by its fields, else a varint;
// - witness: 4 bytes.
// The label stands on top, so that most heads are two bytes; a fault is 12 to 16 bytes in all.

#include "search/deviation_codec.h"

#include "sim/contract.h"

namespace locklab {
namespace {

constexpr unsigned kKindBits = 5;
static_assert(static_cast<unsigned>(ChoiceKind::count) <= 1U << kKindBits);

constexpr std::uint64_t kSameSpan = 1U << kKindBits;
constexpr std::uint64_t kPlainSpan = kSameSpan << 1;  // The span of an actor: no operation.
constexpr std::uint64_t kOwnActor = kSameSpan << 2;
constexpr std::uint64_t kFirstVisit = kSameSpan << 3;
constexpr std::uint64_t kAnyWitnessBit = kSameSpan << 4;
constexpr unsigned kLabelShift = kKindBits + 5;

// Of a fault: kind 5 bits, then what differs from 0. The kind that no fault has marks a plain
// value.
constexpr std::uint64_t kNoFault = 31;
constexpr std::uint64_t kHasTarget = 32;
constexpr std::uint64_t kHasSecond = 64;
static_assert(static_cast<std::uint64_t>(FaultKind::count) < kNoFault);

/// pack() has no room for more, so anything else is not the value of a fault.
bool is_fault(std::uint64_t value) {
  const FaultValue fault = FaultValue::unpack(value);
  return fault.pack() == value && static_cast<std::uint64_t>(fault.kind) < kNoFault;
}

void put_fault(Bytes& out, std::uint64_t value) {
  if (!is_fault(value)) {
    put_varint(out, kNoFault);
    return put_varint(out, value);
  }
  const FaultValue fault = FaultValue::unpack(value);
  put_varint(out, static_cast<std::uint64_t>(fault.kind) | (fault.target != 0 ? kHasTarget : 0) |
                      (fault.second != 0 ? kHasSecond : 0));
  if (fault.target != 0) put_varint(out, fault.target);
  put_fixed(out, fault.length.bits, 2);
  put_fixed(out, fault.fine, 1);
  if (fault.second != 0) put_fixed(out, fault.second, 2);
}

std::optional<std::uint64_t> take_fault(ByteReader& in) {
  const std::uint64_t head = in.varint();
  if (head == kNoFault) {
    const std::uint64_t value = in.varint();
    return is_fault(value) ? std::nullopt : std::optional(value);
  }
  if (head >= 2 * kHasSecond || (head & kNoFault) == kNoFault) return std::nullopt;
  FaultValue fault;
  fault.kind = static_cast<FaultKind>(head & kNoFault);
  const std::uint64_t target = (head & kHasTarget) != 0 ? in.varint() : 0;
  if (target > 0xff || ((head & kHasTarget) != 0 && target == 0)) return std::nullopt;
  fault.target = static_cast<std::uint8_t>(target);
  fault.length.bits = static_cast<std::uint16_t>(in.fixed(2));
  fault.fine = static_cast<std::uint8_t>(in.fixed(1));
  if ((head & kHasSecond) != 0) {
    fault.second = static_cast<std::uint16_t>(in.fixed(2));
    if (fault.second == 0) return std::nullopt;
  }
  return fault.pack();
}

void put_span(Bytes& out, Span before, Span span, bool plain) {
  put_varint(out, static_cast<std::uint64_t>(span.actor().value - before.actor().value));
  if (plain) return;
  put_varint(out,
             static_cast<std::uint64_t>(span.operation()) << 1 | (span.fiber() != 0 ? 1U : 0U));
  if (span.fiber() != 0) put_varint(out, span.fiber());
  put_varint(out, span.attempt());
}

std::optional<Span> take_span(ByteReader& in, Span before, bool plain) {
  const std::uint64_t process = in.varint();
  const std::uint64_t word = plain ? 0 : in.varint();
  const std::uint64_t fiber = (word & 1U) != 0 ? in.varint() : 0;
  const std::uint64_t attempt = plain ? 0 : in.varint();
  const bool fits = process <= 0xffffU - before.actor().value && word >> 1 <= 0xffff &&
                    fiber <= 0xff && attempt <= 0xffff;
  if (!fits || ((word & 1U) != 0 && fiber == 0)) return std::nullopt;
  const ActorId actor{static_cast<std::uint16_t>(before.actor().value + process)};
  return Span::of_operation(actor, static_cast<std::uint8_t>(fiber),
                            static_cast<std::uint16_t>(word >> 1),
                            static_cast<std::uint16_t>(attempt));
}

bool is_plain(Span span) {
  return span == Span::of_actor(span.actor());
}

void put_deviation(Bytes& out, Span before, const Deviation& deviation) {
  const Address& address = deviation.address;
  const Span span = address.cause();
  SIM_ASSERT(address.kind() < ChoiceKind::count);
  SIM_ASSERT(can_stand_in(address.kind(), static_cast<unsigned>(address.label())));
  SIM_ASSERT(span ==
             Span::of_operation(span.actor(), span.fiber(), span.operation(), span.attempt()));

  const bool same = span == before;
  const bool plain = !same && is_plain(span);
  const bool own = address.actor() == span.actor();
  const bool first = address.n() == 1;
  const bool any = deviation.witness == kAnyWitness;
  put_varint(out, static_cast<std::uint64_t>(address.kind()) |
                      static_cast<std::uint64_t>(address.label()) << kLabelShift |
                      (same ? kSameSpan : 0) | (plain ? kPlainSpan : 0) | (own ? kOwnActor : 0) |
                      (first ? kFirstVisit : 0) | (any ? kAnyWitnessBit : 0));
  if (!same) put_span(out, before, span, plain);
  if (!own) put_varint(out, address.actor().value);
  if (!first) put_varint(out, address.n());
  if (address.kind() == ChoiceKind::fault_at_label) {
    put_fault(out, deviation.value);
  } else {
    put_varint(out, deviation.value);
  }
  if (!any) put_fixed(out, deviation.witness.bits, 4);
}

std::optional<Deviation> take_deviation(ByteReader& in, Span before) {
  const std::uint64_t head = in.varint();
  const std::uint64_t kind = head & ((1U << kKindBits) - 1);
  const std::uint64_t label = head >> kLabelShift;
  const bool known = kind < static_cast<std::uint64_t>(ChoiceKind::count) && label <= 0xff &&
                     can_stand_in(static_cast<ChoiceKind>(kind), static_cast<unsigned>(label));
  if (!known) return std::nullopt;
  std::optional<Span> span = before;
  if ((head & kSameSpan) == 0) span = take_span(in, before, (head & kPlainSpan) != 0);
  if (!span) return std::nullopt;
  const std::uint64_t actor = (head & kOwnActor) != 0 ? span->actor().value : in.varint();
  const std::uint64_t n = (head & kFirstVisit) != 0 ? 1 : in.varint();
  if (actor > 0xffff || n > 0xffffffff) return std::nullopt;

  Deviation deviation;
  deviation.address =
      Address::of(*span, ActorId{static_cast<std::uint16_t>(actor)}, static_cast<ChoiceKind>(kind),
                  static_cast<Label>(label), static_cast<std::uint32_t>(n));
  const bool fault = deviation.address.kind() == ChoiceKind::fault_at_label;
  const std::optional<std::uint64_t> value = fault ? take_fault(in) : in.varint();
  if (!value || *value == 0) return std::nullopt;
  deviation.value = *value;
  if ((head & kAnyWitnessBit) == 0) {
    deviation.witness.bits = static_cast<std::uint32_t>(in.fixed(4));
  }
  return deviation;
}

}  // namespace

void put_deviations(Bytes& out, std::span<const Deviation> deviations) {
  Span before;
  for (const Deviation& deviation : deviations) {
    put_deviation(out, before, deviation);
    before = deviation.address.cause();
  }
}

std::optional<std::vector<Deviation>> take_deviations(ByteReader& in, std::size_t most) {
  std::vector<Deviation> deviations;
  Span before;
  while (!in.at_end()) {
    const std::optional<Deviation> deviation = take_deviation(in, before);
    if (!deviation || in.failed() || deviations.size() == most) return std::nullopt;
    if (!deviations.empty() && deviation->address <= deviations.back().address) return std::nullopt;
    deviations.push_back(*deviation);
    before = deviation->address.cause();
  }
  return deviations;
}

}  // namespace locklab
