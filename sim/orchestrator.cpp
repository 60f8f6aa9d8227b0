// Orchestrator: suspicion, promotion, announcement, demotion.
// SPDX-License-Identifier: Apache-2.0
#include "sim/orchestrator.h"

#include <algorithm>

#include "sim/contract.h"

namespace locklab {
namespace {

enum class Errand : std::uint8_t { suspect, demote, rejoin };
constexpr unsigned kErrandBits = 8;

}  // namespace

void Orchestrator::begin(std::vector<Node*> nodes, std::vector<Process*> clients) {
  SIM_ASSERT(!nodes.empty());
  begin_hosted();
  nodes_ = std::move(nodes);
  clients_ = std::move(clients);
  primary_ = nodes_.front();
  epoch_ = 1;
  outages_ = 0;
  for (Node* node : nodes_)
    node->set_listener(this);
}

Node* Orchestrator::find(std::uint32_t actor) const {
  for (Node* node : nodes_) {
    if (node->id().value == actor) return node;
  }
  SIM_UNREACHABLE("not one of the orchestrator's nodes");
}

void Orchestrator::went_down(Node& node) {
  if (&node != primary_ || !world_.config().topology.failover.automatic) return;
  const FailoverConfig& config = world_.config().topology.failover;
  const Work work = world_.work();
  world_.work() = {Span::of_actor(id()), {}, work.cause};
  const Duration delay =
      config.detect + world_.choose_delay(ChoiceKind::detect, id(), config.detect_spread,
                                          witness_of(node.id().value, 0));
  Event event{.type = EventType::timer, .actor = id()};
  event.a = node.id().value;
  event.b = static_cast<std::uint64_t>(Errand::suspect) | static_cast<std::uint64_t>(++outages_)
                                                              << kErrandBits;
  world_.arm({host(), ClockId::monotonic, world_.read(host(), ClockId::monotonic) + delay,
              DeadlineKind::detect, node.id(), event});
  world_.work() = work;
}

void Orchestrator::came_back(Node& node) {
  if (&node == primary_) return;
  if (node.role() == redis::Role::primary) {
    demote_later(node);
    return;
  }
  Event event{.type = EventType::custom, .actor = id()};
  event.a = node.id().value;
  event.b = static_cast<std::uint64_t>(Errand::rejoin);
  world_.schedule(world_.now() + world_.round_trip(), event);
}

void Orchestrator::demote_later(Node& node) {
  const Work work = world_.work();
  world_.work() = {Span::of_actor(id()), {}, work.cause};
  Event event{.type = EventType::timer, .actor = id()};
  event.a = node.id().value;
  event.b = static_cast<std::uint64_t>(Errand::demote);
  const LocalInstant due =
      world_.read(host(), ClockId::monotonic) + world_.config().topology.failover.demote_after;
  world_.arm({host(), ClockId::monotonic, due, DeadlineKind::none, node.id(), event});
  world_.work() = work;
}

void Orchestrator::serve(const Event& event) {
  Node& node = *find(event.a);
  switch (static_cast<Errand>(event.b)) {
    case Errand::suspect:
      // A node that came back in time is left alone, also if it has gone down once more.
      if (event.b >> kErrandBits == outages_) suspect(node);
      return;
    case Errand::demote:
      demote(node);
      return;
    case Errand::rejoin:
      if (!node.alive() || node.role() != redis::Role::replica || node.follows()) return;
      if (primary_->paused()) return came_back(node);  // Nobody answers: it tries again.
      if (primary_->alive()) primary_->attach(node, true);
      return;
  }
}

void Orchestrator::suspect(Node& node) {
  if (&node != primary_ || (node.alive() && !node.paused())) return;
  world_.record({.actor = id().value, .kind = EventKind::suspected, .arg = node.id().value});
  failover();
  if (&node == primary_) went_down(node);  // Nobody to promote: look again later.
}

void Orchestrator::demote(Node& node) {
  if (&node == primary_ || !node.alive() || node.role() != redis::Role::primary) return;
  if (node.paused() || !primary_->alive() || primary_->paused()) {
    demote_later(node);  // It cannot be told, or there is nobody to follow.
  } else {
    node.demote(*primary_);
  }
}

bool Orchestrator::has_candidate() {
  candidates_.clear();
  for (Node* node : nodes_) {
    const bool eligible = node != primary_ && node->alive() && !node->paused() &&
                          node->role() == redis::Role::replica;
    if (eligible) candidates_.push_back(node);
  }
  return !candidates_.empty();
}

Node* Orchestrator::choose_replica() {
  if (!has_candidate()) return nullptr;
  // Sentinel sorts by replication offset (redis/src/sentinel.c compareSlavesForPromotion); ties by
  // creation.
  std::stable_sort(candidates_.begin(), candidates_.end(),
                   [](const Node* a, const Node* b) { return a->offset() > b->offset(); });
  const std::uint64_t index =
      world_.choose(ChoiceKind::promote, id(), Label::none, candidates_.size(),
                    witness_of(primary_->id().value, candidates_.size()));
  return candidates_[index];
}

void Orchestrator::failover() {
  const Work work = world_.work();
  world_.pass({.label = Label::failover_before_promote, .actor = id(), .server = primary_->id()});
  Node* old = primary_;
  Node* chosen = choose_replica();
  if (chosen == nullptr) return;
  const std::uint64_t lost =
      old->offset() > chosen->offset() ? old->offset() - chosen->offset() : 0;
  primary_ = chosen;
  ++epoch_;
  for (const Node* node : nodes_)
    old->detach(*node);  // The dead too: when they come back they follow the new one.
  chosen->promote(epoch_, lost);
  for (Node* node : nodes_) {
    const bool follows =
        node != chosen && node != old && node->alive() && node->role() == redis::Role::replica;
    if (follows) chosen->attach(*node, true);
  }
  if (old->alive()) demote_later(*old);
  announce();
  world_.pass({.label = Label::failover_promoted, .actor = id(), .server = chosen->id()});
  world_.work() = work;
}

void Orchestrator::announce() {
  const Duration spread = world_.config().topology.failover.rediscover_spread;
  for (Process* client : clients_) {
    const Work work = world_.work();
    world_.work() = {Span::of_actor(id()), {}, work.cause};
    const Duration delay = world_.choose_delay(ChoiceKind::rediscover, client->id(), spread,
                                               witness_of(primary_->id().value, epoch_));
    Event event{.type = EventType::rediscover, .actor = client->id()};
    event.a = primary_->id().value;
    event.b = epoch_;
    world_.schedule(world_.now() + delay, event);
    world_.work() = work;
  }
}

}  // namespace locklab
