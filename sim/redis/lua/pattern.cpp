// The matcher: a backtracking walk over text and pattern (Lua 5.1 Reference Manual, section 5.4.1).
// SPDX-License-Identifier: Apache-2.0
#include "sim/redis/lua/pattern.h"

namespace locklab::redis::lua {
namespace {

constexpr char kEscape = '%';

bool between(unsigned char c, char low, char high) {
  return c >= static_cast<unsigned char>(low) && c <= static_cast<unsigned char>(high);
}
bool is_lower(unsigned char c) {
  return between(c, 'a', 'z');
}
bool is_upper(unsigned char c) {
  return between(c, 'A', 'Z');
}
bool is_digit(unsigned char c) {
  return between(c, '0', '9');
}
bool is_alnum(unsigned char c) {
  return is_lower(c) || is_upper(c) || is_digit(c);
}
bool is_control(unsigned char c) {
  return c < 0x20 || c == 0x7F;
}
bool is_punctuation(unsigned char c) {
  return between(c, '!', '~') && !is_alnum(c);
}
bool is_hex(unsigned char c) {
  return is_digit(c) || between(c, 'a', 'f') || between(c, 'A', 'F');
}

/// Whether `c` is in the class that follows a '%'; an upper-case letter means the complement.
bool in_class(unsigned char c, char name) {
  const auto letter = static_cast<unsigned char>(name);
  bool result = false;
  switch (is_upper(letter) ? static_cast<char>(letter + ('a' - 'A')) : name) {
    case 'a':
      result = is_lower(c) || is_upper(c);
      break;
    case 'c':
      result = is_control(c);
      break;
    case 'd':
      result = is_digit(c);
      break;
    case 'l':
      result = is_lower(c);
      break;
    case 'p':
      result = is_punctuation(c);
      break;
    case 's':
      result = c == ' ' || between(c, '\t', '\r');
      break;
    case 'u':
      result = is_upper(c);
      break;
    case 'w':
      result = is_alnum(c);
      break;
    case 'x':
      result = is_hex(c);
      break;
    case 'z':
      result = c == 0;
      break;
    default:
      return letter == c;
  }
  return is_upper(letter) ? !result : result;
}

}  // namespace

void PatternMatcher::step() {
  if (--steps_left_ < 0) throw PatternError("pattern took too many steps");
}

std::size_t PatternMatcher::match_at(std::size_t begin) {
  capture_count_ = 0;
  depth_ = 0;
  return match(begin, 0);
}

const Capture& PatternMatcher::capture(std::size_t index) const {
  const Capture& capture = captures_[index];
  if (capture.length == Capture::kOpen) throw PatternError("unfinished capture");
  return capture;
}

/// Where the single-character class at p ends.
std::size_t PatternMatcher::class_end(std::size_t p) const {
  const char first = pattern_[p++];
  if (first == kEscape) {
    if (p == pattern_.size()) throw PatternError("malformed pattern (ends with '%')");
    return p + 1;
  }
  if (first != '[') return p;
  if (at(p) == '^') ++p;
  do {  // A ']' in first place is a member.
    if (p >= pattern_.size()) throw PatternError("malformed pattern (missing ']')");
    if (pattern_[p++] == kEscape && p < pattern_.size()) ++p;
  } while (at(p) != ']');
  return p + 1;
}

/// Whether `c` is in the set that opens at p and whose ']' is at `last`.
bool PatternMatcher::in_set(unsigned char c, std::size_t p, std::size_t last) const {
  const auto byte = [this](std::size_t i) { return static_cast<unsigned char>(pattern_[i]); };
  const bool negated = at(p + 1) == '^';
  for (std::size_t i = p + (negated ? 2 : 1); i < last; ++i) {
    if (pattern_[i] == kEscape) {
      if (in_class(c, at(++i))) return !negated;
    } else if (at(i + 1) == '-' && i + 2 < last) {
      if (byte(i) <= c && c <= byte(i + 2)) return !negated;
      i += 2;
    } else if (byte(i) == c) {
      return !negated;
    }
  }
  return negated;
}

bool PatternMatcher::matches_one(std::size_t s, std::size_t p, std::size_t end) {
  step();
  if (s >= text_.size()) return false;
  const auto c = static_cast<unsigned char>(text_[s]);
  switch (pattern_[p]) {
    case '.':
      return true;
    case kEscape:
      return in_class(c, pattern_[p + 1]);
    case '[':
      return in_set(c, p, end - 1);
    default:
      return static_cast<unsigned char>(pattern_[p]) == c;
  }
}

std::size_t PatternMatcher::match_balance(std::size_t s, std::size_t p) const {
  if (p + 1 >= pattern_.size()) throw PatternError("unbalanced pattern");
  if (s >= text_.size() || text_[s] != pattern_[p]) return kNoMatch;
  const char open = pattern_[p];
  const char close = pattern_[p + 1];
  std::size_t nested = 1;
  for (std::size_t i = s + 1; i < text_.size(); ++i) {
    if (text_[i] == close) {
      if (--nested == 0) return i + 1;
    } else if (text_[i] == open) {
      ++nested;
    }
  }
  return kNoMatch;
}

/// "%f[set]" at p, which is behind the 'f'.
std::size_t PatternMatcher::match_frontier(std::size_t s, std::size_t p) {
  if (at(p) != '[') throw PatternError("missing '[' after '%f' in pattern");
  const std::size_t end = class_end(p);
  const auto byte = [this](std::size_t i) { return static_cast<unsigned char>(text_[i]); };
  const unsigned char before = s == 0 ? 0 : byte(s - 1);
  const unsigned char here = s < text_.size() ? byte(s) : 0;
  if (in_set(before, p, end - 1) || !in_set(here, p, end - 1)) return kNoMatch;
  return match(s, end);
}

/// Where the text that capture `digit` took ends, if it is repeated at s.
std::size_t PatternMatcher::match_back_reference(std::size_t s, char digit) {
  const auto index = static_cast<std::size_t>(digit - '1');
  if (digit == '0' || index >= capture_count_ || captures_[index].length == Capture::kOpen) {
    throw PatternError("invalid capture index");
  }
  const Capture& capture = captures_[index];
  const auto size = static_cast<std::size_t>(capture.length < 0 ? 0 : capture.length);
  steps_left_ -= static_cast<std::int64_t>(size);
  step();
  if (text_.substr(s, size) != text_.substr(capture.begin, size)) return kNoMatch;
  return s + size;
}

std::size_t PatternMatcher::open_capture(std::size_t s, std::size_t p, std::ptrdiff_t length) {
  if (capture_count_ == kCapturesMax) throw PatternError("too many captures");
  captures_[capture_count_++] = {s, length};
  const std::size_t end = match(s, p);
  if (end == kNoMatch) --capture_count_;
  return end;
}

std::size_t PatternMatcher::close_capture(std::size_t s, std::size_t p) {
  std::size_t index = capture_count_;
  do {
    if (index == 0) throw PatternError("invalid pattern capture");
    --index;
  } while (captures_[index].length != Capture::kOpen);
  captures_[index].length = static_cast<std::ptrdiff_t>(s - captures_[index].begin);
  const std::size_t end = match(s, p);
  if (end == kNoMatch) captures_[index].length = Capture::kOpen;
  return end;
}

std::size_t PatternMatcher::expand_most(std::size_t s, std::size_t p, std::size_t end) {
  std::size_t count = 0;
  while (matches_one(s + count, p, end))
    ++count;
  for (;; --count) {
    const std::size_t result = match(s + count, end + 1);
    if (result != kNoMatch || count == 0) return result;
  }
}

std::size_t PatternMatcher::expand_least(std::size_t s, std::size_t p, std::size_t end) {
  while (true) {
    const std::size_t result = match(s, end + 1);
    if (result != kNoMatch) return result;
    if (!matches_one(s, p, end)) return kNoMatch;
    ++s;
  }
}

/// The items that are no single-character class; `is_item` tells whether there is one at p.
std::size_t PatternMatcher::match_item(std::size_t s, std::size_t p, bool& is_item) {
  is_item = true;
  const char next = at(p + 1);
  switch (pattern_[p]) {
    case '(':
      if (next == ')') return open_capture(s, p + 2, Capture::kPosition);
      return open_capture(s, p + 1, Capture::kOpen);
    case ')':
      return close_capture(s, p + 1);
    case '$':
      if (p + 1 == pattern_.size()) return s == text_.size() ? s : kNoMatch;
      break;
    case kEscape:
      if (next == 'f') return match_frontier(s, p + 2);
      if (next == 'b') {
        steps_left_ -= static_cast<std::int64_t>(text_.size() - s);
        const std::size_t end = match_balance(s, p + 2);
        return end == kNoMatch ? kNoMatch : match(end, p + 4);
      }
      if (is_digit(static_cast<unsigned char>(next))) {
        const std::size_t end = match_back_reference(s, next);
        return end == kNoMatch ? kNoMatch : match(end, p + 2);
      }
      break;
    default:
      break;
  }
  is_item = false;
  return kNoMatch;
}

std::size_t PatternMatcher::match(std::size_t s, std::size_t p) {
  if (++depth_ > kDepthMax) throw PatternError("pattern too complex");
  std::size_t result = kNoMatch;
  while (true) {
    step();
    if (p == pattern_.size()) {
      result = s;
      break;
    }
    bool is_item = false;
    result = match_item(s, p, is_item);
    if (is_item) break;
    const std::size_t end = class_end(p);
    const char suffix = at(end);
    if (suffix == '*') {
      result = expand_most(s, p, end);
      break;
    }
    if (suffix == '-') {
      result = expand_least(s, p, end);
      break;
    }
    const bool one = matches_one(s, p, end);
    if (suffix == '+') {
      result = one ? expand_most(s + 1, p, end) : kNoMatch;
      break;
    }
    if (suffix == '?') {
      result = one ? match(s + 1, end + 1) : kNoMatch;
      if (result != kNoMatch) break;
      p = end + 1;
      continue;
    }
    if (!one) break;
    ++s;
    p = end;
  }
  --depth_;
  return result;
}

}  // namespace locklab::redis::lua
