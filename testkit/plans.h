// Plans: the parts of a world that a property test draws, and the smaller ones that it shrinks to.
// SPDX-License-Identifier: Apache-2.0
//
// What is drawn here is small and structured. Schedules are not: for each world they are searched,
// and shrunk, by search/.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <iosfwd>
#include <vector>

#include "sim/fault_kind.h"
#include "sim/label.h"
#include "sim/time.h"
#include "sim/world_config.h"

namespace locklab {

/// What may go wrong: the kinds, the labels at which they may strike (none: every one), and how
/// often in one run.
struct Faults {
  std::vector<FaultKind> of;
  std::vector<Label> at = {};
  std::uint32_t max = 1;
};

/// The same, drawn. The default is a world in which nothing goes wrong.
struct FaultPlan {
  FaultSearch search;
  friend bool operator==(const FaultPlan& a, const FaultPlan& b) {
    return a.search.of.bits == b.search.of.bits && a.search.at_labels == b.search.at_labels &&
           a.search.max == b.search.max;
  }
};
FaultPlan plan_of(const Faults& faults);

/// The times of a lock and of the work under it.
struct LockParams {
  Duration ttl = milliseconds(1000);
  Duration margin = milliseconds(20);
  Duration work = milliseconds(300);
  Duration poll = milliseconds(100);
  friend bool operator==(const LockParams&, const LockParams&) = default;
};

/// Who contends, on what, and what each client's program does.
struct Deployment {
  std::uint32_t clients = 2;
  std::uint32_t replicas = 0;
  std::uint32_t rounds = 2;
  std::uint32_t effects = 1;
  friend bool operator==(const Deployment&, const Deployment&) = default;
};

/// The first seed of a search; the simulation's randomness is its own.
struct Seed {
  std::uint64_t value = 1;
  friend bool operator==(const Seed&, const Seed&) = default;
};
constexpr Seed seed(std::uint64_t value) {
  return {value};
}

/// A whole world. Shrinks in the order of its members: faults are dropped first, then clients, and
/// times are rounded last.
struct Plan {
  FaultPlan faults;
  Deployment deployment;
  LockParams lock;
  Seed seed;
  friend bool operator==(const Plan&, const Plan&) = default;
};

std::ostream& operator<<(std::ostream& out, const FaultPlan& plan);
std::ostream& operator<<(std::ostream& out, const LockParams& params);
std::ostream& operator<<(std::ostream& out, const Deployment& deployment);
std::ostream& operator<<(std::ostream& out, const Seed& seed);
std::ostream& operator<<(std::ostream& out, const Plan& plan);

namespace testkit {

/// Simpler ones, the boldest first. Each is smaller in an order without endless descents, so that
/// whoever goes from one to the next comes to an end.
std::vector<FaultPlan> smaller(const FaultPlan& plan);
std::vector<LockParams> smaller(const LockParams& params);
std::vector<Deployment> smaller(const Deployment& deployment);
std::vector<Plan> smaller(const Plan& plan);

}  // namespace testkit
}  // namespace locklab
