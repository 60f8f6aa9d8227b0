// Corpus folder: a flat directory of small files.
// SPDX-License-Identifier: Apache-2.0
#include "cli/corpus_folder.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "cli/failure.h"
#include "cli/lab.h"
#include "cli/output_directory.h"

namespace locklab::cli {

namespace fs = std::filesystem;

bool CorpusFolder::exists() const {
  std::error_code ignored;
  return fs::is_directory(path_, ignored);
}

std::vector<StoredEntry> CorpusFolder::entries() const {
  std::vector<std::string> files;
  std::error_code error;
  for (fs::directory_iterator i(path_, error), end; !error && i != end; i.increment(error)) {
    if (i->path().extension() == ".json") files.push_back(i->path().filename().string());
  }
  if (error && error != std::errc::no_such_file_or_directory) {
    throw Failure(kNoInput, path_ + ": " + error.message());
  }
  std::sort(files.begin(), files.end());
  std::vector<StoredEntry> entries;
  for (const std::string& file : files) {
    EntryResult read = parse_entry(file_text(path_of(file), kEntryBytes), path_of(file));
    if (!read.entry) fail_with(read.errors, kBadData);
    entries.push_back({file, *std::move(read.entry)});
  }
  return entries;
}

void CorpusFolder::write(const StoredEntry& stored) const {
  OutputDirectory(path_).write(stored.file, entry_text(stored.entry));
}

void CorpusFolder::remove(const std::string& file) const {
  std::error_code error;
  fs::remove(path_of(file), error);
  if (error) throw Failure(kWriteError, path_of(file) + ": " + error.message());
}

std::string file_of(const CorpusEntry& entry, const std::string& scenario_name) {
  return scenario_name + "-" + entry_name(entry) + ".json";
}

}  // namespace locklab::cli
