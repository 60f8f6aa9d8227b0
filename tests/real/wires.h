// Wires: a proxy between clients and servers that keeps every byte until it is told to pass it on.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "sim/ids.h"
#include "tests/real/sockets.h"

namespace locklab::real {

/// A request as its client has written it.
struct HeldRequest {
  std::uint32_t sent = 0;  // seq of its record.
  std::string bytes;
  Words argv;
  std::string title;  // "SET", or a script's name.
  HoldId hold;
  Span span;
};

/// An answer on its way to whoever reads that connection next.
struct HeldReply {
  std::string bytes;
  HoldId hold;  // Of its request.
};

/// One connection of a client, by way of the proxy.
struct Wire {
  ActorId client;
  ActorId server;
  Stream to_client;
  Stream to_server;
  bool refused = false;  // Nobody listened when it was opened.
  HoldId hold;           // Of the latest request.
  std::deque<HeldRequest> requests;
  std::deque<HeldReply> replies;
  bool unread = false;  // The first of them lies in the client's socket already.

  bool is_open_to_client() { return to_client.is_open() && to_client.pump(); }
};

class Wires {
 public:
  /// Connects to a server of the machine; nullopt: refused.
  using Connector = std::function<std::optional<Stream>(ActorId server)>;
  explicit Wires(Connector connect) : connect_(std::move(connect)) {}

  /// → the port where clients reach that server.
  std::uint16_t listen_for(ActorId server);
  bool knows(std::uint32_t connection) const { return wires_.count(connection) != 0; }
  Wire& at(std::uint32_t connection) { return wires_.at(connection); }
  /// Takes the connection that the client has just opened.
  void accept(std::uint32_t connection, ActorId client, ActorId server);
  /// Takes the request that the client has just written.
  void take(std::uint32_t connection, HeldRequest request);
  /// Passes the oldest request on.
  void pass_request(std::uint32_t connection);
  /// Delivers a request once more, on a connection of its own. → the reply, which nobody awaits.
  std::string repeat(ActorId server, const HeldRequest& request) const;
  /// Takes the reply to what was passed on. → its bytes.
  std::string take_reply(std::uint32_t connection);
  /// The record of the oldest request with that title that a client has for a server; 0: none.
  std::uint32_t blocked(ActorId server, HoldId hold, std::string_view title) const;
  /// The server is gone, and with it what it had not read.
  void server_ended(ActorId server);

 private:
  Connector connect_;
  std::map<ActorId, Listener> listeners_;
  std::map<std::uint32_t, Wire> wires_;
};

}  // namespace locklab::real
