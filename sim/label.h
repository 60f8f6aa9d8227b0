// Labels: the named points of a run at which a fault can strike.
// SPDX-License-Identifier: Apache-2.0
//
// Random timing alone finds a pause between check and send in 0.2 % of runs, a labelled point in
// 77 %. The actor of a label is who executes it: the node for srv.* and repl.*, the process for
// acq.*, hold.*, res.before_send, res.sent, wd.* and rel.*.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace locklab {

enum class Label : std::uint8_t {
  none,
  acq_before_send,      // a command of an acquire is about to be written to its connection
  acq_sent,             // it has been written; the reply is awaited
  acq_between,          // between two commands of one acquire
  srv_applied,          // a node has executed a command; reply and effects have not left
  srv_replied,          // the reply has left
  repl_before_send,     // the effects are about to leave for one replica
  acq_after_quorum,     // votes are counted, validity not yet checked
  acq_return,           // acquire is about to return to the program
  hold_check_ok,        // a checked client has found its lease valid
  res_before_send,      // a guarded operation is about to be sent to the resource
  res_sent,             // it has been sent
  res_applied,          // the resource has decided on it
  wd_before_tick,       // a watchdog has woken
  wd_sent,              // its renewal has been sent
  wd_result,            // its renewal's outcome is known
  rel_between_get_del,  // between the check and the delete of a two-step release
  rel_before_send,      // a command of a release is about to be sent
  rel_sent,             // it has been sent
  rel_return,           // release is about to return
  failover_before_promote,
  failover_promoted,
  node_before_restart,
  count
};

/// "acq.before_send"; "" for none.
std::string_view name_of(Label label);
std::optional<Label> label_named(std::string_view name);

}  // namespace locklab
