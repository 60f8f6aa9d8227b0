// Decoder: scenario files to scenarios and back, with every error at its place.
// SPDX-License-Identifier: Apache-2.0
//
// The format is version 1 of kernel contract, "Scenario file"; the table of its keys is keys.h.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/diagnostic.h"
#include "scenarios/scenario.h"

namespace locklab {

/// The names that stand to the right of this folder, or in a list that grows: the caller's.
struct Vocabulary {
  struct Lock {
    std::string name;
    bool fenced = false;  // It issues fences.
  };
  std::vector<Lock> locks;
  std::vector<std::string> properties;
};

struct DecodeResult {
  std::optional<Scenario> scenario;
  std::vector<Diagnostic> errors;  // In the order of the text; empty iff there is a scenario.
};

/// A null vocabulary accepts all names of locks and properties.
DecodeResult decode_scenario(std::string_view text, std::string source,
                             const Vocabulary* vocabulary = nullptr);

/// Keys that differ from their defaults, sorted, without what is for people only. What the hash and
/// the token's second field stand for; decodes to an equal scenario.
std::string canonical_json(const Scenario& scenario);
/// XXH3-64 of the canonical text.
std::uint64_t scenario_hash(const Scenario& scenario);

/// Applies "clients.0.ttl=2s", "resource.mode=ge_rw", "search.faults.of=pause,kill" …, then checks
/// the whole and renews the hash. On errors the scenario stays as it was.
std::vector<Diagnostic> apply_set(Scenario& scenario, std::span<const std::string> assignments,
                                  const Vocabulary* vocabulary = nullptr);
std::vector<Diagnostic> apply_set(Scenario& scenario, const std::string& assignment,
                                  const Vocabulary* vocabulary = nullptr);

/// The JSON schema (draft 2020-12) of scenario files, for editors; ends with a newline.
std::string scenario_schema();

}  // namespace locklab
