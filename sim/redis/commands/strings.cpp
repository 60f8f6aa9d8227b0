// SET with all its options, GET and their kin: redis/src/t_string.c.
// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <limits>

#include "sim/contract.h"
#include "sim/redis/call.h"
#include "sim/redis/commands/families.h"
#include "sim/redis/commands/set_options.h"

namespace locklab::redis {
namespace {

Reply string_reply(Call& call, Entry* entry) {
  if (entry == nullptr) return Reply::nil();
  const std::string* text = entry->string();
  return text == nullptr ? errors::kWrongType : call.bulk(*text);
}

/// SET with GET is propagated without GET (redis/src/t_string.c setGenericCommand).
void propagate_without_get(Call& call) {
  const std::span<std::string_view> argv = call.arena().make_array<std::string_view>(call.size());
  std::size_t size = 0;
  for (std::size_t i = 0; i < call.size(); ++i) {
    if (i >= 3 && equals_ignoring_case(call.argument(i), "GET")) continue;
    argv[size++] = call.argument(i);
  }
  call.propagate(argv.first(size));
}

void propagate_set(Call& call, std::string_view key, std::string_view value,
                   const SetOptions& options, UnixMs when) {
  if (when != kNoExpiry) {
    call.propagate({"SET", key, value, "PXAT", format_integer(when, call.arena())});
  } else if (options.get) {
    propagate_without_get(call);
  } else {
    call.propagate();
  }
}

/// The common body of SET, SETNX, SETEX and PSETEX. `refused` answers a failed NX or XX.
Reply set_generic(Call& call, std::string_view value, const SetOptions& options, Reply done,
                  Reply refused) {
  const std::string_view key = call.argument(1);
  // The expiry is judged before any lookup: an invalid one wins over NX and over WRONGTYPE.
  const ExpiryArgument expiry = evaluate_expiry(call, options);
  if (expiry.error) return *expiry.error;
  Entry* entry = call.lookup(key);
  Reply old;
  if (options.get) {
    old = string_reply(call, entry);
    if (old.is_error()) return old;
  }
  if ((options.nx && entry != nullptr) || (options.xx && entry == nullptr)) {
    return options.get ? old : refused;
  }
  const bool keep = options.keep_ttl && entry != nullptr;
  const UnixMs when = keep ? entry->expiry() : expiry.when;
  call.store(entry, key, value, when, keep ? Incarnation::continued : Incarnation::fresh);
  propagate_set(call, key, value, options, expiry.when);
  return options.get ? old : done;
}

Reply set(Call& call) {
  const std::optional<SetOptions> options = parse_set_options(call.argv().subspan(3), SetKind::set);
  if (!options) return errors::kSyntax;
  return set_generic(call, call.argument(2), *options, Reply::ok(), Reply::nil());
}

Reply setnx(Call& call) {
  SetOptions options;
  options.nx = true;
  return set_generic(call, call.argument(2), options, Reply::integer(1), Reply::integer(0));
}

Reply setex(Call& call) {
  SetOptions options;
  options.unit = ExpiryUnit::ex;
  options.expiry = call.argument(2);
  return set_generic(call, call.argument(3), options, Reply::ok(), Reply::nil());
}

Reply psetex(Call& call) {
  SetOptions options;
  options.unit = ExpiryUnit::px;
  options.expiry = call.argument(2);
  return set_generic(call, call.argument(3), options, Reply::ok(), Reply::nil());
}

Reply get(Call& call) {
  return string_reply(call, call.lookup(call.argument(1)));
}

Reply getset(Call& call) {
  const std::string_view key = call.argument(1);
  Entry* entry = call.lookup(key);
  const Reply old = string_reply(call, entry);
  if (old.is_error()) return old;
  call.store(entry, key, call.argument(2), kNoExpiry, Incarnation::fresh);
  call.propagate({"SET", key, call.argument(2)});
  return old;
}

Reply getdel(Call& call) {
  Entry* entry = call.lookup(call.argument(1));
  const Reply old = string_reply(call, entry);
  if (old.kind() != ReplyKind::bulk) return old;
  call.erase(*entry);
  call.propagate({"DEL", call.argument(1)});
  return old;
}

Reply getex(Call& call) {
  const std::string_view key = call.argument(1);
  const std::optional<SetOptions> options =
      parse_set_options(call.argv().subspan(2), SetKind::getex);
  if (!options) return errors::kSyntax;
  Entry* entry = call.lookup(key);
  const Reply old = string_reply(call, entry);
  if (old.kind() != ReplyKind::bulk) return old;
  const ExpiryArgument expiry = evaluate_expiry(call, *options);
  if (expiry.error) return *expiry.error;
  if (expiry.when != kNoExpiry && call.expiry_means_deletion(expiry.when)) {
    call.erase(*entry);
    call.propagate({"DEL", key});
  } else if (expiry.when != kNoExpiry) {
    call.set_expiry(*entry, expiry.when);
    call.propagate({"PEXPIREAT", key, format_integer(expiry.when, call.arena())});
  } else if (options->persist && entry->has_expiry()) {
    call.persist(*entry);
    call.propagate({"PERSIST", key});
  }
  return old;
}

Reply increment(Call& call, std::int64_t by) {
  const std::string_view key = call.argument(1);
  Entry* entry = call.lookup(key);
  std::int64_t value = 0;
  if (entry != nullptr) {
    if (entry->string() == nullptr) return errors::kWrongType;
    const std::optional<std::int64_t> stored = parse_integer(*entry->string());
    if (!stored) return errors::kNotInteger;
    value = *stored;
  }
  if (__builtin_add_overflow(value, by, &value)) return errors::kOverflow;
  call.store(entry, key, format_integer(value, call.arena()),
             entry == nullptr ? kNoExpiry : entry->expiry(), Incarnation::continued);
  call.propagate();
  return Reply::integer(value);
}

Reply incr(Call& call) {
  return increment(call, 1);
}
Reply decr(Call& call) {
  return increment(call, -1);
}

Reply incrby(Call& call) {
  const std::optional<std::int64_t> by = parse_integer(call.argument(2));
  return by ? increment(call, *by) : errors::kNotInteger;
}

Reply decrby(Call& call) {
  const std::optional<std::int64_t> by = parse_integer(call.argument(2));
  if (!by) return errors::kNotInteger;
  if (*by == std::numeric_limits<std::int64_t>::min()) {
    return Reply::error("ERR decrement would overflow");
  }
  return increment(call, -*by);
}

Reply append(Call& call) {
  const std::string_view key = call.argument(1);
  const std::string_view suffix = call.argument(2);
  Entry* entry = call.lookup(key);
  if (entry != nullptr && entry->string() == nullptr) return errors::kWrongType;
  const std::string_view old = entry == nullptr ? std::string_view() : *entry->string();
  const std::string_view whole = call.arena().concat(old, suffix);
  call.store(entry, key, whole, entry == nullptr ? kNoExpiry : entry->expiry(),
             Incarnation::continued);
  call.propagate();
  return Reply::integer(static_cast<std::int64_t>(whole.size()));
}

Reply strlen(Call& call) {
  const Entry* entry = call.lookup(call.argument(1));
  if (entry == nullptr) return Reply::integer(0);
  if (entry->string() == nullptr) return errors::kWrongType;
  return Reply::integer(static_cast<std::int64_t>(entry->string()->size()));
}

/// Bounds count from the end when negative, and are cut to the string (t_string.c getrangeCommand).
Reply getrange(Call& call) {
  const std::optional<std::int64_t> first = parse_integer(call.argument(2));
  const std::optional<std::int64_t> last = parse_integer(call.argument(3));
  if (!first || !last) return errors::kNotInteger;
  const Entry* entry = call.lookup(call.argument(1));
  if (entry == nullptr) return Reply::bulk("");
  if (entry->string() == nullptr) return errors::kWrongType;
  const std::string_view text = *entry->string();
  const auto size = static_cast<std::int64_t>(text.size());
  if (*first < 0 && *last < 0 && *first > *last) return Reply::bulk("");
  const auto from = std::max<std::int64_t>(*first < 0 ? size + *first : *first, 0);
  const auto to = std::min(std::max<std::int64_t>(*last < 0 ? size + *last : *last, 0), size - 1);
  if (from > to || size == 0) return Reply::bulk("");
  return call.bulk(
      text.substr(static_cast<std::size_t>(from), static_cast<std::size_t>(to - from + 1)));
}

Reply mget(Call& call) {
  const std::span<Reply> values = call.arena().make_array<Reply>(call.size() - 1);
  for (std::size_t i = 1; i < call.size(); ++i) {
    const Reply value = string_reply(call, call.lookup(call.argument(i)));
    values[i - 1] = value.is_error() ? Reply::nil() : value;
  }
  return Reply::array(values);
}

std::optional<Reply> odd_pairs(Call& call) {
  if (call.size() % 2 == 1) return std::nullopt;
  return Reply::error(
      call.arena().concat("ERR wrong number of arguments for '", call.spec().name, "' command"));
}

void store_pairs(Call& call) {
  for (std::size_t i = 1; i < call.size(); i += 2) {
    const std::string_view key = call.argument(i);
    call.store(call.lookup(key), key, call.argument(i + 1), kNoExpiry, Incarnation::fresh);
  }
  call.propagate();
}

Reply mset(Call& call) {
  if (std::optional<Reply> error = odd_pairs(call)) return *error;
  store_pairs(call);
  return Reply::ok();
}

Reply msetnx(Call& call) {
  if (std::optional<Reply> error = odd_pairs(call)) return *error;
  for (std::size_t i = 1; i < call.size(); i += 2) {
    if (call.lookup(call.argument(i)) != nullptr) return Reply::integer(0);
  }
  store_pairs(call);
  return Reply::integer(1);
}

constexpr std::uint32_t kGrow = kWrite | kDenyOom;

constexpr std::array kRows = {
    CommandSpec{"set", -3, kGrow, set},
    CommandSpec{"setnx", 3, kGrow, setnx},
    CommandSpec{"setex", 4, kGrow, setex},
    CommandSpec{"psetex", 4, kGrow, psetex},
    CommandSpec{"get", 2, kReadOnly, get},
    CommandSpec{"getset", 3, kGrow, getset},
    CommandSpec{"getdel", 2, kWrite, getdel},
    CommandSpec{"getex", -2, kWrite, getex},
    CommandSpec{"getrange", 4, kReadOnly, getrange},
    CommandSpec{"incr", 2, kGrow, incr},
    CommandSpec{"decr", 2, kGrow, decr},
    CommandSpec{"incrby", 3, kGrow, incrby},
    CommandSpec{"decrby", 3, kGrow, decrby},
    CommandSpec{"append", 3, kGrow, append},
    CommandSpec{"strlen", 2, kReadOnly, strlen},
    CommandSpec{"mget", -2, kReadOnly, mget},
    CommandSpec{"mset", -3, kGrow, mset},
    CommandSpec{"msetnx", -3, kGrow, msetnx},
};

}  // namespace

std::span<const CommandSpec> string_commands() {
  return kRows;
}

}  // namespace locklab::redis
