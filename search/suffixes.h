// Suffixes: a run up to the end of its faults, then several quiet futures drawn anew.
// SPDX-License-Identifier: Apache-2.0
//
// The probe of one run contends under one draw of orders, delays and polls. Whether somebody gets
// the lock may depend on them: here the same past is followed by many of them (kernel contract,
// "Liveness").
#pragma once

#include <cstdint>
#include <span>

#include "search/explore.h"

namespace locklab {

constexpr std::uint32_t kSuffixes = 20;

/// How eventual-release is judged in each.
struct Suffixes {
  std::uint32_t drawn = 0;  // 0: the run ended before its faults had stopped.
  std::uint32_t live = 0;
  std::uint32_t blocked = 0;
  std::uint32_t unknown = 0;
  friend bool operator==(const Suffixes&, const Suffixes&) = default;
};

/// `choices` as a run has recorded them; seeds 1 to `count`.
Suffixes suffixes_of(const Scenario& scenario, std::span<const Deviation> choices,
                     std::uint32_t count = kSuffixes, const Laboratory& laboratory = {});

}  // namespace locklab
