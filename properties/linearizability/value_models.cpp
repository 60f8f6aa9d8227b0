// Value models: what a read may return and what a write leaves.
// SPDX-License-Identifier: Apache-2.0

#include "properties/linearizability/value_models.h"

#include <cstring>
#include <string>
#include <vector>

#include "properties/linearizability/word_table.h"
#include "sim/contract.h"

namespace locklab::linearizability {
namespace {

using State = Model::State;

/// The state is the value.
class Register final : public Model {
 public:
  State initial() const override { return kNil; }
  std::optional<State> step(State state, const Operation& operation) override {
    switch (operation.function) {
      case Function::read:
        if (operation.is_unknown() || operation.output == state) return state;
        return std::nullopt;
      case Function::write:
        return operation.input;
      case Function::cas: {
        const bool meets = operation.input == state;
        if (meets == (operation.result == Result::refused)) return std::nullopt;
        return meets ? operation.second : state;
      }
      default:
        return std::nullopt;
    }
  }
};

/// The state is the number of a text; reading compares two numbers, and each append is made once.
class KeyValue final : public Model {
 public:
  explicit KeyValue(const Names& names) : names_(names), number_(names.values.size(), kNone) {
    number_[kNil] = number_of_text("");
  }

  State initial() const override { return number_[kNil]; }
  std::optional<State> step(State state, const Operation& operation) override {
    switch (operation.function) {
      case Function::read:
        if (operation.is_unknown() || number_of(operation.output) == state) return state;
        return std::nullopt;
      case Function::write:
        return number_of(operation.input);
      case Function::append:
        return appended(static_cast<std::uint32_t>(state), operation.input);
      default:
        return std::nullopt;
    }
  }
  std::size_t bytes() const override {
    return texts_.bytes() + appends_.bytes() + results_.capacity() * sizeof(std::uint32_t);
  }

 private:
  static constexpr std::uint32_t kNone = UINT32_MAX;
  static constexpr std::size_t kWord = sizeof(std::uint64_t);

  std::uint32_t number_of(Value value) {
    if (number_[value] == kNone) number_[value] = number_of_text(names_.values[value]);
    return number_[value];
  }

  /// Eight characters to a word after one for the length.
  std::uint32_t number_of_text(std::string_view text) {
    words_.assign(1 + (text.size() + kWord - 1) / kWord, 0);
    words_[0] = text.size();
    if (!text.empty()) std::memcpy(words_.data() + 1, text.data(), text.size());
    return texts_.insert(words_).id;
  }

  std::uint32_t appended(std::uint32_t state, Value value) {
    const std::uint64_t step = std::uint64_t{state} << 32 | value;
    const WordTable::Found found = appends_.insert({&step, 1});
    if (!found.is_new) return results_[found.id];
    const std::span<const std::uint64_t> words = texts_.at(state);
    text_.resize(words[0]);
    if (!text_.empty()) std::memcpy(text_.data(), words.data() + 1, text_.size());
    if (value != kNil) text_ += names_.values[value];
    results_.push_back(number_of_text(text_));
    return results_.back();
  }

  const Names& names_;
  WordTable texts_;
  std::vector<std::uint32_t> number_;   // Of each value's text, once it was needed.
  WordTable appends_;                   // State and value …
  std::vector<std::uint32_t> results_;  // … and the state after.
  std::vector<std::uint64_t> words_;
  std::string text_;
};

/// The state is the number of the sequence of values, from the front.
class Queue final : public Model {
 public:
  Queue() { table_.insert({}); }

  State initial() const override { return 0; }
  std::optional<State> step(State state, const Operation& operation) override {
    const std::span<const std::uint64_t> values = table_.at(static_cast<std::uint32_t>(state));
    switch (operation.function) {
      case Function::enqueue:
        next_.assign(values.begin(), values.end());
        next_.push_back(operation.input);
        break;
      case Function::dequeue:
        if (!operation.is_unknown() && operation.output == kNil)
          return values.empty() ? std::optional(state) : std::nullopt;
        if (values.empty()) return std::nullopt;
        if (!operation.is_unknown() && operation.output != values.front()) return std::nullopt;
        next_.assign(values.begin() + 1, values.end());
        break;
      default:
        return std::nullopt;
    }
    return table_.insert(next_).id;
  }
  std::size_t bytes() const override { return table_.bytes(); }

 private:
  WordTable table_;
  std::vector<std::uint64_t> next_;
};

}  // namespace

std::unique_ptr<Model> make_register() {
  return std::make_unique<Register>();
}

std::unique_ptr<Model> make_key_value(const Names& names) {
  return std::make_unique<KeyValue>(names);
}

std::unique_ptr<Model> make_queue() {
  return std::make_unique<Queue>();
}

}  // namespace locklab::linearizability
