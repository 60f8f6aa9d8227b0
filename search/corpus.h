// Corpus: failing runs that are kept, and what becomes of each when it is run again.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/decoder.h"
#include "search/explore.h"
#include "search/signature.h"

namespace locklab {

enum class EntryStatus : std::uint8_t {
  open,     // A bug that is known and not mended.
  fixed,    // A bug that was mended: it must not come back.
  expected  // A trap that must go on biting.
};
inline constexpr std::array<EntryStatus, 3> kEntryStatuses = {EntryStatus::open, EntryStatus::fixed,
                                                              EntryStatus::expected};
std::string_view name_of(EntryStatus status);

/// One file of the corpus: JSON for people, complete in itself but for the scenario, which is meant
/// to be edited on.
struct CorpusEntry {
  EntryStatus status = EntryStatus::open;
  std::string property;
  EventKind first_wrong = EventKind::none;  // As Signature has it.
  std::int64_t detail = 0;
  std::string summary;                // The signature in words.
  std::string scenario;               // An embedded name, or a path.
  std::vector<std::string> set;       // Assignments applied to it, in order.
  std::uint64_t scenario_hash = 0;    // When it was recorded.
  std::uint32_t model_epoch = 0;      // Likewise.
  std::uint64_t digest = 0;           // Likewise, of the run of these deviations.
  std::string token;                  // "": too many deviations for one.
  std::vector<Deviation> deviations;  // As normalised() gives them.
  std::vector<std::string> story;     // The run in words, for people; not read back to be judged.
};

bool shows(const CorpusEntry& entry, const Signature& signature);

/// Ends with a newline.
std::string entry_text(const CorpusEntry& entry);
/// "<8 hex>": equal for two failures with one signature under the same scenario and faults, which
/// are one entry.
std::string entry_name(const CorpusEntry& entry);

struct EntryResult {
  std::optional<CorpusEntry> entry;
  std::vector<Diagnostic> errors;  // Empty iff there is an entry.
};
EntryResult parse_entry(std::string_view text, std::string source);
/// Entries are small; a larger file is none.
constexpr std::size_t kEntryBytes = std::size_t{1} << 20;

/// What became of a recorded failure.
enum class Rerun : std::uint8_t {
  identical,  // The same run, digest and all.
  same,       // Another run, the same failure.
  near,       // Its deviations no longer fail; others near them do.
  passes      // Neither it nor anything near it fails.
};
std::string_view name_of(Rerun rerun);

struct RerunResult {
  Rerun rerun = Rerun::passes;
  /// Of the run that fails; of the recorded deviations if none does.
  std::vector<Deviation> choices;
  std::uint64_t digest = 0;
  /// Where the run of the recorded deviations leaves the record; "" if it does not.
  std::string divergence;
  std::uint32_t executions = 0;
};

struct RerunOptions {
  /// How many neighbours are tried when the recorded deviations no longer fail.
  std::uint32_t neighbours = 500;
  std::function<bool()> cancelled;
};

/// `scenario` is the entry's as it is now. A contract failure if the laboratory has no such
/// property.
RerunResult rerun(const Scenario& scenario, const CorpusEntry& entry,
                  const RerunOptions& options = {}, const Laboratory& laboratory = {});

/// What that means for a user.
enum class Standing : std::uint8_t {
  as_recorded,  // An open one fails, a fixed one passes, a trap bites.
  mended,       // An open one passes: to be called fixed?
  regression,   // A fixed one fails again.
  dead          // A trap no longer bites.
};
Standing standing_of(EntryStatus status, Rerun rerun);

}  // namespace locklab
