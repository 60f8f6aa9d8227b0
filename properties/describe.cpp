// Describe: names out of the history; used only when a property does not hold.
// SPDX-License-Identifier: Apache-2.0
#include "properties/describe.h"

#include <algorithm>

namespace locklab {

std::string process_of(const History& history, const HoldLane& hold) {
  return history.actors[hold.hold.process().value].name;
}

NamePair names_of(const History& history, const HoldLane& first, const HoldLane& second) {
  NamePair names{process_of(history, first), process_of(history, second)};
  if (first.hold.process() == second.hold.process()) {
    names.first += " (hold " + std::to_string(first.hold.number()) + ")";
    names.second += " (hold " + std::to_string(second.hold.number()) + ")";
  }
  return names;
}

std::string lock_of(const History& history, const HoldLane& hold) {
  return std::string(history.text(hold.lock));
}

std::vector<std::uint32_t> witness_of_seqs(std::initializer_list<std::uint32_t> seqs) {
  std::vector<std::uint32_t> witness(seqs);
  std::sort(witness.begin(), witness.end());
  witness.erase(std::unique(witness.begin(), witness.end()), witness.end());
  if (!witness.empty() && witness.front() == 0) witness.erase(witness.begin());
  return witness;
}

}  // namespace locklab
