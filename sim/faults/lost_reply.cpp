// lost-reply: a command is applied, then its connection breaks before the reply has arrived.
// SPDX-License-Identifier: Apache-2.0
#include "sim/faults/fault.h"

namespace locklab {
namespace {

/// The reply meant has left already; else it is that of the next command to be executed.
bool has_left(const Connection& connection, const Strike& strike) {
  return strike.point.label == Label::srv_replied || connection.unanswered == 0;
}

bool possible(const Stage& stage, const Strike& s) {
  const Connection& connection = stage.network->at(s.connection);
  const bool lives = connection.client_open && connection.server_open && !connection.broken;
  if (!lives || connection.lose_next_reply) return false;
  return !has_left(connection, s) || stage.network->reply_under_way(s.connection);
}

void begin(Stage& stage, ActiveFault& fault) {
  const Strike& s = fault.strike;
  Connection& connection = stage.network->at(s.connection);
  if (has_left(connection, s)) {
    stage.network->lose_sent_reply(s.connection);
  } else {
    connection.lose_next_reply = true;
  }
}

}  // namespace

FaultSpec lost_reply() {
  return {FaultKind::lost_reply, TargetSort::connection, {}, false, begin, nullptr, possible};
}

}  // namespace locklab
