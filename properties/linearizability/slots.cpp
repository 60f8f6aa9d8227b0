// Slots: the lowest free one for each invocation.
// SPDX-License-Identifier: Apache-2.0

#include "properties/linearizability/slots.h"

#include <map>
#include <tuple>

#include "properties/linearizability/model.h"

namespace locklab::linearizability {

Slots::Slots(const History& history)
    : of(history.operations.size(), kNone), twin(history.operations.size(), kNoOperation) {
  using Alike = std::tuple<Function, Value, Value, std::uint32_t>;
  std::map<Alike, std::uint32_t> last_unknown;
  std::vector<std::uint32_t> free;
  for (const Event& event : history.events) {
    const Operation& operation = history.operations[event.operation];
    if (operation.is_unknown() && only_looks(operation)) continue;
    if (event.is_return) {
      free.push_back(of[event.operation]);
      continue;
    }
    if (free.empty()) free.push_back(static_cast<std::uint32_t>(count++));
    const std::uint32_t slot = free.back();
    free.pop_back();
    of[event.operation] = slot;
    if (!operation.is_unknown()) continue;
    // To a lock it matters who asks; to nothing else does it.
    const bool lock = operation.function >= Function::acquire;
    const Alike alike{operation.function, operation.input, operation.second,
                      lock ? operation.client : 0};
    const auto [found, is_new] = last_unknown.try_emplace(alike, event.operation);
    if (is_new) continue;
    twin[event.operation] = found->second;
    found->second = event.operation;
  }
}

}  // namespace locklab::linearizability
