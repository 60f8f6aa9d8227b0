// WGL: a doubly linked list of events, from which an operation is lifted when it is done.
// SPDX-License-Identifier: Apache-2.0

#include "properties/linearizability/wgl.h"

#include <vector>

#include "properties/linearizability/done_set.h"

namespace locklab::linearizability {
namespace {

/// The events that are left, by position; position events.size() is both ends.
class EventList {
 public:
  explicit EventList(const History& history) : end_(static_cast<Position>(history.events.size())) {
    next_.resize(end_ + std::size_t{1});
    previous_.resize(end_ + std::size_t{1});
    for (Position i = 0; i <= end_; ++i) {
      next_[i] = i == end_ ? 0 : i + 1;
      previous_[i] = i == 0 ? end_ : i - 1;
    }
  }

  Position first() const { return next_[end_]; }
  Position after(Position position) const { return next_[position]; }

  void lift(const Operation& operation) {
    unlink(operation.invoked);
    if (!operation.is_unknown()) unlink(operation.returned);
  }
  /// The reverse, for the operation lifted last.
  void put_back(const Operation& operation) {
    if (!operation.is_unknown()) link(operation.returned);
    link(operation.invoked);
  }

 private:
  void unlink(Position position) {
    next_[previous_[position]] = next_[position];
    previous_[next_[position]] = previous_[position];
  }
  void link(Position position) {
    next_[previous_[position]] = position;
    previous_[next_[position]] = position;
  }

  Position end_;
  std::vector<Position> next_;
  std::vector<Position> previous_;
};

class Search {
 public:
  Search(const History& history, Model& model, Meter& meter)
      : history_(history), model_(model), meter_(meter), list_(history), done_(history) {
    for (const Operation& operation : history.operations)
      left_ += operation.is_unknown() ? 0U : 1U;
  }

  Verdict run() {
    Model::State state = model_.initial();
    Position at = left_ == 0 ? 0 : list_.first();
    while (left_ > 0) {
      const Event event = history_.events[at];
      if (event.is_return) {
        // Nothing that may stand before this return explains it.
        if (taken_.empty()) return Verdict::violated;
        const Taken last = taken_.back();
        taken_.pop_back();
        undo(last.operation);
        state = last.before;
        at = list_.after(history_.operations[last.operation].invoked);
        continue;
      }
      if (!meter_.step()) return Verdict::unknown;
      const std::optional<Model::State> next = take(event.operation, state);
      if (next) {
        taken_.push_back({event.operation, state});
        state = *next;
        at = list_.first();
        if (!meter_.has_room(bytes())) return Verdict::unknown;
      } else {
        at = list_.after(at);
      }
    }
    return Verdict::holds;
  }

 private:
  struct Taken {
    std::uint32_t operation;
    Model::State before;
  };

  /// The state after it, unless it does not fit or leads to where the search has been.
  std::optional<Model::State> take(std::uint32_t index, Model::State state) {
    const Operation& operation = history_.operations[index];
    const std::optional<Model::State> next = model_.step(state, operation);
    if (!next) return std::nullopt;
    done_.add(index);
    if (!done_.remember(*next)) {
      done_.remove(index);
      return std::nullopt;
    }
    list_.lift(operation);
    left_ -= operation.is_unknown() ? 0U : 1U;
    return next;
  }

  void undo(std::uint32_t index) {
    const Operation& operation = history_.operations[index];
    done_.remove(index);
    list_.put_back(operation);
    left_ += operation.is_unknown() ? 0U : 1U;
  }

  std::size_t bytes() const {
    return done_.bytes() + model_.bytes() + taken_.capacity() * sizeof(Taken);
  }

  const History& history_;
  Model& model_;
  Meter& meter_;
  EventList list_;
  DoneSet done_;
  std::vector<Taken> taken_;
  std::size_t left_ = 0;  // Operations with a known result that are not done.
};

}  // namespace

Verdict check_wgl(const History& history, Model& model, Meter& meter) {
  return Search(history, model, meter).run();
}

}  // namespace locklab::linearizability
