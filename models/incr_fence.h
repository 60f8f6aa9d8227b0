// A fence counted by INCR on the lock's own server.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/set_nx_px.h"

namespace locklab {

constexpr std::string_view kFenceKey = "fence";

/// INCR in a command of its own. → false: it did not count.
inline bool count_fence(Client& client, Lease& lease) {
  client.reach(Label::acq_between);
  const Answer fence = client.redis().incr(kFenceKey);
  if (fence.is_unknown() || fence.is_unreachable() || fence.is_error()) return false;
  lease.fence = static_cast<std::uint32_t>(fence.integer());
  return true;
}

}  // namespace locklab
