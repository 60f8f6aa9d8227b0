// Testing: histories from a line or a seed, spoilt ones too, and a judge that tries all orders.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "properties/linearizability/model.h"
#include "properties/linearizability/operation.h"
#include "sim/mix.h"

namespace locklab::linearizability::testing {

inline constexpr std::array<Spec, kKinds> kSpecs = {{{Kind::reg, 2},
                                                     {Kind::key_value, 2},
                                                     {Kind::queue, 2},
                                                     {Kind::mutex, 2},
                                                     {Kind::owner_aware_mutex, 2},
                                                     {Kind::reentrant_mutex, 2},
                                                     {Kind::fenced_mutex, 2},
                                                     {Kind::reentrant_fenced_mutex, 2},
                                                     {Kind::semaphore, 2}}};

class Draws {
 public:
  explicit Draws(std::uint64_t seed) : seed_(seed) {}
  /// In [0, bound).
  std::uint32_t below(std::uint64_t bound) {
    return static_cast<std::uint32_t>(locklab::below(bound, mix(seed_, ++count_)));
  }
  bool percent(std::uint32_t chance) { return below(100) < chance; }

 private:
  std::uint64_t seed_;
  std::uint64_t count_ = 0;
};

/// What random_history() draws from.
struct Shape {
  std::uint32_t clients = 3;
  std::uint32_t operations = 7;
  std::uint32_t values = 3;
  std::uint32_t unknown = 10;  // Percent of operations of which nobody hears again.
  std::uint32_t refusals = 0;  // Percent of acquires that give up at once when it is held.
  std::uint32_t spoils = 1;    // Small lies told afterwards; 0: it is linearizable.
};

struct Sample {
  Names names;
  History history;
};

/// Clients use one real object; each operation takes effect at some instant between its ends.
Sample random_history(const Spec& spec, const Shape& shape, std::uint64_t seed);

/// Tries every order, without memo: for a handful of operations.
bool has_some_order(const History& history, Model& model);

/// Events by blanks: client, then what it does. "A(w1" invokes and "A)" returns; what A invoked is
///   w1, r1, r (nil), c12 (a cas), c12! (refused), a1 (append), e1, d1, d (empty),
///   + (acquire), +7 (with fence), +! (refused), - (release).
/// Without a return the result is unknown.
Sample written(std::string_view text);

}  // namespace locklab::linearizability::testing
