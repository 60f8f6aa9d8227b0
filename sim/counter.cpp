// Counter: one number further for each request.
// SPDX-License-Identifier: Apache-2.0
#include "sim/counter.h"

#include <utility>

namespace locklab {

void Counter::serve(const Event& event) {
  const std::optional<Message> request = network_.take(event.a, static_cast<Direction>(event.b));
  if (!request || request->kind != MessageKind::fence_request) return;
  ++value_;
  world_.record({.actor = id().value, .kind = EventKind::fence_issued, .fence = value_});
  Connection& connection = network_.at(event.a);
  if (std::exchange(connection.lose_next_reply, false)) return network_.reset(event.a);
  if (!connection.client_open) return;
  Message reply;
  reply.kind = MessageKind::reply;
  reply.work = world_.work();
  reply.command = request->command;
  reply.code = value_;
  reply.body = &(world_.arena().make_array<std::uint32_t>(1)[0] = value_);
  network_.send(event.a, Direction::to_client, reply);
}

}  // namespace locklab
