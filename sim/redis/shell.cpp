// The test's side of the engine: words in, texts out.
// SPDX-License-Identifier: Apache-2.0
#include "sim/redis/shell.h"

#include "sim/contract.h"

namespace locklab::redis {
namespace {

/// Reads "…" behind its opening quote; leaves `i` behind the closing one.
std::string read_quoted(std::string_view line, std::size_t& i) {
  std::string word;
  for (; i < line.size() && line[i] != '"'; ++i) {
    if (line[i] != '\\') {
      word += line[i];
      continue;
    }
    const char c = line[++i];
    if (c == 'x') {
      word += static_cast<char>(std::stoi(std::string(line.substr(i + 1, 2)), nullptr, 16));
      i += 2;
    } else {
      word += c == 'n' ? '\n' : c == 'r' ? '\r' : c == 't' ? '\t' : c;
    }
  }
  ++i;
  return word;
}

std::string joined(Command argv) {
  std::string line;
  for (std::string_view word : argv) {
    if (!line.empty()) line += ' ';
    line += word;
  }
  return line;
}

}  // namespace

std::vector<std::string> split_words(std::string_view line) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < line.size();) {
    if (line[i] == ' ') {
      ++i;
    } else if (line[i] == '"') {
      words.push_back(read_quoted(line, ++i));
    } else {
      const char end = line[i] == '\'' ? '\'' : ' ';
      if (end == '\'') ++i;
      const std::size_t stop = std::min(line.find(end, i), line.size());
      words.emplace_back(line.substr(i, stop - i));
      i = stop + 1;
    }
  }
  return words;
}

Reply Shell::reply_to(const std::vector<std::string>& argv, bool from_primary) {
  forget_effects();
  const std::vector<std::string_view> views(argv.begin(), argv.end());
  return from_primary ? redis::apply(database_, scripts_, context_, views, arena_, effects_)
                      : execute(database_, scripts_, context_, views, arena_, effects_);
}

void Shell::forget_effects() {
  effects_.clear();
  arena_.reset();
}

std::string Shell::run(std::string_view line) {
  return run(split_words(line));
}

std::string Shell::run(const std::vector<std::string>& argv) {
  return to_string(reply_to(argv, false));
}

std::string Shell::run_resp2(const std::vector<std::string>& argv) {
  std::string bytes;
  append_resp2(bytes, reply_to(argv, false));
  return bytes;
}

std::string Shell::apply(std::string_view line) {
  return to_string(reply_to(split_words(line), true));
}

std::vector<std::string> Shell::stream() const {
  std::vector<std::string> lines;
  for (Command argv : effects_.stream())
    lines.push_back(joined(argv));
  return lines;
}

std::vector<std::string> Shell::changes() const {
  std::vector<std::string> lines;
  for (const Change& change : effects_.changes()) {
    lines.push_back(std::string(to_string(change.kind)) + " " + std::string(change.key));
  }
  return lines;
}

}  // namespace locklab::redis
