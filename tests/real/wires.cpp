// Wires: holding, passing on, breaking.
// SPDX-License-Identifier: Apache-2.0
#include "tests/real/wires.h"

#include <utility>

namespace locklab::real {

std::uint16_t Wires::listen_for(ActorId server) {
  Listener& listener = listeners_[server];
  if (!listener.descriptor.is_open()) listener = listen_on_loopback();
  return listener.port;
}

void Wires::accept(std::uint32_t connection, ActorId client, ActorId server) {
  Wire& wire = wires_[connection];
  wire.client = client;
  wire.server = server;
  wire.to_client = listeners_.at(server).accept();
  if (std::optional<Stream> stream = connect_(server)) {
    wire.to_server = *std::move(stream);
  } else {
    wire.refused = true;
  }
}

void Wires::take(std::uint32_t connection, HeldRequest request) {
  Wire& wire = at(connection);
  request.bytes = wire.to_client.read_value();
  request.argv = words_of(decode(request.bytes));
  wire.hold = request.hold;
  wire.requests.push_back(std::move(request));
}

void Wires::pass_request(std::uint32_t connection) {
  Wire& wire = at(connection);
  if (!wire.to_server.is_open()) throw Trouble("a request for a server that is gone");
  wire.to_server.write(wire.requests.front().bytes);
}

std::string Wires::repeat(ActorId server, const HeldRequest& request) const {
  std::optional<Stream> stream = connect_(server);
  if (!stream) throw Trouble("a request that is repeated for a server that is gone");
  stream->write(request.bytes);
  return stream->read_value();
}

std::string Wires::take_reply(std::uint32_t connection) {
  return at(connection).to_server.read_value();
}

std::uint32_t Wires::blocked(ActorId server, HoldId hold, std::string_view title) const {
  for (const auto& [connection, wire] : wires_) {
    if (wire.server != server || wire.requests.empty()) continue;
    const HeldRequest& request = wire.requests.front();
    if (request.title == title && request.hold == hold) return request.sent;
  }
  return 0;
}

void Wires::server_ended(ActorId server) {
  for (auto& [connection, wire] : wires_) {
    if (wire.server != server) continue;
    if (wire.to_server.is_open() && wire.to_server.pump()) {
      throw Trouble("a server that has died has not closed a connection");
    }
    wire.to_server.close();
  }
}

}  // namespace locklab::real
