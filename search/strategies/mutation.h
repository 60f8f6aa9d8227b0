// Mutation: changes schedules whose runs went a way that none had gone before.
// SPDX-License-Identifier: Apache-2.0
//
// As coverage-guided fuzzers do with inputs (AFL, libFuzzer), and Meng, Pirlea, Roychoudhury,
// Sergey, "Greybox Fuzzing of Distributed Systems", CCS 2023, with faults. New is a shape (shape.h)
// not seen. A quarter of the numbers n are fresh draws, seed n of the swarm; so are all before
// anything is known. In the others a known set loses deviations, has one twice, shifted, changed in
// value, or goes on as another set does.
#pragma once

#include <set>

#include "search/strategies/engine.h"

namespace locklab {

class Mutation : public Engine {
 public:
  std::unique_ptr<Proposer> proposer() const override;
  std::uint64_t generation() const override { return kGeneration; }
  void begin(std::uint64_t first_number) override;
  std::optional<Lesson> lesson(const Execution& execution) const override;
  void learn(std::span<const Lesson> lessons) override;

  /// The set that the number tries, in address order, each address once; empty: a fresh draw.
  std::vector<Deviation> proposal(std::uint64_t number) const;

 private:
  static constexpr std::uint64_t kGeneration = 128;
  static constexpr std::size_t kKnown = 1024;  // Sets; then the oldest goes.

  std::uint64_t first_ = 0;
  std::set<std::uint64_t> shapes_;
  std::vector<std::vector<Deviation>> known_;
  std::size_t oldest_ = 0;
};

}  // namespace locklab
