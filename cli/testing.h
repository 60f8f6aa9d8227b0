// Testing: runs the built program as a user would, and keeps what it said.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace locklab::cli::testing {

struct Outcome {
  int exit_code = -1;  // -1: ended by a signal.
  std::string out;
  std::string err;
};

struct Surroundings {
  std::vector<std::string> environment = {};  // "NO_COLOR=1"; nothing else is inherited.
  std::string out_path = {};                  // stdout goes there; empty: it is kept.
  bool closed_pipe = false;                   // stdout is a pipe that nobody reads.
  int interrupt_after_ms = 0;                 // > 0: SIGINT then.
  unsigned short terminal_columns = 0;        // > 0: stderr is a terminal of this width.
};

/// Whether a run can be given one.
bool has_terminals();
/// Without a terminal, unless one is asked for; stdin is empty.
Outcome run_program(const std::vector<std::string>& arguments, const Surroundings& around = {});

std::vector<std::string> lines_in(std::string_view text);
std::string first_line(std::string_view text);
/// The first word of the text that begins with "ll1:"; "" if there is none.
std::string token_in(std::string_view text);

/// A directory of its own, removed at the end.
class Scratch {
 public:
  Scratch();
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  std::string path(const std::string& name) const { return (root_ / name).string(); }
  std::string write(const std::string& name, std::string_view text) const;
  std::string read(const std::string& name) const;

 private:
  std::filesystem::path root_;
};

}  // namespace locklab::cli::testing
