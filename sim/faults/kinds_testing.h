// Faults under test: what everybody saw of one small run that one fault struck.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>
#include <string>

#include "sim/testing.h"

namespace locklab::testing {

/// What everybody saw of one run. Times are true milliseconds since the start.
struct Seen {
  std::string client;   // SET k, GET k, then a sleep of 100 ms; and its destructor, if it unwinds.
  std::string sibling;  // Another fiber of that client, which sleeps.
  std::string other;    // Another client, which has set `other`: GET k, GET other.
  std::string replica;  // What came to redis-1's replica.
  std::string clocks;   // What the wall and the monotonic clock of redis-1 have gained.

  friend bool operator==(const Seen&, const Seen&) = default;
  friend std::ostream& operator<<(std::ostream& out, const Seen& s) {
    return out << s.client << " | " << s.sibling << " | " << s.other << " | " << s.replica << " | "
               << s.clocks;
  }
};

class Trial {
 public:
  explicit Trial(FaultKind kind, Label label = Label::srv_applied) : kit_(replicated_world(1)) {
    if (kind != FaultKind::none) kit_.fault(strike(kind, label));
    kit_.client([this](Client& client) { first(client); }, 20_ms);
    kit_.client([this](Client& client) { second(client); });
    kit_.run_until(600_ms);
    seen_.replica = replica();
    seen_.clocks = gained(ClockId::wall) + "/" + gained(ClockId::monotonic);
  }
  const Seen& seen() const { return seen_; }
  Kit& kit() { return kit_; }

 private:
  /// At this label of client-1's SET, for 40 ms where that has a meaning.
  static PlannedFault strike(FaultKind kind, Label label) {
    PlannedFault fault = at_label(label, kind);
    fault.trigger.client = "client-1";
    fault.length = 40_ms;
    fault.offset = 4_ms;
    fault.ppb = kind == FaultKind::rate ? 1'000'000'000 : 100'000'000;
    fault.restarts = false;
    return fault;
  }

  std::string at() { return "@" + std::to_string(times_in(1_ms, kit_.now())) + " "; }
  std::string told(const Answer& answer) {
    if (answer.is_unknown()) return "unknown" + at();
    if (answer.is_unreachable()) return "refused" + at();
    return (answer.is_nil() ? "nil" : std::string(answer.text())) + at();
  }

  void first(Client& client) {
    struct Guard {
      Trial& trial;
      Client& client;
      bool done = false;
      ~Guard() {
        if (!done) {
          const Answer answer = client.redis().del("guard");
          trial.seen_.client += answer.is_integer(0) ? "sent" : "unsent";
          trial.seen_.client += trial.at();
        }
      }
    } guard{*this, client};
    client.go([this, &client] {
      client.sleep_for(30_ms);
      seen_.sibling += "woke" + at();
    });
    client.process().begin_operation(Operation::acquire, {});
    seen_.client += told(client.redis().set("k", "v", {.px = 10_s}));
    client.process().end_operation();
    seen_.client += told(client.redis().get("k"));
    client.sleep_for(100_ms);
    seen_.client += "end" + at();
    guard.done = true;
  }

  void second(Client& client) {
    client.redis().set("other", "w");
    client.sleep_for(40_ms);
    seen_.other += told(client.redis().get("k"));
    seen_.other += told(client.redis().get("other"));
  }

  std::string replica() {
    std::string text;
    for (const Record& record : kit_.history().records()) {
      if (record.who() != kit_.actor("replica-1")) continue;
      const bool set = record.kind == EventKind::key_set;
      if (!set && record.kind != EventKind::key_deleted) continue;
      text += (set ? "+" : "-") + std::string(kit_.history().text(record.lock)) + "@" +
              std::to_string(times_in(1_ms, since_start(record))) + " ";
    }
    return text;
  }
  std::string gained(ClockId clock) {
    const LocalInstant start = clock == ClockId::wall ? kWallEpoch : LocalInstant::origin();
    const LocalInstant now = kit_.host_of("redis-1").clock(clock).read(Instant::origin() + 600_ms);
    return to_string(now - start - 600_ms);
  }

  Kit kit_;
  Seen seen_;
};

inline const Seen kCalm = {"OK@30 v@40 end@140 ", "woke@50 ", "v@60 w@70 ", "+other@10 +k@30 ",
                           "0ms/0ms"};

}  // namespace locklab::testing
