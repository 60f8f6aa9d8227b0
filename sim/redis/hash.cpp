// Hash: searching, setting and removing fields.
// SPDX-License-Identifier: Apache-2.0
#include "sim/redis/hash.h"

#include <algorithm>

namespace locklab::redis {

const Hash::Field* Hash::find(std::string_view name) const {
  for (const Field& field : fields()) {
    if (field.name == name) return &field;
  }
  return nullptr;
}

bool Hash::set(std::string_view name, std::string_view value) {
  if (const Field* found = find(name)) {
    fields_[static_cast<std::size_t>(found - fields_.data())].value = value;
    return false;
  }
  if (size_ == fields_.size()) fields_.emplace_back();
  fields_[size_].name = name;
  fields_[size_].value = value;
  ++size_;
  return true;
}

bool Hash::erase(std::string_view name) {
  const Field* found = find(name);
  if (found == nullptr) return false;
  const auto place = fields_.begin() + (found - fields_.data());
  std::rotate(place, place + 1, fields_.begin() + static_cast<std::ptrdiff_t>(size_));
  --size_;
  return true;
}

}  // namespace locklab::redis
