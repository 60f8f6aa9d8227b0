// Trace file: an execution that needs nothing beside it: scenario, choices and checkpoints.
// SPDX-License-Identifier: Apache-2.0
//
// JSON, named <16 hex>.json after the XXH3-64 of its own bytes: a file that was changed no longer
// has the name that its token gives. With the marks, replay names the exact first event that
// differs (kernel contract, "History and digest").
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/decoder.h"
#include "scenarios/loader.h"
#include "sim/choice.h"
#include "sim/history.h"

namespace locklab {

struct TraceFile {
  std::uint32_t model_epoch = 0;
  std::string scenario_source;        // Where its text came from.
  std::string scenario_text;          // The file, comments included.
  std::vector<std::string> set;       // Assignments applied to it, in order.
  std::uint64_t scenario_hash = 0;    // Of the effective scenario.
  std::vector<Deviation> deviations;  // As normalised() gives them.
  std::uint64_t digest = 0;
  std::uint32_t records = 0;
  std::vector<std::uint64_t> checkpoints;  // The digest after each 64th record.
  std::vector<std::uint32_t> marks;        // marks_of() the history.
};

/// 32 bits of each record's hash, for the first 100,000 of them: which one differs is found without
/// storing what it was.
std::vector<std::uint32_t> marks_of(const History& history);

/// Ends with a newline.
std::string trace_text(const TraceFile& trace);
/// XXH3-64 of the text: its TraceBody::file and, as 16 digits, its name.
std::uint64_t trace_name(std::string_view text);

struct TraceResult {
  std::optional<TraceFile> trace;
  std::vector<Diagnostic> errors;  // Empty iff there is a trace.
  LoadStatus status = LoadStatus::ok;
};

TraceResult parse_trace(std::string_view text, std::string source);
/// Reads the file; with a name, its bytes must be those that have it.
TraceResult load_trace(const std::string& path, std::optional<std::uint64_t> name = std::nullopt);

/// The effective scenario; an error if its hash is not the one that the trace was recorded with.
DecodeResult scenario_of(const TraceFile& trace, const Vocabulary* vocabulary = nullptr);

}  // namespace locklab
