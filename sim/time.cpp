// Time: durations as text.
// SPDX-License-Identifier: Apache-2.0
#include "sim/time.h"

#include <array>
#include <ostream>

namespace locklab {
namespace {

struct Unit {
  std::string_view name;
  std::int64_t nanoseconds;
};
// Longest first, so that to_string finds the largest unit that divides evenly.
constexpr std::array<Unit, 6> kUnits = {{{"h", 3'600'000'000'000},
                                         {"m", 60'000'000'000},
                                         {"s", 1'000'000'000},
                                         {"ms", 1'000'000},
                                         {"us", 1'000},
                                         {"ns", 1}}};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// Digits up to the first other character; nullopt: none, or more than a int64 holds.
std::optional<std::int64_t> take_digits(std::string_view& text) {
  std::int64_t value = 0;
  std::size_t used = 0;
  while (used < text.size() && is_digit(text[used])) {
    if (__builtin_mul_overflow(value, 10, &value)) return std::nullopt;
    if (__builtin_add_overflow(value, text[used] - '0', &value)) return std::nullopt;
    ++used;
  }
  if (used == 0) return std::nullopt;
  text.remove_prefix(used);
  return value;
}

/// "0.<digits>" of one unit, exactly; nullopt: finer than a nanosecond.
std::optional<std::int64_t> fraction_of(std::string_view digits, std::int64_t unit) {
  std::int64_t total = 0;
  for (const char c : digits) {
    if (unit % 10 != 0) {
      if (c != '0') return std::nullopt;
      continue;
    }
    unit /= 10;
    total += unit * (c - '0');
  }
  return total;
}

/// All decimals that there are, and no more: "518.75ms", "1.5s".
std::string with_fraction(std::int64_t ns, const Unit& unit) {
  const std::int64_t rest = ns % unit.nanoseconds;
  std::string digits = std::to_string((rest < 0 ? -rest : rest) + unit.nanoseconds).substr(1);
  while (digits.back() == '0')
    digits.pop_back();
  return std::to_string(ns / unit.nanoseconds) + "." + digits + std::string(unit.name);
}

std::string decimal_milliseconds(std::int64_t ns) {
  const bool negative = ns < 0;
  const std::uint64_t magnitude =
      negative ? ~static_cast<std::uint64_t>(ns) + 1 : static_cast<std::uint64_t>(ns);
  std::string fraction = std::to_string(magnitude / 1'000 % 1'000);
  fraction.insert(0, 3 - fraction.size(), '0');
  return (negative ? "-" : "") + std::to_string(magnitude / 1'000'000) + "." + fraction + "ms";
}

}  // namespace

std::optional<Duration> parse_duration(std::string_view text) {
  const bool negative = !text.empty() && text.front() == '-';
  if (negative) text.remove_prefix(1);
  const std::optional<std::int64_t> whole = take_digits(text);
  if (!whole) return std::nullopt;

  std::string_view fraction;
  if (!text.empty() && text.front() == '.') {
    text.remove_prefix(1);
    std::size_t end = 0;
    while (end < text.size() && is_digit(text[end]))
      ++end;
    if (end == 0) return std::nullopt;
    fraction = text.substr(0, end);
    text.remove_prefix(end);
  }
  for (const Unit& unit : kUnits) {
    if (text != unit.name) continue;
    std::int64_t ns = 0;
    const std::optional<std::int64_t> part = fraction_of(fraction, unit.nanoseconds);
    if (!part || __builtin_mul_overflow(*whole, unit.nanoseconds, &ns)) return std::nullopt;
    if (__builtin_add_overflow(ns, *part, &ns)) return std::nullopt;
    return nanoseconds(negative ? -ns : ns);
  }
  return std::nullopt;
}

std::string to_string(Duration d) {
  if (d == Duration::forever()) return "forever";
  const std::int64_t ns = TimeAccess::ns(d);
  if (ns == 0) return "0ms";
  for (const Unit& unit : kUnits) {
    if (ns % unit.nanoseconds == 0 && unit.nanoseconds >= 1'000'000) {
      return std::to_string(ns / unit.nanoseconds) + std::string(unit.name);
    }
    // A fraction of a second or millisecond reads better than a long integer of the next unit.
    const bool short_fraction = (unit.name == "s" && ns % 100'000'000 == 0) || unit.name == "ms";
    if (short_fraction && ns / unit.nanoseconds != 0) return with_fraction(ns, unit);
    if (unit.nanoseconds < 1'000'000 && ns % unit.nanoseconds == 0) {
      return std::to_string(ns / unit.nanoseconds) + std::string(unit.name);
    }
  }
  return std::to_string(ns) + "ns";
}

std::string to_string(Instant t) {
  return decimal_milliseconds(TimeAccess::ns(t));
}
std::string to_string(LocalInstant t) {
  return decimal_milliseconds(TimeAccess::ns(t));
}

std::ostream& operator<<(std::ostream& out, Duration d) {
  return out << to_string(d);
}
std::ostream& operator<<(std::ostream& out, Instant t) {
  return out << to_string(t);
}
std::ostream& operator<<(std::ostream& out, LocalInstant t) {
  return out << to_string(t);
}

}  // namespace locklab
