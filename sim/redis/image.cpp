// Image: made from a keyspace, and loaded into one.
// SPDX-License-Identifier: Apache-2.0
#include "sim/redis/image.h"

namespace locklab::redis {
namespace {

Command value_of(const Entry& entry, Arena& arena) {
  const Hash* hash = entry.hash();
  const std::size_t parts = hash == nullptr ? 1 : hash->size() * 2;
  const std::span<std::string_view> value = arena.make_array<std::string_view>(parts);
  if (hash == nullptr) {
    value[0] = arena.copy(std::string_view(*entry.string()));
    return value;
  }
  std::size_t size = 0;
  for (const Hash::Field& field : hash->fields()) {
    value[size++] = arena.copy(std::string_view(field.name));
    value[size++] = arena.copy(std::string_view(field.value));
  }
  return value;
}

}  // namespace

std::span<const KeyImage> image_of(const Keyspace& keys, Arena& arena) {
  const std::vector<const Entry*> entries = keys.sorted();
  const std::span<KeyImage> image = arena.make_array<KeyImage>(entries.size());
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const Entry& entry = *entries[i];
    image[i] = {arena.copy(entry.key()), entry.type(), value_of(entry, arena), entry.expiry(),
                entry.creator};
  }
  return image;
}

void load(Keyspace& keys, std::span<const KeyImage> image) {
  keys.clear();
  for (const KeyImage& key : image) {
    Entry& entry = keys.insert(key.key);
    if (key.type == ValueType::string) {
      entry.set_string(key.value[0]);
    } else {
      Hash& hash = entry.make_hash();
      for (std::size_t i = 0; i < key.value.size(); i += 2)
        hash.set(key.value[i], key.value[i + 1]);
    }
    entry.creator = key.creator;
    if (key.expiry != kNoExpiry) keys.set_expiry(entry, key.expiry);
  }
}

}  // namespace locklab::redis
