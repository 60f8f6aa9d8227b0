// Time: what is true (Instant) and what one clock reads (LocalInstant) are different types.
// SPDX-License-Identifier: Apache-2.0
//
// All three types are opaque 64-bit nanoseconds. Arithmetic and comparison go through the types;
// the only ways to an integer are the named conversions at the end of this header. Only LocalClock
// (sim/clock.h) turns one kind of instant into the other.
#pragma once

#include <compare>
#include <cstdint>
#include <iosfwd>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace locklab {

__extension__ using Int128 = __int128;  // For products of two 64-bit quantities.
__extension__ using UInt128 = unsigned __int128;

class Duration {
 public:
  constexpr Duration() = default;
  static constexpr Duration nanoseconds(std::int64_t n) { return Duration(n); }
  /// Longer than any run. Sums and products saturate here, so that "never" stays never.
  static constexpr Duration forever() { return Duration(std::numeric_limits<std::int64_t>::max()); }

  friend constexpr auto operator<=>(Duration, Duration) = default;
  friend constexpr Duration operator+(Duration a, Duration b) {
    return Duration(saturating_add(a.ns_, b.ns_));
  }
  friend constexpr Duration operator-(Duration a, Duration b) {
    return Duration(saturating_add(a.ns_, -b.ns_));
  }
  friend constexpr Duration operator-(Duration a) { return Duration(-a.ns_); }
  friend constexpr Duration operator*(Duration a, std::int64_t factor) {
    std::int64_t product = 0;
    if (!__builtin_mul_overflow(a.ns_, factor, &product)) return Duration(product);
    return (a.ns_ < 0) == (factor < 0) ? forever() : Duration(-forever().ns_);
  }
  friend constexpr Duration operator/(Duration a, std::int64_t divisor) {
    return Duration(a.ns_ / divisor);
  }
  /// a · numerator / denominator, rounded toward zero, without overflow on the way.
  friend constexpr Duration scale(Duration a, std::int64_t numerator, std::int64_t denominator) {
    return Duration(
        static_cast<std::int64_t>(static_cast<Int128>(a.ns_) * numerator / denominator));
  }

 private:
  explicit constexpr Duration(std::int64_t ns) : ns_(ns) {}
  static constexpr std::int64_t saturating_add(std::int64_t a, std::int64_t b) {
    std::int64_t sum = 0;
    if (!__builtin_add_overflow(a, b, &sum)) return sum;
    return b > 0 ? std::numeric_limits<std::int64_t>::max()
                 : -std::numeric_limits<std::int64_t>::max();
  }

  std::int64_t ns_ = 0;

  friend class TimeAccess;
};

constexpr Duration nanoseconds(std::int64_t n) {
  return Duration::nanoseconds(n);
}
constexpr Duration microseconds(std::int64_t n) {
  return nanoseconds(1'000) * n;
}
constexpr Duration milliseconds(std::int64_t n) {
  return nanoseconds(1'000'000) * n;
}
constexpr Duration seconds(std::int64_t n) {
  return nanoseconds(1'000'000'000) * n;
}

inline namespace literals {
constexpr Duration operator""_us(unsigned long long n) {
  return microseconds(static_cast<std::int64_t>(n));
}
constexpr Duration operator""_ms(unsigned long long n) {
  return milliseconds(static_cast<std::int64_t>(n));
}
constexpr Duration operator""_s(unsigned long long n) {
  return seconds(static_cast<std::int64_t>(n));
}
}  // namespace literals

/// A point on a time line; Line tells true time from a clock's reading, so that the two cannot mix.
template <class Line>
class TimePoint {
 public:
  constexpr TimePoint() = default;
  static constexpr TimePoint origin() { return TimePoint(); }
  static constexpr TimePoint never() { return TimePoint() + Duration::forever(); }

  friend constexpr auto operator<=>(TimePoint, TimePoint) = default;
  friend constexpr TimePoint operator+(TimePoint t, Duration d) {
    return TimePoint(t.since_origin_ + d);
  }
  friend constexpr TimePoint operator-(TimePoint t, Duration d) {
    return TimePoint(t.since_origin_ - d);
  }
  friend constexpr Duration operator-(TimePoint a, TimePoint b) {
    return a.since_origin_ - b.since_origin_;
  }

 private:
  explicit constexpr TimePoint(Duration since_origin) : since_origin_(since_origin) {}
  Duration since_origin_;

  friend class TimeAccess;
};

/// True time: nanoseconds since the start of the execution. The simulator and the properties read
/// it.
using Instant = TimePoint<struct TrueTimeLine>;
/// What one clock of one host reads. Processes and nodes know nothing else.
using LocalInstant = TimePoint<struct LocalTimeLine>;

/// The wall clocks of a calm world start here, so that absolute expiry options act as in Redis.
constexpr LocalInstant kWallEpoch = LocalInstant::origin() + milliseconds(1'700'000'000'000);

// --- The only conversions to and from integers ------------------------------------------------

class TimeAccess {
 public:
  static constexpr std::int64_t ns(Duration d) { return d.ns_; }
  template <class Line>
  static constexpr std::int64_t ns(TimePoint<Line> t) {
    return t.since_origin_.ns_;
  }
};

/// The 64 bits that history records, digests and drawings hold. Not for arithmetic.
template <class Time>
constexpr std::int64_t record_bits(Time time) {
  return TimeAccess::ns(time);
}
constexpr Duration duration_from_bits(std::int64_t bits) {
  return nanoseconds(bits);
}
constexpr Instant instant_from_bits(std::int64_t bits) {
  return Instant::origin() + nanoseconds(bits);
}
constexpr LocalInstant local_from_bits(std::int64_t bits) {
  return LocalInstant::origin() + nanoseconds(bits);
}

/// Whole milliseconds, rounded down: the unit of Redis' PX and PTTL.
constexpr std::int64_t whole_milliseconds(Duration d) {
  const std::int64_t ns = TimeAccess::ns(d);
  return ns / 1'000'000 - (ns % 1'000'000 < 0 ? 1 : 0);
}
/// A wall clock's reading as Redis' mstime() gives it: unix milliseconds, rounded down.
constexpr std::int64_t unix_milliseconds(LocalInstant wall) {
  return whole_milliseconds(wall - LocalInstant::origin());
}
/// The same in microseconds: the reading that TIME splits into seconds and a rest.
constexpr std::int64_t unix_microseconds(LocalInstant wall) {
  const std::int64_t ns = TimeAccess::ns(wall - LocalInstant::origin());
  return ns / 1'000 - (ns % 1'000 < 0 ? 1 : 0);
}
constexpr LocalInstant from_unix_milliseconds(std::int64_t ms) {
  return LocalInstant::origin() + milliseconds(ms);
}
/// How often `part` fits wholly into `whole`; part must be positive.
constexpr std::int64_t times_in(Duration part, Duration whole) {
  return TimeAccess::ns(whole) / TimeAccess::ns(part);
}

/// "250ms", "1.5s", "8s", "20us", "2m", "1h", "3ns"; a sign is allowed, a bare number is not.
/// nullopt: not a duration, or out of range.
std::optional<Duration> parse_duration(std::string_view text);
/// The shortest exact form that parse_duration reads back: "1.5s", "250ms", "0ms", "forever".
std::string to_string(Duration d);
/// Milliseconds with three decimals since the origin of the line: "1002.500ms".
std::string to_string(Instant t);
std::string to_string(LocalInstant t);
std::ostream& operator<<(std::ostream& out, Duration d);
std::ostream& operator<<(std::ostream& out, Instant t);
std::ostream& operator<<(std::ostream& out, LocalInstant t);

}  // namespace locklab
