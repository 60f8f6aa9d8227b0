// Workers: whole worlds side by side, and what they bring home in an order that no thread decides.
// SPDX-License-Identifier: Apache-2.0
//
// The only threads of locklab. A world lives and dies on one thread; nothing is shared but the
// number of the next piece and the queue of finished ones.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

namespace locklab {

/// What the work on one number came to.
class Piece {
 public:
  virtual ~Piece() = default;
};

/// Owns everything that its thread needs; called on that thread only.
using PieceMaker = std::function<std::unique_ptr<Piece>(std::uint64_t number)>;

/// Works on the numbers 0, 1, … below `count` on `jobs` threads (this one, if there is but one) and
/// hands each piece to `take` in the order of the numbers, never two at once. When `take` returns
/// false no later piece is handed over and no new one begun: what it has seen is a prefix, and the
/// same one for any number of threads. An exception of the work on n is thrown again here, after
/// all pieces before n have been taken.
void side_by_side(unsigned jobs, std::uint64_t count, const std::function<PieceMaker()>& make_work,
                  const std::function<bool(Piece& piece)>& take);

}  // namespace locklab
