// Check shard: what one machine found in its part of the seeds, as a file that others can add to.
// SPDX-License-Identifier: Apache-2.0
//
// A shard carries its scenario and the choices of the runs that it found, so that whoever merges
// needs nothing beside the files, and tells what one machine with all seeds would have told.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/decoder.h"
#include "scenarios/json_reader.h"
#include "search/coverage.h"
#include "search/explore.h"
#include "search/shard.h"

namespace locklab {

/// A scenario as it was loaded.
struct SavedScenario {
  std::string source;            // Where its text came from.
  std::string text;              // The file, comments included.
  std::vector<std::string> set;  // Assignments applied to it, in order.
  std::uint64_t hash = 0;        // Of the effective scenario.
  friend bool operator==(const SavedScenario&, const SavedScenario&) = default;
};
/// The effective scenario; an error if its hash is not the saved one.
DecodeResult scenario_of(const SavedScenario& saved, const Vocabulary* vocabulary = nullptr);

/// A run that the file names by its seed.
struct SavedRun {
  std::uint64_t seed = 0;
  std::uint64_t digest = 0;
  std::vector<Deviation> choices;  // As normalised() gives them.
  friend bool operator==(const SavedRun&, const SavedRun&) = default;
};

struct SavedTally {
  std::string property;
  std::uint64_t violated = 0;
  std::uint64_t unknown = 0;
  std::uint64_t exercised_runs = 0;
  std::uint64_t exercised = 0;
  std::optional<std::uint64_t> first;  // Seed of a violation, the lowest; a SavedRun has it.
  friend bool operator==(const SavedTally&, const SavedTally&) = default;
};

/// A search of one scenario, or a shard's part of it.
struct SavedSearch {
  SavedScenario scenario;
  SeedRange seeds;       // Of the whole search.
  std::string strategy;  // The name of what drew the schedules.
  std::uint64_t runs = 0;
  std::uint64_t steps = 0;
  bool complete = false;  // All seeds of this shard were run, or there was nothing left to try.
  bool exhausted = false;
  bool sampled = false;
  std::vector<SavedTally> tallies;
  std::optional<std::uint64_t> unexpected;  // Seed, as SavedTally::first.
  std::array<std::uint64_t, static_cast<std::size_t>(EventKind::count)> runs_with{};
  std::vector<SavedRun> found;  // By seed.
  Coverage coverage;
  friend bool operator==(const SavedSearch&, const SavedSearch&) = default;
};

/// One shard's part of all searches that one command has asked for.
struct CheckShard {
  Shard shard;
  std::vector<SavedSearch> searches;
  friend bool operator==(const CheckShard&, const CheckShard&) = default;
};

constexpr std::string_view kCheckShardSchema = "locklab.check-shard/1";
/// A million seeds that all differ take 9 MB.
constexpr JsonLimits kCheckShardLimits{std::size_t{64} << 20, 16, 4'000'000};

SavedSearch saved(const SearchResult& result, SavedScenario scenario, const SeedRange& seeds,
                  std::string strategy = {});

struct RestoreResult {
  std::optional<SearchResult> result;
  std::string error;  // One line; empty iff there is a result.
};
/// The search as explore() gave it. Runs what was found again, and refuses what ends otherwise. The
/// scenario must outlive the result.
RestoreResult restored(const SavedSearch& saved, const Scenario& scenario,
                       const Laboratory& laboratory = {});

/// By its first line.
bool is_check_shard(std::string_view text);
/// locklab.check-shard/1; ends with a newline.
std::string check_shard_text(const CheckShard& shard);

struct CheckShardResult {
  std::optional<CheckShard> shard;
  std::string error;  // One line; empty iff there is a shard.
};
/// Accepts what check_shard_text() writes and nothing else, not even another layout.
CheckShardResult parse_check_shard(std::string_view text);

/// All shards of one check as the whole, which is shard 1 of 1. Refuses what is not of one check,
/// is incomplete, is there twice, or is missing.
CheckShardResult merge_check_shards(std::vector<CheckShard> shards);

}  // namespace locklab
