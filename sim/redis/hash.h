// Hash: the value of a hash key, its fields in the order in which they came.
// SPDX-License-Identifier: Apache-2.0
//
// So does Redis list a small hash, which it keeps as a listpack (redis/src/t_hash.c, at most
// hash-max-listpack-entries fields); a large one it lists in hash order. Locks use a handful:
// fields are searched one by one. Removed fields keep their buffers for the next ones.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace locklab::redis {

class Hash {
 public:
  struct Field {
    std::string name;
    std::string value;
  };

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] std::span<const Field> fields() const { return {fields_.data(), size_}; }
  /// nullptr: there is no such field. Valid until the next change.
  [[nodiscard]] const Field* find(std::string_view name) const;
  /// true: the field is new, and stands last.
  bool set(std::string_view name, std::string_view value);
  /// false: there was no such field.
  bool erase(std::string_view name);
  void clear() { size_ = 0; }

 private:
  std::vector<Field> fields_;
  std::size_t size_ = 0;  // Those behind it are spare.
};

}  // namespace locklab::redis
