// Describe: how findings name holds, locks and spans of time.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "properties/lanes.h"
#include "sim/history.h"

namespace locklab {

/// "client-1".
std::string process_of(const History& history, const HoldLane& hold);
/// "client-1" and "client-2", or "client-1 (hold 3)" and "client-1 (hold 5)" for one process.
struct NamePair {
  std::string first;
  std::string second;
};
NamePair names_of(const History& history, const HoldLane& first, const HoldLane& second);
/// "lock:order-42".
std::string lock_of(const History& history, const HoldLane& hold);
/// The known ones of these seqs, each once, in order of time.
std::vector<std::uint32_t> witness_of_seqs(std::initializer_list<std::uint32_t> seqs);

}  // namespace locklab
