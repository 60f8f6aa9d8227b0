// Splitting a file into what the compiler reads and what only people read.
// SPDX-License-Identifier: Apache-2.0

#include "tests/tidy/source.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace locklab::tidy {
namespace {

constexpr std::array<std::string_view, 5> kDeterministic = {"sim", "models", "scenarios",
                                                            "properties", "search"};

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// Where the literal or comment that starts at `begin` ends; `begin` itself when none starts there.
std::size_t end_of_unread(std::string_view text, std::size_t begin) {
  const auto after = [&](std::string_view end, std::size_t from) {
    const std::size_t found = text.find(end, from);
    return found == std::string_view::npos ? text.size() : found + end.size();
  };
  const std::string_view rest = text.substr(begin);
  if (rest.starts_with("//")) return std::min(text.find('\n', begin), text.size());
  if (rest.starts_with("/*")) return after("*/", begin + 2);
  if (rest.starts_with("R\"") && (begin == 0 || !is_word(text[begin - 1]))) {
    const std::size_t open = std::min(text.find('(', begin), text.size());
    const std::string tag(text.substr(begin + 2, open - begin - 2));
    return after(")" + tag + "\"", open);
  }
  // 1'000'000: a quote between digits separates them.
  const bool separates = rest.front() == '\'' && begin > 0 && is_word(text[begin - 1]);
  if ((rest.front() != '"' && rest.front() != '\'') || separates) return begin;
  std::size_t at = begin + 1;
  while (at < text.size() && text[at] != rest.front() && text[at] != '\n') {
    at += text[at] == '\\' ? 2 : 1;
  }
  return std::min(at + 1, text.size());
}

}  // namespace

std::string to_string(const Complaint& complaint) {
  return complaint.path + ":" + std::to_string(complaint.line) + ": " + complaint.what;
}

std::string code_of(std::string_view text) {
  std::string code(text);
  for (std::size_t at = 0; at < code.size();) {
    const std::size_t end = end_of_unread(text, at);
    // An include names its file in quotes; that is code.
    const std::size_t line = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
    const bool include = text[at] == '"' && text.substr(line).starts_with("#include");
    const bool comment = text[at] == '/';
    for (std::size_t i = comment ? at : at + 1; !include && i + (comment ? 0 : 1) < end; ++i) {
      if (code[i] != '\n') code[i] = ' ';
    }
    at = std::max(end, at + 1);
  }
  return code;
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string folder_of(std::string_view path) {
  const std::size_t slash = path.find('/');
  return slash == std::string_view::npos ? "" : std::string(path.substr(0, slash));
}

bool is_header(const Source& source) {
  return source.path.ends_with(".h");
}

bool is_cpp(const Source& source) {
  return source.path.ends_with(".cpp");
}

bool is_test(const Source& source) {
  const std::size_t dot = source.path.rfind('.');
  const std::string stem = source.path.substr(0, dot);
  return stem.ends_with("_test") || stem.ends_with("_prop") || stem.ends_with("/testing") ||
         stem.ends_with("_testing") || stem.ends_with("/generators") ||
         source.path.starts_with("tests/");
}

bool is_deterministic_folder(std::string_view folder) {
  return std::find(kDeterministic.begin(), kDeterministic.end(), folder) != kDeterministic.end();
}

}  // namespace locklab::tidy
