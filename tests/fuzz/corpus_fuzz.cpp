// Fuzz target: corpus entries.
// SPDX-License-Identifier: Apache-2.0

#include <cstddef>
#include <cstdint>
#include <string>

#include "search/corpus.h"
#include "sim/contract.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using locklab::EntryResult;
  const EntryResult result = locklab::parse_entry(std::string(data, data + size), "input");
  SIM_ASSERT(result.entry.has_value() == result.errors.empty());
  if (!result.entry) return 0;
  const std::string text = locklab::entry_text(*result.entry);
  const EntryResult again = locklab::parse_entry(text, "again");
  SIM_ASSERT(again.entry.has_value());
  SIM_ASSERT(locklab::entry_text(*again.entry) == text);
  return 0;
}
