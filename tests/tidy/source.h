// One file as the style rules see it: its path, its text, its code without comments and strings.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace locklab::tidy {

struct Source {
  std::string path;  // From the root of the repository, with '/'.
  std::string text;
};

struct Complaint {
  std::string path;
  std::size_t line = 0;  // From 1; 0: the file as a whole.
  std::string what;

  friend bool operator==(const Complaint&, const Complaint&) = default;
};
std::string to_string(const Complaint& complaint);

using Complaints = std::vector<Complaint>;

/// The text with the contents of comments, strings and characters blanked out; as many lines as
/// before.
std::string code_of(std::string_view text);

/// Without line ends; a last line needs none.
std::vector<std::string> lines_of(std::string_view text);

/// The first part of the path: "sim" of "sim/redis/node.h", empty for a file at the top.
std::string folder_of(std::string_view path);

bool is_header(const Source& source);
bool is_cpp(const Source& source);
/// x_test.cpp, x_prop.cpp, what they share (testing.h, x_testing.cpp, generators.h), all of tests/.
bool is_test(const Source& source);

/// True for the folders in which executions must be reproducible: sim to search.
bool is_deterministic_folder(std::string_view folder);

}  // namespace locklab::tidy
