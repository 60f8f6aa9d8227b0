// Names of changes, and the text of a value.
// SPDX-License-Identifier: Apache-2.0
#include "sim/redis/effects.h"

#include "sim/contract.h"

namespace locklab::redis {

std::string_view to_string(ChangeKind kind) {
  switch (kind) {
    case ChangeKind::created:
      return "created";
    case ChangeKind::overwritten:
      return "overwritten";
    case ChangeKind::value_changed:
      return "value-changed";
    case ChangeKind::field_removed:
      return "field-removed";
    case ChangeKind::expiry_changed:
      return "expiry-changed";
    case ChangeKind::persisted:
      return "persisted";
    case ChangeKind::deleted:
      return "deleted";
    case ChangeKind::expired:
      return "expired";
  }
  SIM_UNREACHABLE("ChangeKind");
}

std::string_view text_of(const Entry& entry, Arena& arena) {
  if (const std::string* text = entry.string()) return arena.copy(std::string_view(*text));
  std::string_view names;
  for (const Hash::Field& field : entry.hash()->fields()) {
    names = names.empty() ? arena.copy(std::string_view(field.name))
                          : arena.concat(names, " ", field.name);
  }
  return names;
}

}  // namespace locklab::redis
