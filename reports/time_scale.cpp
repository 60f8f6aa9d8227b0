// Time scale: each gap gets a least width, and the rest is shared by length.
// SPDX-License-Identifier: Apache-2.0
#include "reports/time_scale.h"

#include <algorithm>

namespace locklab {
namespace {

constexpr int kLeastGap = 9;  // Pixels: two signs side by side can be told apart.

/// 1, 2 or 5 times a power of ten of nanoseconds, at least `least`.
std::int64_t round_step(std::int64_t least) {
  std::int64_t power = 1;
  while (power <= INT64_MAX / 10 && power * 10 <= least)
    power *= 10;
  for (const std::int64_t factor : {1, 2, 5}) {
    if (power * factor >= least) return power * factor;
  }
  return power * 10;
}

}  // namespace

TimeScale::TimeScale(std::vector<Instant> instants, Duration longest, int width)
    : instants_(std::move(instants)), width_(width) {
  std::sort(instants_.begin(), instants_.end());
  instants_.erase(std::unique(instants_.begin(), instants_.end()), instants_.end());
  if (instants_.empty()) instants_.emplace_back();
  const auto gaps = static_cast<int>(instants_.size()) - 1;
  std::vector<std::int64_t> weights;
  Int128 total = 0;
  for (std::size_t i = 1; i < instants_.size(); ++i) {
    const Duration gap = instants_[i] - instants_[i - 1];
    if (gap > longest) breaks_.push_back({instants_[i - 1], instants_[i]});
    weights.push_back(record_bits(std::min(gap, longest)));
    total += weights.back();
  }
  // At most 60 % go to the least widths, so that lengths can still be compared.
  const int least = gaps == 0 ? 0 : std::min(kLeastGap, width * 6 / 10 / gaps);
  const int shared = width - least * gaps;
  positions_.push_back(0);
  Int128 before = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    before += weights[i];
    positions_.push_back(least * static_cast<int>(i + 1) +
                         static_cast<int>(before * shared / std::max<Int128>(total, 1)));
  }
}

std::size_t TimeScale::segment_of(Instant at) const {
  const auto above = std::upper_bound(instants_.begin(), instants_.end(), at);
  return static_cast<std::size_t>(above - instants_.begin()) - 1;
}

int TimeScale::x(Instant at) const {
  if (at <= instants_.front()) return 0;
  if (at >= instants_.back()) return positions_.back();
  const std::size_t i = segment_of(at);
  const Int128 into = record_bits(at - instants_[i]);
  const std::int64_t gap = record_bits(instants_[i + 1] - instants_[i]);
  return positions_[i] + static_cast<int>(into * (positions_[i + 1] - positions_[i]) / gap);
}

std::vector<Instant> TimeScale::ticks(int apart) const {
  std::vector<Instant> ticks;
  const std::int64_t first = record_bits(instants_.front());
  const std::int64_t last = record_bits(instants_.back());
  std::int64_t cut = 0;  // What the breaks leave out is no reason for rarer ticks.
  for (const Break& gap : breaks_)
    cut += record_bits(gap.end - gap.begin);
  const std::int64_t step = round_step(std::max<std::int64_t>((last - first - cut) / 12, 1));
  if ((last - first) / step > 100'000) return ticks;
  int before = -apart;
  for (std::int64_t t = (first + step - 1) / step * step; t <= last; t += step) {
    const Instant at = instant_from_bits(t);
    const bool hidden = std::any_of(breaks_.begin(), breaks_.end(), [at](const Break& gap) {
      return at > gap.begin && at < gap.end;
    });
    if (hidden || x(at) - before < apart) continue;
    before = x(at);
    ticks.push_back(at);
  }
  return ticks;
}

}  // namespace locklab
