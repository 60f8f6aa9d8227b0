// Verdict: what a property says; ordered, so that the worst of several is the maximum.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace locklab {

enum class Verdict : std::uint8_t { holds, unknown, violated };

constexpr std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::holds:
      return "holds";
    case Verdict::unknown:
      return "unknown";
    case Verdict::violated:
      return "violated";
  }
  return "";
}

}  // namespace locklab
