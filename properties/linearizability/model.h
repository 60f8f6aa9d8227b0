// Model: a sequential specification: which operations an object allows one after another.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "properties/linearizability/operation.h"

namespace locklab::linearizability {

enum class Kind : std::uint8_t {
  reg,        // read, write, compare and set; nil at first.
  key_value,  // read, write, append; empty at first.
  queue,      // First in, first out; a dequeue from an empty one returns nil.
  // The locks are Jepsen's for Hazelcast, with its rules for fences.
  mutex,                   // Anybody may release what is held.
  owner_aware_mutex,       // Only the owner may.
  reentrant_mutex,         // The owner may acquire again, up to the limit.
  fenced_mutex,            // Each acquire's fence exceeds all before it.
  reentrant_fenced_mutex,  // Both; on re-entry the fence is that of the hold.
  semaphore                // As many holds at once as the limit says.
};
inline constexpr std::size_t kKinds = 9;

/// Which model, and its limit if it has one.
struct Spec {
  Kind kind = Kind::reg;
  std::uint32_t limit = 2;  // Of re-entry, or of permits; Jepsen's constants.

  bool is_lock() const { return kind >= Kind::mutex; }
  bool has_limit() const;
  bool has(Function function) const;
  friend bool operator==(const Spec&, const Spec&) = default;
};

/// "register", "reentrant-mutex:2".
std::string name_of(const Spec& spec);
/// With the limit or without. Empty: no model has this name, or the limit is not 1 to 65535.
std::optional<Spec> spec_named(std::string_view name);
/// "register", …, in the order of Kind.
const std::array<std::string_view, kKinds>& model_names();

/// States are numbers: equal if and only if the states are. A model that needs more than a number
/// keeps it in a table, so it is a value to be used by one check after another, not by two at once.
class Model {
 public:
  using State = std::uint64_t;

  virtual ~Model() = default;

  virtual State initial() const = 0;
  /// The state after the operation; empty if it cannot have this result in this state. An unknown
  /// result stands for "it took effect": that it need not have is for the checker to know.
  virtual std::optional<State> step(State state, const Operation& operation) = 0;
  /// What its tables hold.
  virtual std::size_t bytes() const { return 0; }
};

/// The names must outlive the model; only key_value looks at them.
std::unique_ptr<Model> make_model(const Spec& spec, const Names& names);

/// With this result it leaves any object as it was. Such an operation may take effect as soon as it
/// can, without another choice: whatever is possible without it stays possible after it.
bool only_looks(const Operation& operation);

}  // namespace locklab::linearizability
