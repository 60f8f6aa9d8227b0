// Engine: the numbered schedules of one strategy, as a search over a range of numbers wants them.
// SPDX-License-Identifier: Apache-2.0
//
// Schedule n of an engine is a function of its scenario and n. An engine that learns is told after
// each generation, in the order of the numbers, what its runs came to; its schedules are a function
// of the range's first number too, and of nothing else: not of threads nor of how many there are.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "scenarios/run.h"
#include "sim/choice.h"

namespace locklab {

/// One thread's view of an engine, which must outlive it.
class Proposer {
 public:
  virtual ~Proposer() = default;
  /// → what the run of that number draws from, valid until the next call; nullptr: the engine has
  /// no such number, nor any after it.
  virtual ChoiceSource* at(std::uint64_t number) = 0;
};

/// What of a run an engine learns from.
struct Lesson {
  std::uint64_t shape = 0;  // Of its history; see search/strategies/shape.h.
  std::vector<Deviation> choices;
};

class Engine {
 public:
  Engine() = default;
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;
  virtual ~Engine() = default;

  virtual std::unique_ptr<Proposer> proposer() const = 0;

  /// Whether its runs are independent draws from one distribution: only of such runs does their
  /// number bound how often others fail.
  virtual bool samples() const { return false; }
  /// Numbers in a generation; 0: it learns nothing.
  virtual std::uint64_t generation() const { return 0; }
  /// A search begins at that number. Forgets what was learnt.
  virtual void begin(std::uint64_t /*first_number*/) {}
  /// What learn() wants to hear of a run; asked on any thread, of several at once.
  virtual std::optional<Lesson> lesson(const Execution& /*execution*/) const {
    return std::nullopt;
  }
  /// The lessons of one generation, in the order of their numbers.
  virtual void learn(std::span<const Lesson> /*lessons*/) {}
};

}  // namespace locklab
