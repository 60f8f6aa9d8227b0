// Reductions: the steps from a history to a part of it that fails only if the whole does.
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <map>
#include <set>
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

/// Which values something in the history would miss.
class Shown {
 public:
  Shown(const History& history, const Spec& spec, const Names& names)
      : times_(names.values.size()) {
    for (const Operation& operation : history.operations)
      count(operation, spec);
    if (spec.kind == Kind::key_value) find_texts(history, names);
  }

  bool has(Value value) const { return all_ || times_[value] > 0; }
  /// The operation has gone. True: and with it the last that would miss a value, its input.
  bool forget(const Operation& operation) {
    return operation.function == Function::cas && --times_[operation.input] == 0;
  }

 private:
  void count(const Operation& operation, const Spec& spec) {
    if (operation.function == Function::cas) {
      // A refused one shows that another value was there, an unknown one passes its input on.
      all_ = all_ || operation.result == Result::refused;
      ++times_[operation.input];
    } else if (operation.function == Function::read || operation.function == Function::dequeue) {
      if (!operation.is_unknown() && spec.kind != Kind::key_value) ++times_[operation.output];
    }
  }

  /// A text is shown by every read of a longer one that has it inside, the empty text by any read.
  void find_texts(const History& history, const Names& names) {
    constexpr std::size_t kMostCompared = std::size_t{1} << 28;  // Bytes: a fraction of a second.
    const auto text_of = [&](Value value) {
      return value == kNil ? std::string_view() : std::string_view(names.values[value]);
    };
    std::set<Value> reads;
    std::set<Value> inputs;
    std::size_t bytes = 0;
    for (const Operation& operation : history.operations) {
      const bool read = operation.function == Function::read;
      if (read != operation.is_unknown()) (read ? reads : inputs).insert(value_in(operation));
    }
    for (const Value read : reads)
      bytes += text_of(read).size();
    all_ = bytes > kMostCompared / std::max<std::size_t>(inputs.size(), 1);
    for (const Value input : all_ ? std::set<Value>() : inputs) {
      times_[input] = std::any_of(reads.begin(), reads.end(), [&](Value read) {
        return text_of(read).find(text_of(input)) != std::string_view::npos;
      });
    }
  }

  static Value value_in(const Operation& operation) {
    return operation.function == Function::read ? operation.output : operation.input;
  }

  std::vector<std::uint32_t> times_;  // By value.
  bool all_ = false;
};

/// What an operation leaves if it takes effect; kNil: nothing that could be told from the rest.
Value made_by(const Operation& operation) {
  if (operation.function == Function::cas) return operation.second;
  const bool puts =
      operation.function >= Function::write && operation.function <= Function::enqueue;
  return puts ? operation.input : kNil;
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
  const std::vector<Operation>& operations = part.history.operations;
  Shown shown(part.history, spec, names);
  std::vector<Fate> fates(operations.size(), Fate::stays);
  std::vector<std::pair<Value, std::uint32_t>> makers;  // A value, and an unknown one that sets it.
  for (std::uint32_t i = 0; i < operations.size(); ++i) {
    const Operation& operation = operations[i];
    if (!operation.is_unknown()) continue;
    if (operation.function == Function::read) fates[i] = Fate::gone;
    if (const Value made = made_by(operation); made != kNil) makers.emplace_back(made, i);
  }
  std::sort(makers.begin(), makers.end());
  std::vector<Value> unseen;
  for (const auto& [made, maker] : makers) {
    if (!shown.has(made) && (unseen.empty() || unseen.back() != made)) unseen.push_back(made);
  }
  while (!unseen.empty()) {
    const Value value = unseen.back();
    unseen.pop_back();
    const auto first = std::lower_bound(makers.begin(), makers.end(), std::pair(value, 0U));
    for (auto maker = first; maker != makers.end() && maker->first == value; ++maker) {
      fates[maker->second] = Fate::gone;
      const Operation& gone = operations[maker->second];
      if (shown.forget(gone)) unseen.push_back(gone.input);
    }
  }
  return with_fates(part, fates);
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
