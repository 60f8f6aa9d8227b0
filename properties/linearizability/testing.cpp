// Testing: a small world of clients and one object, spoiling, and the judge that tries all orders.
// SPDX-License-Identifier: Apache-2.0

#include "properties/linearizability/testing.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "sim/contract.h"

namespace locklab::linearizability::testing {
namespace {

/// What the clients use. It answers as the model allows; a key's text it keeps itself.
class Object {
 public:
  Object(const Spec& spec, const Shape& shape, Names& names)
      : spec_(spec), shape_(shape), names_(names), model_(make_model(spec, names)) {
    state_ = model_->initial();
  }

  /// Fills in the result of an operation that was ok; false: it cannot take effect now.
  bool apply(Operation& operation, bool may_refuse) {
    if (spec_.kind == Kind::key_value) {
      apply_to_text(operation);
      return true;
    }
    const bool returns_value =
        operation.function == Function::read || operation.function == Function::dequeue;
    for (Value seen = 0; seen <= (returns_value ? shape_.values : 0); ++seen) {
      operation.output = seen;
      if (step(operation)) return true;
    }
    if (!may_refuse) return false;
    operation.result = Result::refused;
    operation.fence = 0;
    return step(operation);
  }

 private:
  bool step(const Operation& operation) {
    const std::optional<Model::State> next = model_->step(state_, operation);
    state_ = next.value_or(state_);
    return next.has_value();
  }

  void apply_to_text(Operation& operation) {
    std::vector<std::string>& values = names_.values;
    if (operation.function == Function::write) text_.clear();
    if (operation.function != Function::read) {
      text_ += values[operation.input];
      return;
    }
    const auto found = std::find(values.begin(), values.end(), text_);
    operation.output = text_.empty() ? kNil : static_cast<Value>(found - values.begin());
    if (!text_.empty() && found == values.end()) values.push_back(text_);
  }

  const Spec& spec_;
  const Shape& shape_;
  Names& names_;
  std::unique_ptr<Model> model_;
  Model::State state_ = 0;
  std::string text_;
};

class World {
 public:
  World(const Spec& spec, const Shape& shape, Names& names, Draws& draws)
      : spec_(spec),
        shape_(shape),
        names_(names),
        draws_(draws),
        object_(spec, shape, names),
        slots_(shape.clients) {
    for (Slot& slot : slots_)
      slot = {new_client(), 0, nullptr, false};
    known_.reserve(shape.operations);
  }

  std::vector<Operation> run() {
    // A client may wait for a lock that nobody will ever release, hence a number of turns.
    for (std::uint32_t turn = 0; turn < 40 * shape_.operations; ++turn)
      take_turn(slots_[draws_.below(slots_.size())]);
    for (Operation& operation : known_) {
      if (operation.returned == kNever) forget(operation);
    }
    return std::move(known_);
  }

 private:
  struct Slot {
    std::uint32_t client = 0;
    std::uint32_t holds = 0;
    Operation* operation = nullptr;
    bool done = false;
  };

  static void forget(Operation& operation) {
    operation.result = Result::unknown;
    operation.output = kNil;
    operation.fence = 0;
  }

  std::uint32_t new_client() {
    names_.clients.push_back("c" + std::to_string(names_.clients.size()));
    return static_cast<std::uint32_t>(names_.clients.size() - 1);
  }

  void take_turn(Slot& slot) {
    if (slot.operation == nullptr) {
      if (known_.size() < shape_.operations) invoke(slot);
    } else if (draws_.percent(shape_.unknown) && draws_.percent(30)) {
      slot = {new_client(), 0, nullptr, false};  // Nobody hears of it, nor of its client.
    } else if (!slot.done) {
      take_effect(slot);
    } else {
      slot.operation->returned = now_++;
      slot.operation = nullptr;
    }
  }

  void invoke(Slot& slot) {
    Operation operation;
    operation.client = slot.client;
    operation.function = function_for(slot);
    operation.invoked = now_++;
    if (operation.function == Function::cas) operation.second = value();
    if (operation.function >= Function::write && operation.function <= Function::enqueue)
      operation.input = value();
    known_.push_back(operation);
    slot.operation = &known_.back();
    slot.done = false;
  }

  Value value() { return 1 + draws_.below(shape_.values); }

  Function function_for(const Slot& slot) {
    switch (spec_.kind) {
      case Kind::reg:
        return static_cast<Function>(draws_.below(3));
      case Kind::key_value:
        return std::array{Function::read, Function::write, Function::append}[draws_.below(3)];
      case Kind::queue:
        return draws_.percent(50) ? Function::enqueue : Function::dequeue;
      default:
        break;
    }
    if (slot.holds == 0) return Function::acquire;
    const bool again = spec_.has_limit() && slot.holds < spec_.limit && draws_.percent(40);
    return again ? Function::acquire : Function::release;
  }

  void take_effect(Slot& slot) {
    Operation& operation = *slot.operation;
    const bool acquire = operation.function == Function::acquire;
    Operation tried = operation;
    const bool again = acquire && slot.holds > 0 && spec_.kind != Kind::semaphore;
    if (acquire && draws_.percent(90)) tried.fence = again ? fence_ : ++fence_;
    const bool may_refuse =
        operation.function == Function::cas || (acquire && draws_.percent(shape_.refusals));
    if (!object_.apply(tried, may_refuse)) return;  // It waits.
    operation = tried;
    slot.done = true;
    if (operation.function == Function::release) --slot.holds;
    if (acquire && operation.result == Result::ok) ++slot.holds;
  }

  const Spec& spec_;
  const Shape& shape_;
  Names& names_;
  Draws& draws_;
  Object object_;
  std::vector<Slot> slots_;
  std::vector<Operation> known_;  // As their clients know them, once they have returned.
  Position now_ = 0;
  std::int64_t fence_ = 0;
};

/// Two events next to each other change places, unless they are of one operation.
void swap_neighbours(std::vector<Operation>& operations, Position at) {
  std::array<Position*, 2> ends{};
  std::array<const Operation*, 2> owners{};
  for (Operation& operation : operations) {
    for (Position* const end : {&operation.invoked, &operation.returned}) {
      if (*end != at && *end != at + 1) continue;
      ends[*end - at] = end;
      owners[*end - at] = &operation;
    }
  }
  if (ends[0] != nullptr && ends[1] != nullptr && owners[0] != owners[1])
    std::swap(*ends[0], *ends[1]);
}

void spoil(std::vector<Operation>& operations, const Shape& shape, Draws& draws) {
  if (operations.empty()) return;
  Operation& victim = operations[draws.below(operations.size())];
  const auto events = static_cast<Position>(2 * operations.size());
  if (victim.is_unknown() || draws.percent(50)) {
    swap_neighbours(operations, draws.below(events));
  } else if (victim.fence != 0) {
    victim.fence = 1 + draws.below(operations.size());
  } else if (victim.function == Function::read || victim.function == Function::dequeue) {
    victim.output = draws.below(shape.values + 1);
  } else if (victim.function == Function::cas) {
    victim.result = victim.result == Result::ok ? Result::refused : Result::ok;
  } else if (victim.result == Result::refused) {
    victim.result = Result::ok;
  }
}

bool orders_rest(const History& history, Model& model, Model::State state,
                 std::vector<bool>& done) {
  Position first_return = kNever;
  for (std::size_t i = 0; i < done.size(); ++i) {
    if (!done[i]) first_return = std::min(first_return, history.operations[i].returned);
  }
  if (first_return == kNever) return true;  // Those with an unknown result need not be.
  for (std::size_t i = 0; i < done.size(); ++i) {
    if (done[i] || history.operations[i].invoked > first_return) continue;
    const std::optional<Model::State> next = model.step(state, history.operations[i]);
    if (!next) continue;
    done[i] = true;
    const bool found = orders_rest(history, model, *next, done);
    done[i] = false;
    if (found) return true;
  }
  return false;
}

/// "c12!" as an operation.
Operation operation_of(std::string_view what) {
  Operation operation;
  const auto digit = [&](std::size_t i) -> Value {
    return i < what.size() && what[i] >= '0' && what[i] <= '9' ? static_cast<Value>(what[i] - '0')
                                                               : kNil;
  };
  constexpr std::string_view kLetters = "rwcaed+-";
  const std::size_t function = kLetters.find(what.front());
  SIM_ASSERT(function < kLetters.size());
  operation.function = static_cast<Function>(function);
  if (operation.function == Function::read || operation.function == Function::dequeue) {
    operation.output = digit(1);
  } else if (operation.function == Function::acquire) {
    operation.fence = digit(1);
  } else {
    operation.input = digit(1);
    operation.second = digit(2);
  }
  if (what.back() == '!') operation.result = Result::refused;
  return operation;
}

}  // namespace

Sample random_history(const Spec& spec, const Shape& shape, std::uint64_t seed) {
  Sample sample;
  Draws draws(seed);
  sample.names.keys.emplace_back("k");
  for (std::uint32_t i = 1; i <= shape.values; ++i)
    sample.names.values.push_back(std::to_string(i));
  std::vector<Operation> operations = World(spec, shape, sample.names, draws).run();
  for (std::uint32_t i = 0; i < shape.spoils; ++i)
    spoil(operations, shape, draws);
  sample.history = history_of(operations);
  return sample;
}

bool has_some_order(const History& history, Model& model) {
  std::vector<bool> done(history.operations.size());
  return orders_rest(history, model, model.initial(), done);
}

Sample written(std::string_view text) {
  Sample sample;
  sample.names.keys.emplace_back("k");
  for (const char digit : std::string_view("123456789"))
    sample.names.values.emplace_back(1, digit);
  std::vector<Operation> operations;
  Position now = 0;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(word.size() + 1, text.size()));
    const auto client = static_cast<std::uint32_t>(word.front() - 'A');
    while (sample.names.clients.size() <= client)
      sample.names.clients.emplace_back(1, static_cast<char>('A' + sample.names.clients.size()));
    if (word[1] == '(') {
      Operation operation = operation_of(word.substr(2));
      operation.client = client;
      operation.invoked = now++;
      operations.push_back(operation);
      continue;
    }
    const auto open = std::find_if(operations.rbegin(), operations.rend(), [&](const auto& o) {
      return o.client == client && o.returned == kNever;
    });
    SIM_ASSERT(open != operations.rend());
    open->returned = now++;
  }
  for (Operation& operation : operations) {
    if (operation.returned == kNever) operation.result = Result::unknown;
  }
  sample.history = history_of(operations);
  return sample;
}

}  // namespace locklab::linearizability::testing
