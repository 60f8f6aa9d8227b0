// Lua 5.1 patterns with a budget: backtracking can take exponential time, a simulation must not.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string_view>

namespace locklab::redis::lua {

/// A malformed pattern, or one that exceeds a limit; the message is that of Lua 5.1 where it has
/// one.
class PatternError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What one pair of parentheses matched.
struct Capture {
  static constexpr std::ptrdiff_t kPosition = -2;  // "()" captures where it stands.
  static constexpr std::ptrdiff_t kOpen = -1;      // Its end has not been met.
  std::size_t begin = 0;
  std::ptrdiff_t length = kOpen;
};

/// One pattern tried on one text. Matching state is in the object: one thread, one match at a time.
class PatternMatcher {
 public:
  static constexpr std::size_t kCapturesMax = 32;  // LUA_MAXCAPTURES
  /// Nested attempts; Lua 5.1 has no bound here and overflows the C stack. Lua 5.2 allows 200.
  static constexpr int kDepthMax = 200;
  static constexpr std::size_t kNoMatch = static_cast<std::size_t>(-1);

  /// `steps_max`: comparisons that may be made in all before a PatternError.
  PatternMatcher(std::string_view text, std::string_view pattern, std::int64_t steps_max)
      : text_(text), pattern_(pattern), steps_left_(steps_max) {}

  /// Tries to match the pattern, '^' not included, at text[begin]. Returns the end of the match or
  /// kNoMatch; captures() tells the rest.
  std::size_t match_at(std::size_t begin);

  [[nodiscard]] std::size_t capture_count() const { return capture_count_; }
  /// Throws PatternError when the capture is unfinished.
  [[nodiscard]] const Capture& capture(std::size_t index) const;
  [[nodiscard]] std::int64_t steps_left() const { return steps_left_; }

 private:
  std::size_t match(std::size_t s, std::size_t p);
  std::size_t match_item(std::size_t s, std::size_t p, bool& is_item);
  std::size_t match_balance(std::size_t s, std::size_t p) const;
  std::size_t match_frontier(std::size_t s, std::size_t p);
  std::size_t match_back_reference(std::size_t s, char digit);
  std::size_t open_capture(std::size_t s, std::size_t p, std::ptrdiff_t length);
  std::size_t close_capture(std::size_t s, std::size_t p);
  std::size_t expand_most(std::size_t s, std::size_t p, std::size_t end);
  std::size_t expand_least(std::size_t s, std::size_t p, std::size_t end);
  [[nodiscard]] std::size_t class_end(std::size_t p) const;
  [[nodiscard]] bool matches_one(std::size_t s, std::size_t p, std::size_t end);
  [[nodiscard]] bool in_set(unsigned char c, std::size_t p, std::size_t last) const;
  [[nodiscard]] char at(std::size_t p) const { return p < pattern_.size() ? pattern_[p] : '\0'; }
  void step();

  std::string_view text_;
  std::string_view pattern_;
  std::int64_t steps_left_;
  std::array<Capture, kCapturesMax> captures_{};
  std::size_t capture_count_ = 0;
  int depth_ = 0;
};

}  // namespace locklab::redis::lua
