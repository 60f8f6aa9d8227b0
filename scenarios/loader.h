// Loader: a scenario by its name or its path.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/decoder.h"

namespace locklab {

enum class LoadStatus : std::uint8_t {
  ok,
  no_input,  // Exit code 66: nothing there, or it cannot be read.
  bad_data   // Exit code 65: it is there and wrong.
};

struct LoadResult {
  LoadStatus status = LoadStatus::ok;
  std::optional<Scenario> scenario;
  std::string text;  // As in the file; trace files carry it.
  std::vector<Diagnostic> errors;
};

/// An embedded scenario by its name ("late-write"), else the file if the text ends in ".json" or
/// has a '/'. Scenario::source is "embedded:<path>" or the path as given.
LoadResult load_scenario(std::string_view name_or_path, const Vocabulary* vocabulary = nullptr);

/// Names of the embedded scenarios, sorted.
std::vector<std::string> embedded_scenario_names();

struct FileText {
  LoadStatus status = LoadStatus::ok;
  std::string text;
  std::string error;  // "is a directory", … ; empty iff ok.
};

/// A regular file of at most `limit` bytes; never blocks on a pipe or a device.
FileText read_file(const std::string& path, std::size_t limit);

}  // namespace locklab
