// Property: a pure judgement over a history: verdict, reason, witness, and how often it was tested.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "properties/lanes.h"
#include "sim/history.h"
#include "sim/verdict.h"

namespace locklab {

/// A cause precedes exposure, exposure precedes harm; each can occur without the next.
enum class Severity : std::uint8_t { cause, exposure, harm, progress };

struct Finding {
  Verdict verdict = Verdict::holds;
  /// One sentence with names and times; empty when it holds. Built only when it does not.
  std::string why;
  /// Sequence numbers of the records that show it, in order of time.
  std::vector<std::uint32_t> witness;
  /// How often the premise occurred. 0: this run proves nothing about the property.
  std::uint32_t exercised = 0;
};

struct Property {
  std::string_view name;       // "double-ownership"
  std::string_view statement;  // One sentence, in words first.
  Severity severity = Severity::harm;
  Finding (*check)(const History& history, const Lanes& lanes) = nullptr;
};

/// In the order of properties/CMakeLists.txt.
std::vector<Property> all_properties();

}  // namespace locklab
