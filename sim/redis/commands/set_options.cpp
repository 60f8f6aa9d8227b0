// Which options of SET and GETEX exclude each other, and which expiries are invalid.
// SPDX-License-Identifier: Apache-2.0
#include "sim/redis/commands/set_options.h"

#include <limits>

namespace locklab::redis {
namespace {

constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

ExpiryUnit unit_named(std::string_view name) {
  if (equals_ignoring_case(name, "EX")) return ExpiryUnit::ex;
  if (equals_ignoring_case(name, "PX")) return ExpiryUnit::px;
  if (equals_ignoring_case(name, "EXAT")) return ExpiryUnit::exat;
  if (equals_ignoring_case(name, "PXAT")) return ExpiryUnit::pxat;
  return ExpiryUnit::none;
}

/// Takes an option without value; false: unknown here, or at odds with an earlier one.
bool take_flag(SetOptions& taken, std::string_view name, SetKind kind) {
  if (kind == SetKind::getex) {
    if (!equals_ignoring_case(name, "PERSIST") || taken.unit != ExpiryUnit::none) return false;
    return taken.persist = true;
  }
  if (equals_ignoring_case(name, "NX")) return !taken.xx && (taken.nx = true);
  if (equals_ignoring_case(name, "XX")) return !taken.nx && (taken.xx = true);
  if (equals_ignoring_case(name, "GET")) return taken.get = true;
  if (!equals_ignoring_case(name, "KEEPTTL") || taken.unit != ExpiryUnit::none) return false;
  return taken.keep_ttl = true;
}

}  // namespace

std::optional<SetOptions> parse_set_options(Command options, SetKind kind) {
  SetOptions taken;
  for (std::size_t i = 0; i < options.size(); ++i) {
    const ExpiryUnit unit = unit_named(options[i]);
    if (unit == ExpiryUnit::none) {
      if (!take_flag(taken, options[i], kind)) return std::nullopt;
      continue;
    }
    const bool first = taken.unit == ExpiryUnit::none && !taken.keep_ttl && !taken.persist;
    if (i + 1 == options.size() || !(first || taken.unit == unit)) return std::nullopt;
    taken.unit = unit;
    taken.expiry = options[++i];
  }
  return taken;
}

ExpiryArgument evaluate_expiry(Call& call, const SetOptions& options) {
  if (options.unit == ExpiryUnit::none) return {};
  const std::optional<std::int64_t> value = parse_integer(options.expiry);
  if (!value) return {kNoExpiry, errors::kNotInteger};
  const bool whole_seconds = options.unit == ExpiryUnit::ex || options.unit == ExpiryUnit::exat;
  const bool relative = options.unit == ExpiryUnit::ex || options.unit == ExpiryUnit::px;
  UnixMs when = *value;
  bool valid = when > 0 && !(whole_seconds && when > kMax / 1000);
  if (valid && whole_seconds) when *= 1000;
  if (valid && relative) valid = !__builtin_add_overflow(when, call.now(), &when) && when > 0;
  if (valid) return {when, std::nullopt};
  return {kNoExpiry, Reply::error(call.arena().concat("ERR invalid expire time in '",
                                                      call.spec().name, "' command"))};
}

}  // namespace locklab::redis
