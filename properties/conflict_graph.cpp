// Conflict graph: acyclicity over a reduced set of edges, then a shortest cycle over all of them.
// SPDX-License-Identifier: Apache-2.0
#include "properties/conflict_graph.h"

#include <algorithm>
#include <compare>

namespace locklab {
namespace {

struct Edge {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  friend auto operator<=>(const Edge&, const Edge&) = default;
};

/// The last append to one object and the reads since: enough to reach every earlier conflict.
struct Tail {
  std::optional<std::uint32_t> writer;
  std::vector<std::uint32_t> readers;
};

std::uint32_t count_of(std::span<const Access> accesses, std::uint32_t Access::*number) {
  std::uint32_t count = 0;
  for (const Access& access : accesses)
    count = std::max(count, access.*number + 1);
  return count;
}

/// Between transactions; has a path wherever the full graph has an edge, and at most two edges for
/// each operation.
std::vector<Edge> reduced_edges(std::span<const Access> accesses) {
  std::vector<Tail> tails(count_of(accesses, &Access::object));
  std::vector<Edge> edges;
  const auto add = [&edges](std::uint32_t from, std::uint32_t to) {
    if (from != to) edges.push_back({from, to});
  };
  for (const Access& access : accesses) {
    Tail& tail = tails[access.object];
    if (tail.writer) add(*tail.writer, access.transaction);
    if (!access.append) {
      tail.readers.push_back(access.transaction);
      continue;
    }
    for (const std::uint32_t reader : tail.readers)
      add(reader, access.transaction);
    tail.readers.clear();
    tail.writer = access.transaction;
  }
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  return edges;
}

/// Kahn's algorithm: remove what nothing precedes until nothing is left, or only cycles.
bool is_acyclic(std::span<const Access> accesses) {
  const std::uint32_t count = count_of(accesses, &Access::transaction);
  const std::vector<Edge> edges = reduced_edges(accesses);
  std::vector<std::uint32_t> incoming(count);
  for (const Edge& edge : edges)
    ++incoming[edge.to];
  std::vector<std::uint32_t> ready;
  for (std::uint32_t node = 0; node < count; ++node) {
    if (incoming[node] == 0) ready.push_back(node);
  }
  std::uint32_t removed = 0;
  while (!ready.empty()) {
    const std::uint32_t node = ready.back();
    ready.pop_back();
    ++removed;
    auto edge = std::lower_bound(edges.begin(), edges.end(), Edge{node, 0});
    for (; edge != edges.end() && edge->from == node; ++edge) {
      if (--incoming[edge->to] == 0) ready.push_back(edge->to);
    }
  }
  return removed == count;
}

/// The number of operations up to and including the first one that closes a cycle.
std::size_t first_cyclic_prefix(std::span<const Access> accesses) {
  std::size_t acyclic = 0;
  std::size_t cyclic = accesses.size();
  while (cyclic - acyclic > 1) {
    const std::size_t middle = acyclic + (cyclic - acyclic) / 2;
    (is_acyclic(accesses.first(middle)) ? acyclic : cyclic) = middle;
  }
  return cyclic;
}

bool conflict(const Access& a, const Access& b) {
  return a.object == b.object && (a.append || b.append) && a.transaction != b.transaction;
}

/// Breadth first over all conflicts, from the transaction of the last operation back to itself.
class ShortestCycle {
 public:
  explicit ShortestCycle(std::span<const Access> accesses)
      : accesses_(accesses), entered_by_(count_of(accesses, &Access::transaction)) {}

  std::vector<Conflict> find() {
    const std::uint32_t start = accesses_.back().transaction;
    queue_ = {start};
    for (std::size_t next = 0; next < queue_.size(); ++next) {
      if (expand(queue_[next], start)) return path_to(start);
    }
    return {};
  }

 private:
  /// → the edge back to the start was found.
  bool expand(std::uint32_t node, std::uint32_t start) {
    for (std::uint32_t from = 0; from < accesses_.size(); ++from) {
      if (accesses_[from].transaction != node) continue;
      for (std::uint32_t to = from + 1; to < accesses_.size(); ++to) {
        const std::uint32_t reached = accesses_[to].transaction;
        if (!conflict(accesses_[from], accesses_[to]) || entered_by_[reached]) continue;
        entered_by_[reached] = Conflict{from, to};
        if (reached == start) return true;
        queue_.push_back(reached);
      }
    }
    return false;
  }

  std::vector<Conflict> path_to(std::uint32_t start) const {
    std::vector<Conflict> path;
    std::uint32_t node = start;
    do {
      path.push_back(*entered_by_[node]);
      node = accesses_[path.back().from].transaction;
    } while (node != start);
    std::reverse(path.begin(), path.end());
    return path;
  }

  std::span<const Access> accesses_;
  std::vector<std::optional<Conflict>> entered_by_;  // By transaction.
  std::vector<std::uint32_t> queue_;
};

}  // namespace

std::vector<Conflict> first_cycle(std::span<const Access> accesses) {
  if (accesses.empty() || is_acyclic(accesses)) return {};
  return ShortestCycle(accesses.first(first_cyclic_prefix(accesses))).find();
}

}  // namespace locklab
