// Choice sources of the kernel: zeros (the calm run), seeded draws, and replay of deviations.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/choice.h"

namespace locklab {

/// Every choice is the default: the calm run.
class ZeroSource : public ChoiceSource {
 public:
  void begin() override {}
  std::uint64_t draw(const Address&, std::uint64_t, Witness) override { return 0; }
  std::uint64_t draw_fault(const Address&, const FaultMenu&) override { return 0; }
};

/// How often a kind of choice deviates, in 65536ths; swarm testing varies it from run to run
/// (Groce et al., ISSTA 2012). Knobs belong to this engine and never enter a shrunk token.
struct SwarmKnobs {
  std::array<std::uint32_t, static_cast<std::size_t>(ChoiceKind::count)> rate{};
  FaultKinds kinds;  // Fault kinds switched on in this run, before the scenario's own limits.

  /// Drawn from the seed: each kind's rate is off, dense, or log-uniform between.
  static SwarmKnobs of_seed(std::uint64_t seed);
};

/// value = f(seed, address) and nothing else: no actor's draws shift another's.
class SeededSource : public ChoiceSource {
 public:
  explicit SeededSource(std::uint64_t seed);
  SeededSource(std::uint64_t seed, const SwarmKnobs& knobs) : seed_(seed), knobs_(knobs) {}
  void reseed(std::uint64_t seed);

  void begin() override {}
  std::uint64_t draw(const Address& address, std::uint64_t bound, Witness witness) override;
  std::uint64_t draw_fault(const Address& address, const FaultMenu& menu) override;

 private:
  std::uint64_t random(const Address& address) const;
  bool deviates(ChoiceKind kind, std::uint64_t random) const;

  std::uint64_t seed_;
  SwarmKnobs knobs_;
};

/// Gives back a set of deviations; every other choice is 0.
class ReplaySource : public ChoiceSource {
 public:
  /// Keeps its own copy, in address order.
  void load(std::span<const Deviation> deviations);

  void begin() override;
  std::uint64_t draw(const Address& address, std::uint64_t bound, Witness witness) override;
  std::uint64_t draw_fault(const Address& address, const FaultMenu& menu) override;

  /// Deviations whose address was met with the recorded witness, in the last execution. A fault
  /// that the world then dropped is not among Choices::taken().
  std::uint32_t aligned() const { return aligned_; }
  /// Deviations that were not aligned, in address order.
  std::vector<Deviation> missed() const;
  std::span<const Deviation> loaded() const { return deviations_; }

 private:
  const Deviation* find(const Address& address) const;
  /// Its value, if it leans on the same.
  std::uint64_t take(const Deviation& deviation, Witness witness);

  std::vector<Deviation> deviations_;
  std::vector<char> met_;
  std::uint64_t filter_ = 0;  // One bit per hashed address: most choices have no deviation.
  std::uint32_t aligned_ = 0;
};

}  // namespace locklab
