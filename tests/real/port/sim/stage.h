// Stage of a real client: who there is to talk to, and the driver that keeps time and records.
// SPDX-License-Identifier: Apache-2.0
//
// This folder stands before the root in the include path of one program only, real_client. Lock
// code, sim/client.cpp, sim/go.cpp and the program of scenarios/ are compiled there from the same
// source as in the simulation, against these classes instead of sim/'s: a process of the machine,
// and sockets.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "sim/arena.h"
#include "sim/choice.h"
#include "sim/history.h"
#include "sim/ids.h"
#include "sim/process.h"
#include "sim/redis/command.h"
#include "sim/redis/sha1.h"
#include "sim/time.h"

namespace locklab {

/// A server, by its name in records.
class Endpoint {
 public:
  explicit Endpoint(ActorId id) : id_(id) {}
  ActorId id() const { return id_; }

 private:
  ActorId id_;
};

/// Texts and records; time and choices come from the driver.
class World {
 public:
  explicit World(real::Conversation& driver) : driver_(driver) { texts_.begin(0); }
  TextId intern(std::string_view text) { return texts_.intern(text); }
  std::string_view text(TextId id) const { return texts_.text(id); }
  Arena& arena() { return arena_; }
  Work& work() { return work_; }
  /// Told to the driver, which lets it go on when the same is next in the simulation.
  std::uint32_t record(Record record);
  Duration choose_delay(ChoiceKind kind, ActorId actor, Duration bound, Witness witness);

  void set_process(Process& process) { process_ = &process; }

 private:
  Process* process_ = nullptr;
  real::Conversation& driver_;
  History texts_;
  Arena arena_;
  Work work_;
};

struct Stage {
  World* world = nullptr;
  std::vector<Endpoint*> nodes;
  Endpoint* counter = nullptr;
  Endpoint* resource = nullptr;
  Endpoint* orchestrator = nullptr;  // Not nullptr: the nodes are a primary and its replicas.

  std::string_view sha_of(std::string_view body) const;
};

// The protocol of the resource, as scenarios/harness.cpp fills it in.
struct ResourceRequest {
  ResourceOp op = ResourceOp::none;
  std::uint32_t object = 0;
  std::uint32_t fence = 0;
  std::uint32_t sequence = 0;
  std::uint64_t version_read = 0;
};
struct ResourceReply {
  bool accepted = false;
  std::uint64_t version = 0;
};

}  // namespace locklab
