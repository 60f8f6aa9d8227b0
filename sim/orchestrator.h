// Orchestrator: promotes a replica when the primary has been down for long enough.
// SPDX-License-Identifier: Apache-2.0
//
// A scripted stand-in for Sentinel: what is uncertain there (how long detection takes, which
// replica is promoted, when each client learns of it) is a choice here. An old primary that lives
// on serves until it is demoted; then its data is replaced (redis/src/sentinel.c
// sentinelFailoverStateMachine).
#pragma once

#include <cstdint>
#include <vector>

#include "sim/hosted_server.h"
#include "sim/process.h"
#include "sim/redis/node.h"

namespace locklab {

class Orchestrator : public HostedServer, public NodeListener {
 public:
  using HostedServer::HostedServer;
  void begin(std::vector<Node*> nodes, std::vector<Process*> clients);

  void went_down(Node& node) override;
  void came_back(Node& node) override;
  /// Promotes now; the old primary is not touched.
  void failover();
  /// Somebody could be promoted now.
  bool has_candidate();
  Node& primary() { return *primary_; }
  /// Of the latest promotion, from 1.
  std::uint32_t epoch() const { return epoch_; }

 private:
  void serve(const Event& event) override;
  Node* find(std::uint32_t actor) const;
  Node* choose_replica();
  void announce();
  void demote_later(Node& node);
  void suspect(Node& node);
  void demote(Node& node);

  std::vector<Node*> nodes_;
  std::vector<Process*> clients_;
  std::vector<Node*> candidates_;
  Node* primary_ = nullptr;
  std::uint32_t epoch_ = 1;
  std::uint32_t outages_ = 0;  // Of primaries; a suspicion belongs to the one that it was born of.
};

}  // namespace locklab
