// Operation: what a client asked of a black box and what it heard back.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace locklab::linearizability {

enum class Function : std::uint8_t { read, write, cas, append, enqueue, dequeue, acquire, release };

/// What the client knows afterwards.
enum class Result : std::uint8_t {
  ok,
  refused,  // It took place and changed nothing: a cas that met another value, a lock that was
            // held.
  unknown   // It may have taken place at any time since it was invoked, or never.
};

/// An index into Names::values. Values are equal if and only if their indices are.
using Value = std::uint32_t;
inline constexpr Value kNil = 0;  // A register that nobody wrote, a queue that had nothing.

/// A place in the order of a history's events.
using Position = std::uint32_t;
inline constexpr Position kNever = std::numeric_limits<Position>::max();

struct Operation {
  std::uint32_t client = 0;  // An index into Names::clients.
  std::uint32_t key = 0;     // The object: an index into Names::keys.
  Function function = Function::read;
  Result result = Result::ok;
  Value input = kNil;      // write, append, enqueue; of a cas the value that it expects.
  Value second = kNil;     // Of a cas the value that it sets.
  Value output = kNil;     // read, dequeue.
  std::int64_t fence = 0;  // Of an acquire that got one. 0: unknown, as in Jepsen's lock models.
  Position invoked = 0;
  Position returned = kNever;  // kNever if and only if the result is unknown.

  bool is_unknown() const { return result == Result::unknown; }
};

/// What Operation's indices mean.
struct Names {
  std::vector<std::string> clients;
  std::vector<std::string> keys;
  std::vector<std::string> values{std::string("nil")};  // values[kNil].
};

struct Event {
  std::uint32_t operation = 0;
  bool is_return = false;
};

/// Operations in the order of their invocations; events in theirs, events[i] being what happened at
/// position i. An operation with an unknown result has no event but its invocation.
struct History {
  std::vector<Operation> operations;
  std::vector<Event> events;
};

/// From operations in any order. Positions need not be dense but must be distinct: with ties the
/// order of two events, and with it the verdict, would be a guess.
History history_of(std::span<const Operation> operations);

/// Those of each key, in the order of the keys, without the empty ones. A history is linearizable
/// if and only if each of its objects' is (Herlihy and Wing, TOPLAS 1990, theorem 1).
std::vector<History> partitioned(const History& history);

std::string_view name_of(Function function);

}  // namespace locklab::linearizability
