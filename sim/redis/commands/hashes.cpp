// Commands on hashes, in which reentrant locks keep a count per owner: redis/src/t_hash.c.
// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "sim/redis/call.h"
#include "sim/redis/commands/families.h"

namespace locklab::redis {
namespace {

/// The hash under argv[1] as a reader finds it: absent, or of another type, or there.
struct Found {
  Entry* entry = nullptr;
  const Hash* hash = nullptr;
  bool wrong_type = false;
};

Found find_hash(Call& call) {
  Found found;
  found.entry = call.lookup(call.argument(1));
  if (found.entry == nullptr) return found;
  found.hash = found.entry->hash();
  found.wrong_type = found.hash == nullptr;
  return found;
}

const Hash::Field* field_in(const Hash* hash, std::string_view name) {
  return hash == nullptr ? nullptr : hash->find(name);
}

Reply value_reply(Call& call, const Hash* hash, std::string_view name) {
  const Hash::Field* field = field_in(hash, name);
  return field == nullptr ? Reply::nil() : call.bulk(field->value);
}

std::optional<Reply> odd_pairs(Call& call) {
  if (call.size() % 2 == 0) return std::nullopt;
  return Reply::error(
      call.arena().concat("ERR wrong number of arguments for '", call.spec().name, "' command"));
}

Reply hset(Call& call) {
  if (std::optional<Reply> error = odd_pairs(call)) return *error;
  const Found found = find_hash(call);
  if (found.wrong_type) return errors::kWrongType;
  const std::int64_t added =
      call.store_fields(found.entry, call.argument(1), call.argv().subspan(2));
  call.propagate();
  return Reply::integer(added);
}

/// HSET of old times, which answers OK.
Reply hmset(Call& call) {
  const Reply reply = hset(call);
  return reply.is_error() ? reply : Reply::ok();
}

Reply hsetnx(Call& call) {
  const Found found = find_hash(call);
  if (found.wrong_type) return errors::kWrongType;
  if (field_in(found.hash, call.argument(2)) != nullptr) return Reply::integer(0);
  call.store_fields(found.entry, call.argument(1), call.argv().subspan(2));
  call.propagate();
  return Reply::integer(1);
}

Reply hincrby(Call& call) {
  // The increment is judged before the key: it wins over WRONGTYPE.
  const std::optional<std::int64_t> by = parse_integer(call.argument(3));
  if (!by) return errors::kNotInteger;
  const Found found = find_hash(call);
  if (found.wrong_type) return errors::kWrongType;
  std::int64_t value = 0;
  if (const Hash::Field* field = field_in(found.hash, call.argument(2))) {
    const std::optional<std::int64_t> stored = parse_integer(field->value);
    if (!stored) return Reply::error("ERR hash value is not an integer");
    value = *stored;
  }
  if (__builtin_add_overflow(value, *by, &value)) return errors::kOverflow;
  const std::string_view pair[] = {call.argument(2), format_integer(value, call.arena())};
  call.store_fields(found.entry, call.argument(1), pair);
  call.propagate();
  return Reply::integer(value);
}

Reply hdel(Call& call) {
  const Found found = find_hash(call);
  if (found.wrong_type) return errors::kWrongType;
  if (found.entry == nullptr) return Reply::integer(0);
  std::int64_t deleted = 0;
  for (std::size_t i = 2; i < call.size(); ++i) {
    const bool last = found.hash->size() == 1;
    if (!call.erase_field(*found.entry, call.argument(i))) continue;
    ++deleted;
    if (last) break;  // The key is gone.
  }
  if (deleted > 0) call.propagate();
  return Reply::integer(deleted);
}

Reply hget(Call& call) {
  const Found found = find_hash(call);
  if (found.wrong_type) return errors::kWrongType;
  return value_reply(call, found.hash, call.argument(2));
}

Reply hmget(Call& call) {
  const Found found = find_hash(call);
  if (found.wrong_type) return errors::kWrongType;
  const std::span<Reply> values = call.arena().make_array<Reply>(call.size() - 2);
  for (std::size_t i = 2; i < call.size(); ++i)
    values[i - 2] = value_reply(call, found.hash, call.argument(i));
  return Reply::array(values);
}

Reply hexists(Call& call) {
  const Found found = find_hash(call);
  if (found.wrong_type) return errors::kWrongType;
  return Reply::boolean(field_in(found.hash, call.argument(2)) != nullptr);
}

Reply hlen(Call& call) {
  const Found found = find_hash(call);
  if (found.wrong_type) return errors::kWrongType;
  return Reply::integer(found.hash == nullptr ? 0 : static_cast<std::int64_t>(found.hash->size()));
}

Reply hstrlen(Call& call) {
  const Found found = find_hash(call);
  if (found.wrong_type) return errors::kWrongType;
  const Hash::Field* field = field_in(found.hash, call.argument(2));
  return Reply::integer(field == nullptr ? 0 : static_cast<std::int64_t>(field->value.size()));
}

/// Names, values, or both in turn.
Reply list(Call& call, bool names, bool values) {
  const Found found = find_hash(call);
  if (found.wrong_type) return errors::kWrongType;
  if (found.hash == nullptr) return Reply::array({});
  const std::size_t per_field = names && values ? 2 : 1;
  const std::span<Reply> parts = call.arena().make_array<Reply>(found.hash->size() * per_field);
  std::size_t size = 0;
  for (const Hash::Field& field : found.hash->fields()) {
    if (names) parts[size++] = call.bulk(field.name);
    if (values) parts[size++] = call.bulk(field.value);
  }
  return Reply::array(parts);
}

Reply hgetall(Call& call) {
  return list(call, true, true);
}
Reply hkeys(Call& call) {
  return list(call, true, false);
}
Reply hvals(Call& call) {
  return list(call, false, true);
}

constexpr std::uint32_t kGrow = kWrite | kDenyOom;

constexpr std::array kRows = {
    CommandSpec{"hset", -4, kGrow, hset},          CommandSpec{"hmset", -4, kGrow, hmset},
    CommandSpec{"hsetnx", 4, kGrow, hsetnx},       CommandSpec{"hincrby", 4, kGrow, hincrby},
    CommandSpec{"hdel", -3, kWrite, hdel},         CommandSpec{"hget", 3, kReadOnly, hget},
    CommandSpec{"hmget", -3, kReadOnly, hmget},    CommandSpec{"hexists", 3, kReadOnly, hexists},
    CommandSpec{"hlen", 2, kReadOnly, hlen},       CommandSpec{"hstrlen", 3, kReadOnly, hstrlen},
    CommandSpec{"hgetall", 2, kReadOnly, hgetall}, CommandSpec{"hkeys", 2, kReadOnly, hkeys},
    CommandSpec{"hvals", 2, kReadOnly, hvals},
};

}  // namespace

std::span<const CommandSpec> hash_commands() {
  return kRows;
}

}  // namespace locklab::redis
