// Operation: events from positions, and a history cut by its keys.
// SPDX-License-Identifier: Apache-2.0

#include "properties/linearizability/operation.h"

#include <algorithm>
#include <utility>

#include "sim/contract.h"

namespace locklab::linearizability {
namespace {

struct Mark {
  Position position;
  std::uint32_t operation;
  bool is_return;
};

/// Renumbers operations that stand in the order of their invocations.
History numbered(std::vector<Operation> operations, const std::vector<Mark>& marks) {
  History history;
  history.operations = std::move(operations);
  history.events.reserve(marks.size());
  for (const Mark& mark : marks) {
    Operation& operation = history.operations[mark.operation];
    const auto position = static_cast<Position>(history.events.size());
    (mark.is_return ? operation.returned : operation.invoked) = position;
    history.events.push_back({mark.operation, mark.is_return});
  }
  return history;
}

/// By counting where positions are nearly dense, as those from files and parts of them are.
void sort_by_position(std::vector<Mark>& marks) {
  constexpr std::size_t kSparsest = 8;  // Slots for a mark; the array is then small beside them.
  Position last = 0;
  for (const Mark& mark : marks)
    last = std::max(last, mark.position);
  if (last < kSparsest * marks.size()) {
    std::vector<std::uint32_t> at(last + std::size_t{1}, kNever);
    for (std::uint32_t i = 0; i < marks.size(); ++i) {
      SIM_ASSERT(at[marks[i].position] == kNever);
      at[marks[i].position] = i;
    }
    std::vector<Mark> sorted;
    sorted.reserve(marks.size());
    for (const std::uint32_t i : at) {
      if (i != kNever) sorted.push_back(marks[i]);
    }
    marks = std::move(sorted);
    return;
  }
  std::sort(marks.begin(), marks.end(),
            [](const Mark& a, const Mark& b) { return a.position < b.position; });
  for (std::size_t i = 1; i < marks.size(); ++i)
    SIM_ASSERT(marks[i - 1].position < marks[i].position);
}

}  // namespace

History history_of(std::span<const Operation> operations) {
  std::vector<Operation> sorted(operations.begin(), operations.end());
  const auto earlier = [](const Operation& a, const Operation& b) { return a.invoked < b.invoked; };
  if (!std::is_sorted(sorted.begin(), sorted.end(), earlier))
    std::sort(sorted.begin(), sorted.end(), earlier);
  std::vector<Mark> marks;
  marks.reserve(2 * sorted.size());
  for (std::uint32_t i = 0; i < sorted.size(); ++i) {
    SIM_ASSERT(sorted[i].is_unknown() == (sorted[i].returned == kNever));
    SIM_ASSERT(sorted[i].invoked < sorted[i].returned);
    marks.push_back({sorted[i].invoked, i, false});
    if (!sorted[i].is_unknown()) marks.push_back({sorted[i].returned, i, true});
  }
  sort_by_position(marks);
  return numbered(std::move(sorted), marks);
}

std::vector<History> partitioned(const History& history) {
  std::uint32_t keys = 0;
  for (const Operation& operation : history.operations)
    keys = std::max(keys, operation.key + 1);
  std::vector<std::vector<Operation>> operations(keys);
  std::vector<std::vector<Mark>> marks(keys);
  std::vector<std::uint32_t> number(history.operations.size());
  for (const Event& event : history.events) {
    const Operation& operation = history.operations[event.operation];
    if (!event.is_return) {
      number[event.operation] = static_cast<std::uint32_t>(operations[operation.key].size());
      operations[operation.key].push_back(operation);
    }
    marks[operation.key].push_back({0, number[event.operation], event.is_return});
  }
  std::vector<History> parts;
  for (std::uint32_t key = 0; key < keys; ++key) {
    if (!operations[key].empty()) parts.push_back(numbered(std::move(operations[key]), marks[key]));
  }
  return parts;
}

std::string_view name_of(Function function) {
  switch (function) {
    case Function::read:
      return "read";
    case Function::write:
      return "write";
    case Function::cas:
      return "cas";
    case Function::append:
      return "append";
    case Function::enqueue:
      return "enqueue";
    case Function::dequeue:
      return "dequeue";
    case Function::acquire:
      return "acquire";
    case Function::release:
      return "release";
  }
  SIM_UNREACHABLE("no such function");
}

}  // namespace locklab::linearizability
