// Candidates: patterns over lines of code, and a hash that picks some of what they match.
// SPDX-License-Identifier: Apache-2.0
#include "tests/mutants/candidates.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace locklab::mutants {
namespace {

/// FNV-1a, stirred at the end so that its lowest values are a fair sample.
std::uint64_t hash_of(const std::string& text) {
  std::uint64_t hash = 14695981039346656037ULL;
  for (const char c : text)
    hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  hash = (hash ^ hash >> 33) * 0xff51afd7ed558ccdULL;
  return hash ^ hash >> 33;
}

/// The line without its comment. A "//" in a string is none: none of the targets has one.
std::string code_of(const std::string& line) {
  const std::size_t comment = line.find("//");
  std::string code = line.substr(0, comment);
  while (!code.empty() && code.back() == ' ')
    code.pop_back();
  return code;
}

/// What is no statement: directives, texts for people, and contracts, whose mutants only fail.
bool is_left_out(const std::string& code) {
  for (const char* word : {"#", "SIM_ASSERT", "SIM_UNREACHABLE", "static_assert",
                           ".name = ", ".summary = ", ".source = ", "template <"}) {
    if (code.find(word) != std::string::npos) return true;
  }
  return code.empty();
}

std::string trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(' ');
  return begin == std::string::npos ? "" : text.substr(begin);
}

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

struct Compiled {
  const Pattern* pattern;
  std::regex from;

  /// Texts have patterns of their own: a "!=" is no Lua. Only a whole statement can be deleted.
  bool suits(const std::string& code, const std::string& code_before) const {
    const bool is_text = trimmed(code)[0] == '"';
    if (is_text != ends_with(pattern->name, "-in-script")) return false;
    if (pattern->name.rfind("delete-", 0) != 0) return true;
    return code_before.empty() || std::string(";{}:").find(code_before.back()) != std::string::npos;
  }
};

void add_matches(const Compiled& compiled, const Mutant& line, std::size_t repeat,
                 std::vector<Mutant>& all) {
  const std::string code = code_of(line.before);
  std::size_t number = 0;
  for (std::sregex_iterator match(code.begin(), code.end(), compiled.from), end; match != end;
       ++match, ++number) {
    Mutant mutant = line;
    mutant.pattern = compiled.pattern->name;
    mutant.after = code.substr(0, static_cast<std::size_t>(match->position())) +
                   match->format(compiled.pattern->to) +
                   code.substr(static_cast<std::size_t>(match->position() + match->length()));
    if (mutant.after == code) continue;
    mutant.hash = hash_of(mutant.file + '\n' + mutant.pattern + '\n' + trimmed(code) + '\n' +
                          std::to_string(repeat) + '\n' + std::to_string(number));
    all.push_back(std::move(mutant));
  }
}

void add_included(const std::string& root, const std::string& file, std::set<std::string>& seen) {
  if (!seen.insert(file).second) return;
  static const std::regex kInclude("#include \"([^\"]+)\"");
  for (const std::string& line : lines_of(read_file(std::filesystem::path(root) / file))) {
    std::smatch match;
    if (std::regex_match(line, match, kInclude)) add_included(root, match[1], seen);
  }
}

}  // namespace

std::string Mutant::id() const {
  char digits[17];
  std::snprintf(digits, sizeof digits, "%012llx", static_cast<unsigned long long>(hash >> 16));
  return digits;
}

std::string read_file(const std::string& path) {
  std::ifstream in(path);
  if (!in) throw std::runtime_error(path + " cannot be read");
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);)
    lines.push_back(line);
  return lines;
}

std::vector<Pattern> read_patterns(const std::string& path) {
  std::vector<Pattern> patterns;
  for (const std::string& line : lines_of(read_file(path))) {
    if (line.empty() || line[0] == '#') continue;
    if (line[0] != '-' && line[0] != '+') {
      patterns.push_back({line.substr(0, line.find(':')), "", ""});
    } else if (patterns.empty()) {
      throw std::runtime_error(path + ": \"- \" and \"+ \" belong to a pattern");
    } else {
      std::string& side = line[0] == '-' ? patterns.back().from : patterns.back().to;
      side = line.size() > 2 ? line.substr(2) : "";
    }
  }
  for (const Pattern& pattern : patterns) {
    if (pattern.from.empty())
      throw std::runtime_error(path + ": " + pattern.name + " has no \"-\"");
  }
  return patterns;
}

std::vector<Group> read_groups(const std::string& path) {
  std::vector<Group> groups;
  for (const std::string& line : lines_of(read_file(path))) {
    if (line.empty() || line[0] == '#') continue;
    const std::size_t space = line.find(' ');
    const std::string first = line.substr(0, space);
    const std::string until = " until ";
    if (space != std::string::npos && line.compare(space, until.size(), until) != 0) {
      groups.push_back({first, std::stoul(line.substr(space)), {}, {}});
    } else if (groups.empty()) {
      throw std::runtime_error(std::string(path).append(": a file without a group: ").append(line));
    } else {
      groups.back().files.push_back(first);
      if (space != std::string::npos)
        groups.back().until[first] = line.substr(space + until.size());
    }
  }
  return groups;
}

std::vector<Mutant> mutants_of(const std::string& group, const std::string& file,
                               const std::string& text, const std::vector<Pattern>& patterns) {
  std::vector<Compiled> compiled;
  compiled.reserve(patterns.size());
  for (const Pattern& pattern : patterns)
    compiled.push_back({&pattern, std::regex(pattern.from)});
  std::vector<Mutant> all;
  std::map<std::string, std::size_t> met;  // How often this line has stood before.
  std::string previous;                    // Line of code.
  std::size_t number = 0;
  for (const std::string& line : lines_of(text)) {
    ++number;
    const std::string code = code_of(line);
    const std::string code_before = std::exchange(previous, code.empty() ? previous : code);
    if (is_left_out(code)) continue;
    const std::size_t repeat = met[trimmed(code)]++;
    for (const Compiled& pattern : compiled) {
      if (pattern.suits(code, code_before))
        add_matches(pattern, {group, file, number, "", line, "", 0}, repeat, all);
    }
  }
  return all;
}

std::vector<Mutant> mutants_of(const std::string& root, const Group& group,
                               const std::vector<Pattern>& patterns) {
  std::vector<Mutant> all;
  for (const std::string& file : group.files) {
    std::string text = read_file(std::filesystem::path(root) / file);
    const auto until = group.until.find(file);
    if (until != group.until.end()) {
      const std::size_t end = text.find(until->second);
      if (end == std::string::npos) throw std::runtime_error(file + " has no " + until->second);
      text.resize(end);
    }
    for (Mutant& mutant : mutants_of(group.name, file, text, patterns))
      all.push_back(std::move(mutant));
  }
  return all;
}

std::vector<Mutant> sample_of(std::vector<Mutant> all, std::size_t count) {
  std::sort(all.begin(), all.end(),
            [](const Mutant& a, const Mutant& b) { return a.hash < b.hash; });
  std::vector<Mutant> sample;
  std::set<std::pair<std::string, std::size_t>> lines;
  for (Mutant& mutant : all) {
    if (sample.size() == count) break;
    if (lines.insert({mutant.file, mutant.line}).second) sample.push_back(std::move(mutant));
  }
  std::sort(sample.begin(), sample.end(), [](const Mutant& a, const Mutant& b) {
    return std::pair(a.file, a.line) < std::pair(b.file, b.line);
  });
  return sample;
}

std::string applied(const std::string& text, const Mutant& mutant) {
  std::string out;
  std::size_t number = 0;
  for (const std::string& line : lines_of(text))
    out += (++number == mutant.line ? mutant.after : line) + '\n';
  return out;
}

std::vector<std::string> sources_of(const std::string& root, const Group& group,
                                    const Mutant& mutant) {
  std::vector<std::string> sources;
  for (const std::string& file : group.files) {
    if (file.size() < 4 || file.compare(file.size() - 4, 4, ".cpp") != 0) continue;
    std::set<std::string> seen;
    add_included(root, file, seen);
    if (seen.count(mutant.file) != 0) sources.push_back(file);
  }
  return sources;
}

}  // namespace locklab::mutants
