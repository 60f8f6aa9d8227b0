// The orchestrator against a real Sentinel: who grants a lock before, during and after a failover.
// SPDX-License-Identifier: Apache-2.0
//
// A primary, its replica and one Sentinel on loopback ports. The primary is stopped until Sentinel
// has promoted the replica, and goes on: what a lock's client is answered at each step is compared
// with the simulation. When things happen is Sentinel's own affair (in the simulation, choices).
#include <filesystem>
#include <fstream>
#include <optional>
#include <poll.h>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "sim/testing.h"
#include "tests/real/redis_server.h"

namespace locklab::real {
namespace {

using testing::at_time;
using testing::Kit;

/// Sentinel demotes an old primary after four hellos of 2 s and up to one INFO period of 10 s
/// (redis/src/sentinel.c sentinelRefreshInstanceInfo); a machine under load takes longer.
constexpr int kPatienceSeconds = 90;

std::uint16_t free_port() {
  return listen_on_loopback().port;  // It was free a moment ago; who is too late does not come up.
}

/// A redis-server, or a Sentinel, that listens on a loopback port.
class Instance {
 public:
  Instance(const TemporaryFolder& folder, const std::string& name, const Words& words)
      : port_(free_port()) {
    const std::string own = folder.path() + "/" + name;
    std::filesystem::create_directory(own);
    // Sentinel rewrites the file of each, and its own.
    std::ofstream(own + "/redis.conf")
        << "port " << port_ << "\nbind 127.0.0.1\nsave \"\"\nlogfile log\n";
    Command command = redis_server_in(own);
    command.argv.emplace_back("redis.conf");
    command.argv.insert(command.argv.end(), words.begin(), words.end());
    child_ = Child(command);
  }

  std::string port() const { return std::to_string(port_); }
  void stop() { child_.stop(); }
  void resume() { child_.resume(); }

  /// Over a new connection; nullopt: nobody listens yet, or it ended without an answer.
  std::optional<Value> ask(const Words& words) const {
    std::optional<Stream> stream = connect_to_port(port_);
    if (!stream) return std::nullopt;
    try {
      stream->write(encode(words));
      return decode(stream->read_value());
    } catch (const Trouble&) {
      return std::nullopt;
    }
  }

 private:
  std::uint16_t port_;
  Child child_;
};

std::string in_words(const Value& value) {
  if (value.kind == redis::ReplyKind::nil) return "nil";
  return value.kind == redis::ReplyKind::integer ? word_of(value.integer) : value.text;
}

std::string in_words(const Answer& answer) {
  return answer.is_nil() ? "nil" : std::string(answer.text());
}

std::string reply(const Instance& instance, const Words& words) {
  const std::optional<Value> value = instance.ask(words);
  return value ? in_words(*value) : "no reply";
}

/// Asks ten times a second until `is_it` is content with an answer.
bool comes(const Instance& instance, const Words& question, bool (*is_it)(const Value&)) {
  for (int i = 0; i < kPatienceSeconds * 10; ++i) {
    const std::optional<Value> value = instance.ask(question);
    if (value && is_it(*value)) return true;
    poll(nullptr, 0, 100);
  }
  return false;
}

bool is_pong(const Value& value) {
  return value.text == "PONG";
}
bool is_primary(const Value& role) {
  return !role.children.empty() && role.children[0].text == "master";
}
bool is_followed(const Value& role) {
  return is_primary(role) && !role.children[2].children.empty();
}
bool is_synchronised_replica(const Value& role) {
  return role.children.size() == 5 && role.children[3].text == "connected";
}
bool has_an_entry(const Value& list) {
  return !list.children.empty();
}

constexpr std::string_view kLock = "lock:order-42";
using Lines = std::vector<std::string>;

/// What a real failover answers, step by step.
class RealFailover {
 public:
  RealFailover()
      : primary_(folder_, "primary", {}),
        replica_(folder_, "replica", {"--replicaof", "127.0.0.1 " + primary_.port()}),
        sentinel_(folder_, "sentinel", {"--sentinel"}) {}

  Lines play() {
    await_all();
    say("primary", primary_, {"SET", "before", "kept"});
    await(primary_, {"WAIT", "1", "1000"}, [](const Value& value) { return value.integer == 1; });
    primary_.stop();
    await(replica_, {"ROLE"}, is_primary);
    say("promoted", replica_, {"GET", "before"});
    say("promoted", replica_, set("nonce-b"));
    primary_.resume();
    say("old primary", primary_, set("nonce-a"));
    say("old primary", primary_, {"GET", std::string(kLock)});
    await(primary_, {"ROLE"}, is_synchronised_replica);
    say("old primary", primary_, {"GET", std::string(kLock)});
    say("old primary", primary_, set("nonce-c"));
    say("promoted", replica_, {"GET", std::string(kLock)});
    return lines_;
  }

 private:
  static Words set(const char* nonce) {
    return {"SET", std::string(kLock), nonce, "NX", "PX", "600000"};
  }
  void say(const std::string& who, const Instance& instance, const Words& words) {
    lines_.push_back(who + ": " + words[0] + " -> " + reply(instance, words));
  }
  static void await(const Instance& instance, const Words& question, bool (*is_it)(const Value&)) {
    if (!comes(instance, question, is_it)) throw Trouble(question[0] + ": never as awaited");
  }
  void await_all() {
    await(sentinel_, {"PING"}, is_pong);
    await(primary_, {"ROLE"}, is_followed);
    await(replica_, {"ROLE"}, is_synchronised_replica);
    for (const Words& words : {Words{"SENTINEL", "MONITOR", "m", "127.0.0.1", primary_.port(), "1"},
                               Words{"SENTINEL", "SET", "m", "down-after-milliseconds", "1000"}}) {
      if (reply(sentinel_, words) != "OK") throw Trouble("Sentinel refuses " + words[1]);
    }
    await(sentinel_, {"SENTINEL", "REPLICAS", "m"}, has_an_entry);
  }

  TemporaryFolder folder_;
  Instance primary_;
  Instance replica_;
  Instance sentinel_;
  Lines lines_;
};

/// The same steps in the simulation.
Lines simulated_failover() {
  WorldConfig config = testing::replicated_world(1);
  config.topology.failover.automatic = true;
  config.topology.failover.detect = milliseconds(500);
  config.topology.failover.demote_after = seconds(8);
  Kit kit(config);
  PlannedFault stop = at_time(milliseconds(200), FaultKind::node_pause, "redis-1");
  stop.length = seconds(2);
  kit.fault(stop);
  Lines lines;
  kit.client([&lines](Client& client) {
    const auto say = [&lines](const std::string& who, const char* command, const Answer& answer) {
      lines.push_back(who + ": " + command + " -> " + in_words(answer));
    };
    const SetOptions options{.nx = true, .px = seconds(600)};
    const auto at = [&client](std::int64_t ms) {
      client.sleep_until(LocalInstant::origin() + milliseconds(ms));
    };
    say("primary", "SET", client.redis(0).set("before", "kept"));
    at(1500);  // Stopped, and replaced.
    say("promoted", "GET", client.redis(1).get("before"));
    say("promoted", "SET", client.redis(1).set(kLock, "nonce-b", options));
    at(3000);  // It goes on.
    say("old primary", "SET", client.redis(0).set(kLock, "nonce-a", options));
    say("old primary", "GET", client.redis(0).get(kLock));
    at(15000);  // Demoted.
    say("old primary", "GET", client.redis(0).get(kLock));
    say("old primary", "SET", client.redis(0).set(kLock, "nonce-c", options));
    say("promoted", "GET", client.redis(1).get(kLock));
  });
  kit.run();
  return lines;
}

TEST(Sentinel, FailsOverAsTheOrchestratorDoes) {
  if (!has_redis_server()) GTEST_SKIP() << kRedisServer << " is not there";
  const Lines expected = {
      "primary: SET -> OK",
      "promoted: GET -> kept",
      "promoted: SET -> OK",
      "old primary: SET -> OK",  // Two grants of one lock.
      "old primary: GET -> nonce-a",
      "old primary: GET -> nonce-b",  // What it granted is lost.
      "old primary: SET -> READONLY You can't write against a read only replica.",
      "promoted: GET -> nonce-b",
  };
  EXPECT_EQ(simulated_failover(), expected);
  EXPECT_EQ(RealFailover().play(), expected);
}

}  // namespace
}  // namespace locklab::real
