// Names of changes.
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

}  // namespace locklab::redis
