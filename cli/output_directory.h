// Output directory: files in one directory and never outside it, each complete or absent.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace locklab::cli {

class OutputDirectory {
 public:
  /// Makes the directory if its parent exists. Throws Failure (kCannotCreate) if it is a symbolic
  /// link, no directory, or cannot be written to.
  explicit OutputDirectory(const std::string& path);
  ~OutputDirectory();
  OutputDirectory(const OutputDirectory&) = delete;
  OutputDirectory& operator=(const OutputDirectory&) = delete;

  /// `name` has no '/'. Replaces the file, or the symbolic link, of that name. Throws Failure
  /// (kCannotCreate, kWriteError).
  void write(const std::string& name, std::string_view text) const;
  std::string path_of(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
  int descriptor_ = -1;
};

}  // namespace locklab::cli
