// Parts of shrinking: the current best, how a candidate replaces it, and the passes over it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <span>
#include <vector>

#include "search/questions.h"
#include "search/shrink.h"
#include "search/trial.h"

namespace locklab::shrinking {

enum class Part : std::uint8_t { fault, order, free_dimension };
Part part_of(const Deviation& deviation);

/// Fewer and weaker before anything else; among equals, the one whose addresses come first: so that
/// equal bugs come to equal tokens.
bool is_smaller(std::span<const Deviation> a, std::span<const Deviation> b);

/// The smallest set so far, which fails in the way that the first one did.
class Best {
 public:
  Best(const Scenario& scenario, std::string_view property, const ShrinkOptions& options,
       const Laboratory& laboratory);

  /// false: these choices do not fail.
  bool begin(std::span<const Deviation> choices);
  /// true: the candidate fails in the same way and is smaller; it is the best now, as its run has
  /// consumed it. What was refused once stays refused: the best only gets smaller.
  bool attempt(const std::vector<Deviation>& candidate);
  /// The best with another value at that address; the witness may change with it.
  bool attempt_value(const Address& address, std::uint64_t value);
  /// What a run of these choices is asked; nothing if the budget is spent.
  std::vector<Question> questions_of(std::span<const Deviation> choices);
  /// Budget or cancellation; asked inside the passes.
  bool spent();
  /// Two more runs, which are no part of the budget: a result that was not checked is none.
  void verify();

  const std::vector<Deviation>& choices() const { return choices_; }
  /// nullptr: the best has no deviation there any more.
  const Deviation* find(const Address& address) const;
  std::vector<std::size_t> places_of(Part part) const;
  std::vector<Deviation> without(std::span<const std::size_t> places) const;
  FaultKinds allowed() const { return scenario_.world.search.of; }
  ShrinkResult& result() { return result_; }

 private:
  std::optional<Signature> run(std::span<const Deviation> candidate);
  void keep(const Signature& signature);

  const Scenario& scenario_;
  const ShrinkOptions& options_;
  Trial trial_;
  std::vector<Deviation> choices_;
  std::set<std::vector<Deviation>> refused_;
  bool stopped_ = false;
  ShrinkResult result_;
};

// Passes. true: something became smaller.

/// Whatever was met after the failure was complete plays no part: the shortest prefix that fails.
bool truncate(Best& best);
/// All of a part at once, halves, quarters, …, single ones; each from the end.
bool delete_runs_of(Best& best, Part part);
/// Two that only together can go: a fault and what answered it.
bool delete_pairs(Best& best);
/// One fault does the work of two once it lasts longer; or that of the free dimensions.
bool merge(Best& best);
bool lower_all(Best& best, Part part);
/// Of several deviations one fault, wherever it does alone what all of them do.
bool one_alone(Best& best);
/// Faults to the first points, in the order of addresses, at which they do the same.
bool move_faults(Best& best);

}  // namespace locklab::shrinking
