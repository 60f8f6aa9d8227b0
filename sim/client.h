// Client: what lock code may know and do: its own clocks, the servers, fresh nonces, fibers.
// SPDX-License-Identifier: Apache-2.0
//
// Models include this header and sim/go.h, and nothing of the world: true time is out of reach.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>

#include "sim/label.h"
#include "sim/redis/reply.h"
#include "sim/task.h"
#include "sim/time.h"

namespace locklab {

class Process;
struct Request;
struct Stage;
class Client;

/// The longest that one command takes with all its tries and the waits between them.
Duration longest_command(Duration timeout, std::uint32_t retries);

/// What a command came to. Unknown: no reply in time, or the connection broke; it may have been
/// executed. Refused: nobody listened; it was not.
class Answer {
 public:
  Answer() = default;  // Unknown.
  static Answer replied(const redis::Reply& reply) { return Answer(Known::replied, reply); }
  static Answer unknown() { return Answer(Known::unknown, {}); }
  static Answer unreachable() { return Answer(Known::unreachable, {}); }

  bool is_unknown() const { return known_ == Known::unknown; }
  bool is_unreachable() const { return known_ == Known::unreachable; }
  bool is_ok() const { return reply_.is_ok(); }
  bool is_nil() const { return known_ == Known::replied && reply_.is_nil(); }
  bool is_integer(std::int64_t value) const { return reply_.is_integer(value); }
  bool is_error() const { return reply_.is_error(); }
  bool is_error(std::string_view code) const { return reply_.is_error(code); }
  std::int64_t integer() const { return reply_.integer(); }
  std::string_view text() const { return reply_.text(); }

 private:
  enum class Known : std::uint8_t { replied, unknown, unreachable };
  Answer(Known known, const redis::Reply& reply) : known_(known), reply_(reply) {}

  Known known_ = Known::unknown;
  redis::Reply reply_;
};

/// One answer per node, by node number.
class Answers {
 public:
  static constexpr std::size_t kMax = 16;
  std::size_t size() const { return size_; }
  const Answer& operator[](std::size_t node) const { return answers_[node]; }
  const Answer* begin() const { return answers_.data(); }
  const Answer* end() const { return answers_.data() + size_; }

 private:
  friend class Redis;
  std::array<Answer, kMax> answers_;
  std::size_t size_ = 0;
};

/// A server script with a name for stories. Sent as EVALSHA, and as EVAL when the server does not
/// know it (as go-redis' Script.Run does).
struct Script {
  std::string_view name;
  std::string_view body;
};

struct SetOptions {
  bool nx = false;
  std::optional<Duration> px;
};

/// Commands to one server, or the same command to several at once.
class Redis {
 public:
  /// A copy that gives up on a reply after this long, counted from before sending.
  Redis with_timeout(Duration timeout) const;
  /// A copy that sends each command once, whatever the client's policy.
  Redis without_retries() const;

  Answer set(std::string_view key, std::string_view value, const SetOptions& options = {});
  Answer setnx(std::string_view key, std::string_view value);
  Answer get(std::string_view key);
  Answer del(std::string_view key);
  Answer pexpire(std::string_view key, Duration ttl);
  Answer incr(std::string_view key);
  Answer eval(const Script& script, std::initializer_list<std::string_view> keys,
              std::initializer_list<std::string_view> arguments);
  /// WAIT: how many replicas have acknowledged what this client's connection had written, as soon
  /// as they are that many, or after `timeout`, a positive one. The reply is waited for that much
  /// longer than others. Never sent again: on another connection it would speak of nothing.
  Answer wait(std::uint32_t replicas, Duration timeout);
  Answer command(std::initializer_list<std::string_view> argv);

  /// To every server of this handle at once; the wait ends when all have an outcome or the deadline
  /// passes.
  Answers set_all(std::string_view key, std::string_view value, const SetOptions& options);
  Answers eval_all(const Script& script, std::initializer_list<std::string_view> keys,
                   std::initializer_list<std::string_view> arguments);

 private:
  friend class Client;
  Redis(Client& client, std::size_t first, std::size_t count);
  /// Sends to the servers that have not answered. → false: the caller was cancelled.
  bool ask(const Request& request, Answers& answers);
  Answers send(std::span<const std::string_view> argv, std::string_view title);
  Answers send_script(const Script& script, std::initializer_list<std::string_view> keys,
                      std::initializer_list<std::string_view> arguments);

  Client* client_;
  std::size_t first_;  // Node number; kPrimary: the primary as the client knows it.
  std::size_t count_;
  Duration timeout_;
  std::uint32_t retries_;
  static constexpr std::size_t kPrimary = SIZE_MAX;
};

class Client {
 public:
  /// `retries`: how many times a command to Redis that has come to nothing (no reply in time, a
  /// broken connection, nobody listening) is sent again, after a back-off: on another connection,
  /// or on the same where the pool keeps it. As go-redis' MaxRetries, which retries some errors of
  /// the server too. Of commands to several servers, only to those without an answer.
  Client(Process& process, Stage& stage, Duration command_timeout, std::uint32_t retries = 0);

  /// The monotonic clock of this process's host; deadlines are read from it.
  LocalInstant now() const;
  /// The wall clock, which may jump.
  LocalInstant wall_now() const;
  void sleep_for(Duration length);
  void sleep_until(LocalInstant deadline);
  /// In [0, bound), by choice; 0 in the calm run.
  Duration jitter(Duration bound);

  /// The primary as this client knows it (with independent nodes: the first).
  Redis redis();
  /// The node with this number, from 0.
  Redis redis(std::size_t node);
  /// All independent nodes at once.
  Redis all_nodes();
  std::size_t node_count() const;
  /// The next number of the linearizable counter; nullopt: unknown, or the counter is unreachable.
  std::optional<std::uint32_t> next_fence();

  /// A value that no other attempt of any client uses: a function of (process, operation, attempt),
  /// which begins a new attempt.
  std::string_view new_nonce();
  /// A duration as a server takes it: "1000". Lives until the execution ends.
  std::string_view in_milliseconds(Duration length);
  /// A labelled yield point of the algorithm, where faults may strike.
  void reach(Label label);
  /// Runs `body` on another fiber of this process.
  void go(Task body);
  /// Crashes this fiber as a Go panic does: its stack unwinds; recovered, its process lives.
  [[noreturn]] void panic(bool recovered);

  /// false: only destructors still run, and nothing that they do has an effect.
  bool process_lives() const;

  Process& process() { return *process_; }
  Stage& stage() { return *stage_; }

 private:
  friend class Redis;
  Process* process_;
  Stage* stage_;
  Duration command_timeout_;
  std::uint32_t retries_;
};

}  // namespace locklab
