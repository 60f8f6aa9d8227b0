// RealClient: the driver's side of one client process: where it stands, and what lets it go on.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "sim/choice.h"
#include "sim/clock.h"
#include "sim/ids.h"
#include "sim/label.h"
#include "sim/time.h"
#include "tests/real/child.h"
#include "tests/real/setup.h"
#include "tests/real/sockets.h"

namespace locklab::real {

/// What the client's clocks read.
struct Readings {
  LocalInstant monotonic;
  LocalInstant wall;
};

/// The end of a lease as the client has told it to its own watch.
struct ClaimWatch {
  HoldId hold;
  std::string lock;
  LocalInstant until;
};

/// The story needs something that a real process is not given here.
class Unmapped : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class RealClient {
 public:
  using Chooser = std::function<std::uint64_t(Span, ActorId, std::int64_t kind)>;
  /// `delay_max`: how long a fiber that could go on may be held, by choice.
  RealClient(const ClientSetup& setup, Instant now, Duration delay_max, Chooser choose);

  /// What true time it is, for what becomes ready now.
  void set_time(Instant now) { now_ = std::max(now, now_); }
  /// When it gives up waiting for a reply on that connection, by its own clock and its own word;
  /// nullopt: it awaits none.
  std::optional<LocalInstant> deadline(std::uint32_t connection) const;
  /// Whether it still awaits a reply that it should have given up before that instant.
  bool is_overdue(const LocalClock& monotonic, Instant at) const;
  /// The fiber that goes on first, without an act yet, and when; nullopt: none does by itself.
  struct Next {
    std::uint32_t fiber = 0;
    Instant at;
  };
  std::optional<Next> next(const LocalClock& monotonic);
  /// Fibers that stand at an act, or could come to one by now, in the order in which they could.
  std::vector<std::uint32_t> ready(const LocalClock& monotonic, Instant now);
  bool lives(std::uint32_t fiber) const { return fibers_.count(fiber) != 0; }
  std::size_t fiber_count() const { return fibers_.size(); }
  /// Its program has ended, and a fiber that it has started has not.
  bool outlives_its_program() const { return !fibers_.empty() && !lives(program_fiber_); }

  /// Where all its fibers stand, for people.
  std::string whereabouts() const;
  /// Where the fiber stands: the words of setup.h.
  const Words& gate(std::uint32_t fiber) const { return fibers_.at(fiber).gate; }
  Span span(std::uint32_t fiber) const { return fibers_.at(fiber).span; }
  bool stands_at(std::uint32_t fiber, std::string_view what) const {
    return gate(fiber).front() == what;
  }
  /// Behind the gate, and on to the next.
  void go(std::uint32_t fiber, const Readings& now);
  /// As far as it goes without an act, or to the label if that comes first. false: it waits.
  bool advance(std::uint32_t fiber, const Readings& now, Label label = Label::none);
  void send_over(std::uint32_t fiber, std::uint32_t connection, const Readings& now);
  /// Lets what runs come to rest: fibers that stand at a label and that nothing holds there.
  void settle(const Readings& readings, Instant now);
  /// After send_over(), once the request has been read: on to the next gate.
  void await_gate(std::uint32_t fiber);
  /// → the bytes that it read from its socket.
  std::string outcome(std::uint32_t connection, const std::string& what);
  void set_primary(ActorId primary);
  void stall(std::uint32_t fiber, Instant until) { fibers_.at(fiber).stalled_until = until; }
  /// It is thrown out of what it waits for, or out of the next gate.
  void strike(std::uint32_t fiber, const std::string& what, bool recovered);

  /// Behind the last gate of a fiber, or of the process.
  void finish(std::uint32_t fiber, const Readings& now);

  void pause() {
    child_.stop();
    paused_ = true;
  }
  /// What has come meanwhile is delivered first; then its fibers go on.
  void resume(Instant now);
  bool is_paused() const { return paused_; }
  void kill() { child_.kill(); }
  int wait_for_end() { return child_.wait_for_end(); }

  std::optional<ClaimWatch> watch;
  /// What its next life begins with.
  std::int64_t operations = 0;
  std::vector<std::int64_t> progress;

 private:
  struct Fiber {
    std::uint32_t index = 0;
    Words gate;
    Span span;
    bool woken = false;       // Of one that sleeps or awaits.
    std::uint64_t since = 0;  // Its place among those that can go on,
    Instant from;             // and the instant from which it does.
    Instant stalled_until;
    bool after_data = false;  // Stood at a label through a pause that has just ended.
  };
  /// A request without an outcome yet.
  struct Awaited {
    std::uint32_t fiber = 0;
    LocalInstant deadline;
  };
  void forget_awaited(std::uint32_t fiber);
  /// Reads one message. → its words, unless it needs no attention.
  std::optional<Words> listen();
  Words listen_for(std::string_view what);
  void stand(Fiber& fiber, const Words& words);
  void wake(Fiber& fiber, Instant at);
  void wake_sleepers(const LocalClock& monotonic, Instant now);
  bool is_timeless(const Fiber& fiber) const;
  bool is_waiting(const Fiber& fiber) const;
  bool has_an_act(const Fiber& fiber) const;

  Chooser choose_;
  Duration delay_max_;
  bool probes_;
  bool paused_ = false;
  Instant now_;
  Instant awake_since_;
  std::uint32_t program_fiber_;
  std::uint64_t events_ = 0;
  Stream control_;
  Child child_;  // Dies before its control connection does.
  std::map<std::uint32_t, Fiber> fibers_;
  std::map<std::uint32_t, Awaited> awaited_;  // By connection.
};

}  // namespace locklab::real
