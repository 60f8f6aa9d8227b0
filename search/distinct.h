// Distinct: how many different values there are among many, exactly, in bounded memory.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace locklab {

/// Keeps the values themselves, so that the counts of parts can be joined: up to kMost different
/// ones, in at most 16 MiB. Whether there were more does not depend on the order either.
class Distinct {
 public:
  static constexpr std::size_t kMost = std::size_t{1} << 20;

  /// More than kMost.
  static Distinct too_many();

  void add(std::uint64_t value);
  void add(const Distinct& other);

  /// To be called after the last add().
  void settle();
  bool exact() const { return exact_; }
  /// kMost if there are more.
  std::size_t count() const { return exact_ ? sorted().size() : kMost; }
  /// In ascending order; empty if there are more than kMost.
  std::span<const std::uint64_t> sorted() const;

  friend bool operator==(const Distinct&, const Distinct&) = default;

 private:
  std::vector<std::uint64_t> values_;
  bool settled_ = true;
  bool exact_ = true;
};

}  // namespace locklab
