// Commands on keys of any type: existence, expiry, listing (redis/src/db.c, redis/src/expire.c).
// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <limits>

#include "sim/redis/call.h"
#include "sim/redis/commands/families.h"
#include "sim/redis/glob.h"

namespace locklab::redis {
namespace {

Reply del(Call& call) {
  std::int64_t deleted = 0;
  for (std::size_t i = 1; i < call.size(); ++i) {
    Entry* entry = call.lookup(call.argument(i));
    if (entry == nullptr) continue;
    call.erase(*entry);
    ++deleted;
  }
  if (deleted > 0) call.propagate();
  return Reply::integer(deleted);
}

Reply exists(Call& call) {
  std::int64_t found = 0;
  for (std::size_t i = 1; i < call.size(); ++i) {
    if (call.lookup(call.argument(i)) != nullptr) ++found;
  }
  return Reply::integer(found);
}

Reply type(Call& call) {
  const Entry* entry = call.lookup(call.argument(1));
  return Reply::status(entry == nullptr ? "none" : type_name(entry->type()));
}

// --- EXPIRE and its kin ----------------------------------------------------------------------

struct ExpireOptions {
  bool nx = false;
  bool xx = false;
  bool gt = false;
  bool lt = false;
};

/// An error, or nothing and `options` filled (redis/src/expire.c
/// parseExtendedExpireArgumentsOrReply).
std::optional<Reply> parse_expire_options(Call& call, ExpireOptions& options) {
  for (std::size_t i = 3; i < call.size(); ++i) {
    const std::string_view name = call.argument(i);
    if (equals_ignoring_case(name, "NX")) {
      options.nx = true;
    } else if (equals_ignoring_case(name, "XX")) {
      options.xx = true;
    } else if (equals_ignoring_case(name, "GT")) {
      options.gt = true;
    } else if (equals_ignoring_case(name, "LT")) {
      options.lt = true;
    } else {
      return Reply::error(call.arena().concat("ERR Unsupported option ", name));
    }
  }
  if (options.nx && (options.xx || options.gt || options.lt)) {
    return Reply::error("ERR NX and XX, GT or LT options at the same time are not compatible");
  }
  if (options.gt && options.lt) {
    return Reply::error("ERR GT and LT options at the same time are not compatible");
  }
  return std::nullopt;
}

/// A key without expiry counts as one that expires never, which GT cannot exceed.
bool allows(const ExpireOptions& options, const Entry& entry, UnixMs when) {
  if (options.nx) return !entry.has_expiry();
  if (options.xx && !entry.has_expiry()) return false;
  if (options.gt) return entry.has_expiry() && when > entry.expiry();
  if (options.lt) return !entry.has_expiry() || when < entry.expiry();
  return true;
}

/// PEXPIREAT with the same options (redis/src/expire.c expireGenericCommand); as it came if it was
/// one.
void propagate_expire(Call& call, UnixMs when, bool absolute_ms) {
  if (absolute_ms) {
    call.propagate();
    return;
  }
  const std::span<std::string_view> argv = call.arena().make_array<std::string_view>(call.size());
  for (std::size_t i = 0; i < call.size(); ++i)
    argv[i] = call.argument(i);
  argv[0] = "PEXPIREAT";
  argv[2] = format_integer(when, call.arena());
  call.propagate(argv);
}

/// The absolute time that the argument means; nullopt: not representable.
std::optional<UnixMs> absolute(std::int64_t value, bool whole_seconds, UnixMs base) {
  UnixMs when = value;
  if (whole_seconds && __builtin_mul_overflow(when, std::int64_t{1000}, &when)) {
    return std::nullopt;
  }
  if (__builtin_add_overflow(when, base, &when)) return std::nullopt;
  return when;
}

Reply expire_generic(Call& call, UnixMs base, bool whole_seconds) {
  ExpireOptions options;
  if (std::optional<Reply> error = parse_expire_options(call, options)) return *error;
  const std::optional<std::int64_t> value = parse_integer(call.argument(2));
  if (!value) return errors::kNotInteger;
  const std::optional<UnixMs> when = absolute(*value, whole_seconds, base);
  if (!when) {
    return Reply::error(
        call.arena().concat("ERR invalid expire time in '", call.spec().name, "' command"));
  }
  Entry* entry = call.lookup(call.argument(1));
  if (entry == nullptr || !allows(options, *entry, *when)) return Reply::integer(0);
  if (call.expiry_means_deletion(*when)) {
    call.propagate({"DEL", entry->key()});
    call.erase(*entry);
    return Reply::integer(1);
  }
  call.set_expiry(*entry, *when);
  propagate_expire(call, *when, base == 0 && !whole_seconds);
  return Reply::integer(1);
}

Reply expire_command(Call& call) {
  return expire_generic(call, call.now(), true);
}
Reply pexpire(Call& call) {
  return expire_generic(call, call.now(), false);
}
Reply expireat(Call& call) {
  return expire_generic(call, 0, true);
}
Reply pexpireat(Call& call) {
  return expire_generic(call, 0, false);
}

Reply persist(Call& call) {
  Entry* entry = call.lookup(call.argument(1));
  if (entry == nullptr || !entry->has_expiry()) return Reply::integer(0);
  call.persist(*entry);
  call.propagate();
  return Reply::integer(1);
}

/// Rounded half up, so that 499 ms are 0 s. Unsigned, as the sum may pass the range of int64.
std::int64_t to_seconds(std::int64_t ms) {
  return static_cast<std::int64_t>((static_cast<std::uint64_t>(ms) + 500) / 1000);
}

Reply ttl_generic(Call& call, bool absolute_time, bool whole_seconds) {
  const Entry* entry = call.lookup(call.argument(1));
  if (entry == nullptr) return Reply::integer(-2);
  if (!entry->has_expiry()) return Reply::integer(-1);
  std::int64_t ms = entry->expiry();
  if (!absolute_time) ms = std::max<std::int64_t>(ms - call.now(), 0);
  return Reply::integer(whole_seconds ? to_seconds(ms) : ms);
}

Reply ttl(Call& call) {
  return ttl_generic(call, false, true);
}
Reply pttl(Call& call) {
  return ttl_generic(call, false, false);
}
Reply expiretime(Call& call) {
  return ttl_generic(call, true, true);
}
Reply pexpiretime(Call& call) {
  return ttl_generic(call, true, false);
}

// --- Listing and flushing --------------------------------------------------------------------

/// Sorted, where Redis lists in hash order. Hides expired keys without deleting them.
Reply keys(Call& call) {
  const std::vector<const Entry*> entries = call.keys().sorted();
  const std::span<Reply> names = call.arena().make_array<Reply>(entries.size());
  std::size_t size = 0;
  for (const Entry* entry : entries) {
    if (call.hides(*entry) || !glob_matches(call.argument(1), entry->key())) continue;
    names[size++] = call.bulk(entry->key());
  }
  return Reply::array(names.first(size));
}

Reply dbsize(Call& call) {
  return Reply::integer(static_cast<std::int64_t>(call.keys().size()));
}

Reply flush(Call& call) {
  const bool known =
      call.size() == 1 || (call.size() == 2 && (equals_ignoring_case(call.argument(1), "SYNC") ||
                                                equals_ignoring_case(call.argument(1), "ASYNC")));
  if (!known) return errors::kSyntax;
  for (const Entry* entry : call.keys().sorted())
    call.erase(*call.keys().find(entry->key()));
  call.propagate();
  return Reply::ok();
}

constexpr std::array kRows = {
    CommandSpec{"del", -2, kWrite, del},
    CommandSpec{"unlink", -2, kWrite, del},
    CommandSpec{"exists", -2, kReadOnly, exists},
    CommandSpec{"touch", -2, kReadOnly, exists},
    CommandSpec{"type", 2, kReadOnly, type},
    CommandSpec{"expire", -3, kWrite, expire_command},
    CommandSpec{"pexpire", -3, kWrite, pexpire},
    CommandSpec{"expireat", -3, kWrite, expireat},
    CommandSpec{"pexpireat", -3, kWrite, pexpireat},
    CommandSpec{"persist", 2, kWrite, persist},
    CommandSpec{"ttl", 2, kReadOnly, ttl},
    CommandSpec{"pttl", 2, kReadOnly, pttl},
    CommandSpec{"expiretime", 2, kReadOnly, expiretime},
    CommandSpec{"pexpiretime", 2, kReadOnly, pexpiretime},
    CommandSpec{"keys", 2, kReadOnly, keys},
    CommandSpec{"dbsize", 1, kReadOnly, dbsize},
    CommandSpec{"flushall", -1, kWrite, flush},
    CommandSpec{"flushdb", -1, kWrite, flush},
};

}  // namespace

std::span<const CommandSpec> key_commands() {
  return kRows;
}

}  // namespace locklab::redis
