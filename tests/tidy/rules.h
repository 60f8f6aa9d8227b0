// The style rules: each is a function from text to complaints.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "tests/tidy/source.h"

namespace locklab::tidy {

// layers.cpp
Complaints check_layers(const Source& source);  // Only what stands to the left of a folder.
Complaints check_model_includes(
    const Source& source);  // Of sim, a lock sees what a client may know.
Complaints check_visible_files(std::span<const Source> sources);  // What it may see exists.
Complaints check_private_libraries(
    const Source& source);  // No Boost or Lua in a header; tests apart.

// bans.cpp
struct Exception {
  std::string path;  // A file, or a folder when it ends with '/'.
  std::string ban;
  std::string reason;
};
std::span<const Exception> exceptions();
Complaints check_bans(const Source& source, std::span<const Exception> allowed);
/// Exceptions that no longer excuse anything.
Complaints check_exceptions(std::span<const Source> sources, std::span<const Exception> allowed);

// form.cpp
inline constexpr std::size_t kFileLinesMax = 500;     // More is two ideas.
inline constexpr std::size_t kFunctionLinesMax = 60;  // One screen.
Complaints check_file_length(const Source& source);
Complaints check_function_lengths(const Source& source);
Complaints check_opening(const Source& source);     // A sentence, then the licence.
Complaints check_marks(const Source& source);       // Nothing is left "to do".
Complaints check_test_names(const Source& source);  // CamelCase, no underscore.
Complaints check_machine_paths(const Source& source);
Complaints check_dead_files(std::span<const Source> sources);  // Each .cpp is in a list of CMake.

// tree.cpp
/// Every text file of the repository that people write: sorted, without build/ and hidden folders
/// but .ci/.
std::vector<Source> read_tree(const std::filesystem::path& root);

}  // namespace locklab::tidy
