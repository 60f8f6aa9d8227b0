// Glob matching with a single point of return, so that many stars cost no exponential time.
// SPDX-License-Identifier: Apache-2.0
#include "sim/redis/glob.h"

#include <utility>

namespace locklab::redis {
namespace {

struct Step {
  bool matches = false;
  std::size_t next = 0;  // Where the pattern goes on.
};

/// Matches `c` against the class that opens at pattern[at]. An unclosed one ends with the pattern
/// (redis/src/util.c stringmatchlen).
Step match_class(std::string_view pattern, std::size_t at, char c) {
  const auto byte = [](char x) { return static_cast<unsigned char>(x); };
  std::size_t i = at + 1;
  const bool negated = i < pattern.size() && pattern[i] == '^';
  if (negated) ++i;
  bool found = false;
  for (; i < pattern.size() && pattern[i] != ']'; ++i) {
    if (pattern[i] == '\\' && i + 1 < pattern.size()) {
      found = found || pattern[++i] == c;
    } else if (i + 2 < pattern.size() && pattern[i + 1] == '-') {
      auto low = byte(pattern[i]);
      auto high = byte(pattern[i + 2]);
      if (low > high) std::swap(low, high);
      found = found || (byte(c) >= low && byte(c) <= high);
      i += 2;
    } else {
      found = found || pattern[i] == c;
    }
  }
  return {found != negated, i < pattern.size() ? i + 1 : i};
}

/// Matches one character against the element at pattern[at], which is no star.
Step match_one(std::string_view pattern, std::size_t at, char c) {
  if (pattern[at] == '?') return {true, at + 1};
  if (pattern[at] == '[') return match_class(pattern, at, c);
  if (pattern[at] == '\\' && at + 1 < pattern.size()) return {pattern[at + 1] == c, at + 2};
  return {pattern[at] == c, at + 1};
}

}  // namespace

bool glob_matches(std::string_view pattern, std::string_view text) {
  std::size_t at = 0;
  std::size_t star = std::string_view::npos;  // Behind the last star, where to try again.
  std::size_t star_text = 0;                  // How much of the text it has swallowed.
  for (std::size_t i = 0; i < text.size();) {
    if (at < pattern.size() && pattern[at] == '*') {
      star = ++at;
      star_text = i;
      continue;
    }
    const Step step = at < pattern.size() ? match_one(pattern, at, text[i]) : Step();
    if (step.matches) {
      at = step.next;
      ++i;
    } else if (star != std::string_view::npos) {
      at = star;
      i = ++star_text;
    } else {
      return false;
    }
  }
  while (at < pattern.size() && pattern[at] == '*')
    ++at;
  return at == pattern.size();
}

}  // namespace locklab::redis
