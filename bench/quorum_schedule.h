// Quorum schedule: the workload that speed is measured on, in three sizes.
// SPDX-License-Identifier: Apache-2.0
//
// Clients contend for one quorum lock over independent nodes; every delay and hold is drawn, a
// command times out when its round trip was drawn too long, and up to two resets and lost replies
// strike. Everything that a search does happens here, but for faults that stop somebody.
#pragma once

#include <array>
#include <cstdint>
#include <ostream>
#include <string_view>

#include "scenarios/scenario.h"
#include "sim/sources.h"

namespace locklab::bench {

/// Named by the activations of one execution, on average over seeds: resumed fibers, and requests
/// executed by servers.
struct ScheduleSize {
  std::string_view name;
  std::uint32_t clients;
  std::uint32_t nodes;
  std::uint32_t attempts;  // To acquire, per client.
  Duration work;           // Inside a section.
};

/// For names of tests.
inline std::ostream& operator<<(std::ostream& out, const ScheduleSize& size) {
  return out << size.name;
}

/// 2 clients on 1 node, 3 on 3 and 5 on 5: about 92, 288 and 542 activations.
extern const std::array<ScheduleSize, 3> kScheduleSizes;

Scenario quorum_schedule(const ScheduleSize& size);

/// A seeded source that also counts what it is asked, to say what one execution consists of.
class CountingSource : public ChoiceSource {
 public:
  explicit CountingSource(std::uint64_t seed) : seeded_(seed) {}
  void begin() override { seeded_.begin(); }
  std::uint64_t draw(const Address& address, std::uint64_t bound, Witness witness) override {
    ++draws_;
    if (address.kind() == ChoiceKind::hold_at_fiber) ++holds_;
    return seeded_.draw(address, bound, witness);
  }
  std::uint64_t draw_fault(const Address& address, const FaultMenu& menu) override {
    ++draws_;
    return seeded_.draw_fault(address, menu);
  }
  std::uint64_t draws() const { return draws_; }
  /// Each resumption of a fiber that was woken asks once whether it is held back.
  std::uint64_t holds() const { return holds_; }

 private:
  SeededSource seeded_;
  std::uint64_t draws_ = 0;
  std::uint64_t holds_ = 0;
};

}  // namespace locklab::bench
