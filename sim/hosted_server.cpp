// HostedServer: what waits, what is lost, and how it goes on.
// SPDX-License-Identifier: Apache-2.0
#include "sim/hosted_server.h"

#include <utility>

namespace locklab {

void HostedServer::begin_hosted() {
  alive_ = true;
  paused_ = false;
  restarting_ = false;
  life_ = 0;
  paused_until_ = Instant::origin();
  held_.clear();
}

void HostedServer::handle(const Event& event) {
  if (event.type == EventType::restart) return restart(event);
  if (event.type == EventType::wake) {
    if (paused_ && world_.now() >= paused_until_) run_on();
    return;
  }
  if (!alive_ && event.type == EventType::deliver) {
    network_.take(event.a, static_cast<Direction>(event.b));
    return;
  }
  if (!alive_ || paused_) {
    held_.push_back(event);
    return;
  }
  serve(event);
}

void HostedServer::run_on() {
  paused_ = false;
  world_.record({.actor = id().value, .kind = EventKind::resumed});
  for (const Event& held : std::exchange(held_, {}))
    world_.schedule_as({held.span, held.hold, held.cause}, world_.now(), held);
}

void HostedServer::pause(Duration length) {
  if (!alive_) return;
  const Instant until = world_.now() + length;
  if (paused_ && until <= paused_until_) return;
  paused_ = true;
  paused_until_ = until;
  world_.record({.actor = id().value, .kind = EventKind::paused, .result = record_bits(length)});
  world_.schedule(until, {.type = EventType::wake, .actor = id()});
}

void HostedServer::lose(Duration restart_after) {
  if (!alive_) return;
  alive_ = false;
  paused_ = false;
  std::erase_if(held_, [](const Event& held) { return held.type == EventType::deliver; });
  world_.record({.actor = id().value,
                 .kind = EventKind::killed,
                 .arg = static_cast<std::int64_t>(EndKind::host_loss)});
  network_.endpoint_ended(id(), false);
  network_.set_listening(id(), Network::Listening::silent);
  restarting_ = restart_after != Duration::forever();
  if (!restarting_) return;
  Event event{.type = EventType::restart, .actor = id(), .span = Span::of_actor(id())};
  event.a = life_;
  world_.arm({host(), ClockId::monotonic, world_.read(host(), ClockId::monotonic) + restart_after,
              DeadlineKind::restart, id(), event});
}

void HostedServer::heal() {
  if (alive_ || restarting_) return;
  restarting_ = true;
  Event event{.type = EventType::restart, .actor = id()};
  event.a = life_;
  world_.schedule_as({Span::of_actor(id()), {}, world_.work().cause}, world_.now(), event);
}

void HostedServer::restart(const Event& event) {
  if (event.a != life_ || world_.put_off(event)) return;
  alive_ = true;
  restarting_ = false;
  ++life_;
  network_.set_listening(id(), Network::Listening::yes);
  run_on();
}

}  // namespace locklab
