// CalmRun: counts the questions of one run that is told 0 each time.
// SPDX-License-Identifier: Apache-2.0
#include "search/strategies/calm_run.h"

#include <array>

#include "search/strategies/alternatives.h"
#include "sim/mix.h"

namespace locklab {
namespace {

constexpr unsigned kFines = 64;  // FaultValue::fine has six bits.

class Counting : public ChoiceSource {
 public:
  void begin() override { counted = {}; }
  std::uint64_t draw(const Address& address, std::uint64_t, Witness) override {
    ++(is_free_dimension(address.kind()) ? counted.phases : counted.orders);
    return 0;
  }
  std::uint64_t draw_fault(const Address&, const FaultMenu&) override {
    ++counted.faults;
    return 0;
  }

  CalmRun counted;
};

Bucket any_length(const FaultMenu& menu, std::uint64_t random) {
  const std::span<const PendingDeadline> deadlines = menu.deadlines();
  std::uint64_t number = below(Bucket::constant_count + 2 * deadlines.size(), random);
  if (number < Bucket::constant_count)
    return Bucket::constant(static_cast<Bucket::Constant>(number));
  number -= Bucket::constant_count;
  const PendingDeadline& deadline = deadlines[number / 2];
  return Bucket::at(deadline.kind, deadline.owner, deadline.ordinal % kNamedDeadlines,
                    static_cast<Bucket::Side>(number % 2));
}

}  // namespace

CalmRun CalmRun::of(const Scenario& scenario, const Laboratory& laboratory) {
  Runner runner(laboratory.find, laboratory.scripts);
  Counting source;
  runner.run(scenario, source);
  return source.counted;
}

std::uint64_t any_fault(const FaultMenu& menu, std::uint64_t random) {
  std::array<FaultKind, static_cast<std::size_t>(FaultKind::count)> kinds{};
  std::size_t count = 0;
  for (std::size_t k = 1; k < kinds.size(); ++k) {
    const auto kind = static_cast<FaultKind>(k);
    if (menu.allowed().has(kind)) kinds[count++] = kind;
  }
  if (count == 0) return 0;
  FaultValue value;
  value.kind = kinds[below(count, mix(random, 1))];
  value.target = static_cast<std::uint8_t>(below(menu.target_count(value.kind), mix(random, 2)));
  value.length = any_length(menu, mix(random, 3));
  value.fine = static_cast<std::uint8_t>(below(kFines, mix(random, 4)));
  value.second = static_cast<std::uint16_t>(below(menu.second_count(value.kind), mix(random, 5)));
  return value.pack();
}

}  // namespace locklab
