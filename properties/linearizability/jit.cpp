// JIT: an explicit stack of the configurations in which a return waits for its operation.
// SPDX-License-Identifier: Apache-2.0

#include "properties/linearizability/jit.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "properties/linearizability/slots.h"
#include "properties/linearizability/word_table.h"

namespace locklab::linearizability {
namespace {

template <std::size_t Words>
class Search {
 public:
  Search(const History& history, const Slots& slots, Model& model, Meter& meter)
      : history_(history),
        slots_(slots),
        model_(model),
        meter_(meter),
        holder_(slots.count, kNoOperation),
        state_(model.initial()) {}

  Verdict run() {
    while (!read_to_choice()) {
      if (visit()) choices_.push_back({at_, state_, done_, open_.without(done_), true});
      for (bool found = false; !found;) {
        if (choices_.empty()) return Verdict::violated;
        if (!meter_.step(1 + std::exchange(read_, 0) / kEventsToAStep) || !meter_.has_room(bytes()))
          return Verdict::unknown;
        found = choose();
      }
    }
    return Verdict::holds;
  }

 private:
  using Set = SlotSet<Words>;

  // Forth and back again they cost about as much as an attempt.
  static constexpr std::uint64_t kEventsToAStep = 8;

  /// A configuration that waits for the return at `at`, and what has not been tried there.
  struct Choice {
    Position at;
    Model::State state;
    Set done;
    Set left;
    bool fresh;
  };

  const Operation& operation_in(std::size_t slot) const {
    return history_.operations[holder_[slot]];
  }

  bool read_to_choice() {
    const Position from = at_;
    const bool at_end = read_on();
    read_ += at_ - from;
    return at_end;
  }

  /// Up to the end, or to the return of an operation that has not taken effect.
  bool read_on() {
    for (; at_ < history_.events.size(); ++at_) {
      const Event event = history_.events[at_];
      const std::uint32_t slot = slots_.of[event.operation];
      if (slot == Slots::kNone) continue;
      if (!event.is_return) {
        enter(event.operation, slot);
        if (looks_.has(slot)) look(slot);
        continue;
      }
      if (!done_.has(slot)) return false;
      done_.remove(slot);
      leave(slot);
    }
    return true;
  }

  void enter(std::uint32_t operation, std::uint32_t slot) {
    holder_[slot] = operation;
    open_.add(slot);
    if (only_looks(history_.operations[operation])) looks_.add(slot);
  }
  void leave(std::uint32_t slot) {
    open_.remove(slot);
    looks_.remove(slot);
  }

  void look(std::size_t slot) {
    if (model_.step(state_, operation_in(slot))) done_.add(slot);
  }

  /// Whatever the events since then have changed but done_ and state_.
  void read_back(Position to) {
    while (at_ > to) {
      const Event event = history_.events[--at_];
      const std::uint32_t slot = slots_.of[event.operation];
      if (slot == Slots::kNone) continue;
      if (event.is_return) {
        enter(event.operation, slot);
      } else {
        leave(slot);
      }
    }
  }

  /// The next choice of the newest configuration that has one; false: it was of no use.
  bool choose() {
    Choice& choice = choices_.back();
    read_back(choice.at);
    const std::size_t slot = next_of(choice);
    if (slot == Words * Set::kBits) {
      choices_.pop_back();
      return false;
    }
    const Operation& operation = operation_in(slot);
    const std::optional<Model::State> next = model_.step(choice.state, operation);
    // Without an effect, an operation that need not have taken place is better kept for later.
    if (!next || (operation.is_unknown() && *next == choice.state)) return false;
    done_ = choice.done;
    done_.add(slot);
    state_ = *next;
    Set looks = looks_;
    for (looks = looks.without(done_); looks.first() < Words * Set::kBits;) {
      const std::size_t looking = looks.first();
      looks.remove(looking);
      look(looking);
    }
    return true;
  }

  /// First the operation whose return waits: it must come at some time, and often fits at once.
  std::size_t next_of(Choice& choice) {
    if (choice.fresh) {
      choice.fresh = false;
      choice.left = choice.left.without(looks_);  // They did not fit, or they would be done.
      const std::size_t slot = slots_.of[history_.events[choice.at].operation];
      if (choice.left.has(slot)) {
        choice.left.remove(slot);
        return slot;
      }
    }
    for (std::size_t slot = choice.left.first(); slot < Words * Set::kBits;
         slot = choice.left.first()) {
      choice.left.remove(slot);
      const std::uint32_t twin = slots_.twin[holder_[slot]];
      if (twin == kNoOperation || choice.done.has(slots_.of[twin])) return slot;
    }
    return Words * Set::kBits;
  }

  /// False: the search has been here.
  bool visit() {
    std::array<std::uint64_t, Words + 2> key;
    key[0] = at_;
    key[1] = state_;
    std::copy(done_.words.begin(), done_.words.end(), key.begin() + 2);
    return memo_.insert(key).is_new;
  }

  std::size_t bytes() const {
    return memo_.bytes() + model_.bytes() + choices_.capacity() * sizeof(Choice);
  }

  const History& history_;
  const Slots& slots_;
  Model& model_;
  Meter& meter_;
  std::vector<std::uint32_t> holder_;  // Of each open slot: its operation.
  Position at_ = 0;                    // The next event.
  std::uint64_t read_ = 0;             // Events that no step has paid for.
  Set open_;                           // Invoked and not returned.
  Set looks_;                          // Of those: only_looks().
  Set done_;                           // Of those: has taken effect.
  Model::State state_;
  std::vector<Choice> choices_;
  WordTable memo_;
};

}  // namespace

Verdict check_jit(const History& history, Model& model, Meter& meter) {
  const Slots slots(history);
  if (slots.count <= 64) return Search<1>(history, slots, model, meter).run();
  if (slots.count <= 256) return Search<4>(history, slots, model, meter).run();
  if (slots.count <= kJitWidth) return Search<16>(history, slots, model, meter).run();
  return Verdict::unknown;
}

}  // namespace locklab::linearizability
