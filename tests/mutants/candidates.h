// Candidates: every one-line mutant that the patterns make of the targets, and the sample of them.
// SPDX-License-Identifier: Apache-2.0
//
// A mutant is named by what it changes and not by where: by file, pattern and the text of its line.
// So an edit elsewhere in the file leaves the sample and its results as they were.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace locklab::mutants {

struct Pattern {
  std::string name;
  std::string from;  // A regular expression (ECMAScript).
  std::string to;
};

struct Group {
  std::string name;
  std::size_t sampled = 0;
  std::vector<std::string> files;
  std::map<std::string, std::string> until;  // Of some files: the text before which it ends.
};

struct Mutant {
  std::string group;
  std::string file;
  std::size_t line = 0;  // From 1.
  std::string pattern;
  std::string before;  // The line as it is.
  std::string after;
  std::uint64_t hash = 0;

  std::string id() const;  // Twelve hexadecimal digits.
};

/// All of them throw std::runtime_error on a file that cannot be read, or not be understood.
std::string read_file(const std::string& path);
std::vector<std::string> lines_of(const std::string& text);
std::vector<Pattern> read_patterns(const std::string& path);
std::vector<Group> read_groups(const std::string& path);

/// Of one source, given as text: in the order of its lines.
std::vector<Mutant> mutants_of(const std::string& group, const std::string& file,
                               const std::string& text, const std::vector<Pattern>& patterns);
/// Of the whole group, under the root of the tree.
std::vector<Mutant> mutants_of(const std::string& root, const Group& group,
                               const std::vector<Pattern>& patterns);
/// The group's share: those with the lowest hashes, one for each line at most; by file and line.
std::vector<Mutant> sample_of(std::vector<Mutant> all, std::size_t count);
/// The mutated file.
std::string applied(const std::string& text, const Mutant& mutant);
/// The group's sources which the mutant changes: its own, or those that include its header.
std::vector<std::string> sources_of(const std::string& root, const Group& group,
                                    const Mutant& mutant);

}  // namespace locklab::mutants
