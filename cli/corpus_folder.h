// Corpus folder: the files of the entries, one for each failure.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "search/corpus.h"

namespace locklab::cli {

/// Read and written where no flag says otherwise: below the current directory.
inline constexpr const char* kCorpusFolder = "locklab-corpus";

struct StoredEntry {
  std::string file;  // "late-write-3f9c21e0.json"
  CorpusEntry entry;
};

class CorpusFolder {
 public:
  explicit CorpusFolder(std::string path) : path_(std::move(path)) {}

  bool exists() const;
  const std::string& path() const { return path_; }
  std::string path_of(const std::string& file) const { return path_ + "/" + file; }

  /// By file name. None where there is no such folder. Throws Failure (kBadData, kNoInput) for a
  /// file that is no entry: a corpus that is read in part would say less than it seems to.
  std::vector<StoredEntry> entries() const;
  /// Makes the folder if it is not there. Replaces the entry of that name.
  void write(const StoredEntry& stored) const;
  void remove(const std::string& file) const;

 private:
  std::string path_;
};

/// `scenario_name` is that of the scenario inside, not the path to it.
std::string file_of(const CorpusEntry& entry, const std::string& scenario_name);

}  // namespace locklab::cli
