// Reductions: the steps from a history to a part of it that fails only if the whole does.
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "properties/linearizability/failing_part.h"
#include "sim/contract.h"

namespace locklab::linearizability {
namespace {

enum class Fate : std::uint8_t { stays, forgotten, gone };

Part with_fates(const Part& part, const std::vector<Fate>& fates) {
  std::vector<Operation> operations;
  Part result;
  for (std::size_t i = 0; i < fates.size(); ++i) {
    if (fates[i] == Fate::gone) continue;
    Operation operation = part.history.operations[i];
    if (fates[i] == Fate::forgotten) {
      operation.result = Result::unknown;
      operation.returned = kNever;
      operation.output = kNil;
      operation.fence = 0;
    }
    operations.push_back(operation);
    result.origin.push_back(part.origin[i]);
  }
  result.history = history_of(operations);  // They stand in the order of their invocations.
  return result;
}

struct Client {
  std::vector<std::uint32_t> hold;
  std::uint32_t depth = 0;
  Position free_from = 0;  // kNever: a result is unknown.
};

/// The holds of a lock, if the argument that removes them applies; else nothing.
std::vector<Unit> holds_of(const History& history) {
  std::map<std::uint32_t, Client> clients;
  std::vector<Unit> units;
  for (std::uint32_t i = 0; i < history.operations.size(); ++i) {
    const Operation& operation = history.operations[i];
    Client& client = clients[operation.client];
    const bool acquire = operation.function == Function::acquire;
    if (operation.result == Result::refused || operation.invoked < client.free_from) return {};
    if (!acquire && client.depth == 0) return {};
    client.free_from = operation.returned;
    client.hold.push_back(i);
    client.depth += acquire ? 1U : 0U;
    client.depth -= acquire ? 0U : 1U;
    if (client.depth == 0) units.push_back({std::exchange(client.hold, {}), true});
  }
  for (auto& [number, client] : clients) {
    if (!client.hold.empty()) units.push_back({std::move(client.hold), true});
  }
  std::sort(units.begin(), units.end(), [](const Unit& a, const Unit& b) {
    return a.operations.front() < b.operations.front();
  });
  return units;
}

/// Whether something known in the history would tell that the value was there.
bool is_shown(const History& history, const Names& names, const Spec& spec, Value value) {
  return std::any_of(history.operations.begin(), history.operations.end(), [&](const Operation& o) {
    switch (o.function) {
      case Function::read:
        if (spec.kind == Kind::key_value) {
          return o.output != kNil &&
                 names.values[o.output].find(names.values[value]) != std::string::npos;
        }
        return o.output == value;
      case Function::dequeue:
        return !o.is_unknown() && o.output == value;
      case Function::cas:
        // A refused one shows that another value was not there, an unknown one passes it on.
        return o.input == value || o.result == Result::refused;
      default:
        return false;
    }
  });
}

bool is_unseen(const History& history, std::uint32_t index, const Spec& spec, const Names& names) {
  const Operation& operation = history.operations[index];
  if (!operation.is_unknown()) return false;
  switch (operation.function) {
    case Function::read:
      return true;
    case Function::write:
    case Function::append:
    case Function::enqueue:
      return operation.input != kNil && !is_shown(history, names, spec, operation.input);
    case Function::cas:
      return operation.second != kNil && !is_shown(history, names, spec, operation.second);
    default:
      return false;
  }
}

}  // namespace

std::vector<Unit> units_of(const History& history, const Spec& spec) {
  if (spec.is_lock()) {
    std::vector<Unit> holds = holds_of(history);
    if (!holds.empty()) return holds;
  }
  std::vector<Unit> units;
  for (std::uint32_t i = 0; i < history.operations.size(); ++i) {
    if (!history.operations[i].is_unknown()) units.push_back({{i}, false});
  }
  return units;
}

Part without(const Part& part, const std::vector<Unit>& units, const std::vector<bool>& chosen) {
  std::vector<Fate> fates(part.history.operations.size(), Fate::stays);
  for (std::size_t u = 0; u < units.size(); ++u) {
    if (!chosen[u]) continue;
    for (const std::uint32_t i : units[u].operations) {
      const bool goes = units[u].is_hold || only_looks(part.history.operations[i]);
      fates[i] = goes ? Fate::gone : Fate::forgotten;
    }
  }
  return with_fates(part, fates);
}

Part without_unseen(const Part& part, const Spec& spec, const Names& names) {
  Part current = part;
  for (bool changed = true; changed;) {
    changed = false;
    for (std::uint32_t i = 0; i < current.history.operations.size() && !changed; ++i) {
      if (!is_unseen(current.history, i, spec, names)) continue;
      std::vector<Fate> fates(current.history.operations.size(), Fate::stays);
      fates[i] = Fate::gone;
      current = with_fates(current, fates);
      changed = true;
    }
  }
  return current;
}

Part beginning(const Part& part, Position end) {
  std::vector<Fate> fates;
  for (const Operation& operation : part.history.operations) {
    const Fate known =
        operation.returned < end || operation.is_unknown() ? Fate::stays : Fate::forgotten;
    fates.push_back(operation.invoked < end ? known : Fate::gone);
  }
  return with_fates(part, fates);
}

}  // namespace locklab::linearizability
