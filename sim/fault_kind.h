// Fault kinds, weakest first: the shrinker replaces a fault by one that stands earlier.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace locklab {

/// What each does: spec of the fault in sim/faults/, docs/faults.md. The order is the kernel
/// contract's; pause and node_pause, kill and node_kill weigh the same.
enum class FaultKind : std::uint8_t {
  none,
  slow,
  lag,
  lost_reply,
  reset,
  stall,
  cancel,
  pause,
  node_pause,
  cut,
  panic,
  kill,
  node_kill,
  host_loss,
  failover,
  evict,
  flush,
  slew,
  rate,
  jump,
  suspend,
  freeze,
  count
};

/// "lost-reply"; "none".
std::string_view name_of(FaultKind kind);
std::optional<FaultKind> fault_kind_named(std::string_view name);

/// A set of kinds, as scenarios and claims list them.
struct FaultKinds {
  std::uint32_t bits = 0;
  constexpr bool has(FaultKind kind) const {
    return (bits >> static_cast<unsigned>(kind) & 1U) != 0;
  }
  constexpr FaultKinds with(FaultKind kind) const {
    return FaultKinds{bits | 1U << static_cast<unsigned>(kind)};
  }
  constexpr bool empty() const { return bits == 0; }
};
/// All but none.
constexpr FaultKinds kAllFaultKinds{(1U << static_cast<unsigned>(FaultKind::count)) - 2};

}  // namespace locklab
