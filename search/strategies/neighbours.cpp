// Neighbours: one small change to each deviation, drawn by hash.
// SPDX-License-Identifier: Apache-2.0
#include "search/strategies/neighbours.h"

#include <algorithm>

#include "search/token.h"
#include "sim/mix.h"

namespace locklab {
namespace {

/// Draws that follow each other, of one neighbour.
class Draws {
 public:
  explicit Draws(std::uint64_t number) : state_(mix(number, 0x6e656172)) {}
  std::uint64_t below(std::uint64_t bound) {
    state_ = mix(state_, 1);
    return locklab::below(bound, state_);
  }
  /// -reach … reach, never 0.
  std::int64_t step(std::int64_t reach) {
    const auto size = static_cast<std::int64_t>(1 + below(static_cast<std::uint64_t>(reach)));
    return below(2) == 0 ? size : -size;
  }

 private:
  std::uint64_t state_;
};

template <class Number>
Number moved(Number value, std::int64_t step, std::int64_t least) {
  const std::int64_t wanted = static_cast<std::int64_t>(value) + step;
  const auto most = static_cast<std::int64_t>(static_cast<Number>(~Number{0}));
  return static_cast<Number>(std::clamp(wanted, least, most));
}

/// Another visit, attempt or operation. Operations are near when a round apart too
/// (kOperationsPerRound).
Address moved(const Address& address, Draws& draws) {
  Span span = address.cause();
  std::uint32_t n = address.n();
  switch (draws.below(4)) {
    case 0:
      n = moved(n, draws.step(3), 1);
      break;
    case 1:
      span = Span::of_operation(span.actor(), span.fiber(), span.operation(),
                                moved(span.attempt(), draws.step(1), 0));
      break;
    case 2:
      span = Span::of_operation(span.actor(), span.fiber(),
                                moved(span.operation(), draws.step(2), 0), span.attempt());
      break;
    default:
      span = Span::of_operation(
          span.actor(), span.fiber(),
          moved(span.operation(), draws.step(2) * static_cast<std::int64_t>(kOperationsPerRound),
                0),
          span.attempt());
      break;
  }
  return Address::of(span, address.actor(), address.kind(), address.label(), n);
}

std::uint64_t other_fault(std::uint64_t bits, Draws& draws) {
  FaultValue fault = FaultValue::unpack(bits);
  switch (draws.below(4)) {
    case 0:
      fault.fine = static_cast<std::uint8_t>(draws.below(64));
      break;
    case 1:
      fault.length =
          Bucket::constant(static_cast<Bucket::Constant>(draws.below(Bucket::constant_count)));
      break;
    case 2:
      if (fault.length.is_deadline()) {
        const Bucket at = fault.length;
        fault.length = Bucket::at(at.deadline(), at.owner(), static_cast<unsigned>(draws.below(4)),
                                  static_cast<Bucket::Side>(draws.below(2)));
      }
      break;
    default:
      fault.target = static_cast<std::uint8_t>(draws.below(4));
      break;
  }
  return fault.pack();
}

/// Half, double, or near: what is beyond the bound is clamped by the run.
std::uint64_t other_value(std::uint64_t value, Draws& draws) {
  switch (draws.below(3)) {
    case 0:
      return std::max<std::uint64_t>(1, value / 2);
    case 1:
      return value > (~0ULL >> 1) ? value : value * 2;
    default:
      return 1 + value / 8 * draws.below(16);
  }
}

std::uint64_t other_value(const Deviation& deviation, Draws& draws) {
  return deviation.address.kind() == ChoiceKind::fault_at_label
             ? other_fault(deviation.value, draws)
             : other_value(deviation.value, draws);
}

}  // namespace

Address shifted(const Address& address, std::uint64_t random) {
  Draws draws(random);
  return moved(address, draws);
}

std::uint64_t changed_value(const Deviation& deviation, std::uint64_t random) {
  Draws draws(random);
  return other_value(deviation, draws);
}

std::vector<Deviation> neighbour_of(std::span<const Deviation> set, std::uint64_t number) {
  Draws draws(number);
  std::vector<Deviation> near;
  for (Deviation deviation : set) {
    deviation.witness = kAnyWitness;
    const std::uint64_t change = number == 0 ? 0 : draws.below(8);
    if (change == 7) continue;
    if (change == 3 || change == 4) deviation.address = moved(deviation.address, draws);
    if (change == 5 || change == 6) deviation.value = other_value(deviation, draws);
    near.push_back(deviation);
  }
  return normalised(std::move(near));
}

}  // namespace locklab
