// Identities: actors, holds and spans, as small integers that never depend on a schedule's timing.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>

namespace locklab {

/// Who acts: a process, a node, the resource, … 0 is the world itself. Dense, in order of creation.
struct ActorId {
  std::uint16_t value = 0;
  friend constexpr auto operator<=>(ActorId, ActorId) = default;
};
constexpr ActorId kWorldActor{};

enum class ActorKind : std::uint8_t { world, process, node, counter, resource, orchestrator };

/// A machine: owns the clocks of the actors that live on it. Dense, in order of creation.
struct HostId {
  std::uint16_t value = 0;
  friend constexpr auto operator<=>(HostId, HostId) = default;
};

/// A program numbers its operations on, but each round of attempts, and each section, begins at the
/// next multiple of these: how often it polled in one place does not renumber what comes later, so
/// that a deviation there keeps its address when another one is deleted (docs/decisions/0002).
constexpr std::uint32_t kOperationsPerRound = 64;
constexpr std::uint32_t kOperationsPerHalf = kOperationsPerRound / 2;

/// One logical ownership, named by the acquire operation that asked for it: process and operation
/// number. 0: none. It exists from the operation's begin, whether or not the lock is ever granted.
struct HoldId {
  std::uint32_t value = 0;
  static constexpr HoldId of(ActorId process, std::uint32_t operation) {
    return HoldId{static_cast<std::uint32_t>(process.value) << 16 | (operation & 0xffff)};
  }
  constexpr ActorId process() const { return ActorId{static_cast<std::uint16_t>(value >> 16)}; }
  /// For people: which of the process's rounds it belongs to, from 1 (kOperationsPerRound).
  constexpr std::uint32_t number() const { return (value & 0xffff) / kOperationsPerRound + 1; }
  constexpr explicit operator bool() const { return value != 0; }
  friend constexpr auto operator<=>(HoldId, HoldId) = default;
};

/// The cause of a piece of work (kernel contract, "Choices"): the client operation in progress, as
/// (process, fiber, operation, attempt). Messages, server work and replication inherit it, so that
/// another client's traffic never renumbers their choices. Work without a client cause has its
/// actor as its span: fiber, operation and attempt are then 0.
struct Span {
  std::uint64_t bits = 0;
  static constexpr Span of_actor(ActorId actor) {
    return Span{static_cast<std::uint64_t>(actor.value) << 48};
  }
  static constexpr Span of_operation(ActorId process, std::uint8_t fiber, std::uint16_t operation,
                                     std::uint16_t attempt) {
    return Span{static_cast<std::uint64_t>(process.value) << 48 |
                static_cast<std::uint64_t>(fiber) << 40 |
                static_cast<std::uint64_t>(operation) << 16 | attempt};
  }
  constexpr ActorId actor() const { return ActorId{static_cast<std::uint16_t>(bits >> 48)}; }
  constexpr std::uint8_t fiber() const { return static_cast<std::uint8_t>(bits >> 40); }
  constexpr std::uint16_t operation() const { return static_cast<std::uint16_t>(bits >> 16); }
  constexpr std::uint16_t attempt() const { return static_cast<std::uint16_t>(bits); }
  /// The hold that this operation asks for; none when no client operation is the cause.
  constexpr HoldId hold() const {
    return operation() == 0 ? HoldId{} : HoldId::of(actor(), operation());
  }
  friend constexpr auto operator<=>(Span, Span) = default;
};

/// An interned string of one execution; 0 is the empty string.
struct TextId {
  std::uint32_t value = 0;
  friend constexpr auto operator<=>(TextId, TextId) = default;
};

}  // namespace locklab
