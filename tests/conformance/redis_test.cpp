// The engine against a real redis-server: the same commands, the same bytes.
// SPDX-License-Identifier: Apache-2.0
//
// Debian's redis-server 7.0.15, with a clock that is set (tests/real/redis_server.h): the engine
// and the server read the same one. Skipped where there is none.
#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "sim/redis/shell.h"
#include "tests/real/redis_server.h"

namespace locklab::redis {
namespace {

/// The server and one connection to it, beside an engine; both are asked at the same instant.
class Pair {
 public:
  explicit Pair(const ScriptOptions& options = {}) : shell_(options), server_(folder_, "redis") {
    server_.set_clock(unix_microseconds(shell_.context().now));
    server_.start();
    server_.await_up();
    stream_ = real::connect_to_path(server_.socket_path()).value();
  }

  struct Replies {
    std::string ours;
    std::string theirs;
  };
  /// Their bytes.
  Replies run(const std::vector<std::string>& argv) {
    shell_.advance(kStep);
    server_.set_clock(unix_microseconds(shell_.context().now));
    stream_.write(real::encode(argv));
    return {shell_.run_resp2(argv), stream_.read_value()};
  }

 private:
  static constexpr Duration kStep = microseconds(1700);  // A fraction of a millisecond, too.

  Shell shell_;
  real::TemporaryFolder folder_;
  real::RedisServer server_;
  real::Stream stream_;
};

/// KEYS lists in hash order, which nobody can rely on: its reply as a sorted one.
std::string sorted_lines(const std::string& reply) {
  std::istringstream stream(reply);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);)
    lines.push_back(line);
  std::sort(lines.begin(), lines.end());
  std::string sorted;
  for (const std::string& line : lines)
    sorted += line + "\n";
  return sorted;
}

/// Lines of a file of commands; empty lines and lines that begin with # are left out.
std::vector<std::string> commands_of(const std::string& path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) {
    if (!line.empty() && line[0] != '#') lines.push_back(line);
  }
  return lines;
}

void compare(const std::string& path) {
  if (!real::has_redis_server()) GTEST_SKIP() << "no " << real::kRedisServer;
  // Limits that no script of the list reaches, so that only Lua's own are met.
  Pair pair(ScriptOptions{.simulated = false, .instructions_max = 1'000'000'000});
  const std::vector<std::string> lines = commands_of(path);
  ASSERT_FALSE(lines.empty()) << path;

  for (const std::string& line : lines) {
    const std::vector<std::string> argv = split_words(line);
    const auto [ours, theirs] = pair.run(argv);
    const bool unordered = equals_ignoring_case(argv[0], "KEYS");
    EXPECT_EQ(unordered ? sorted_lines(ours) : ours, unordered ? sorted_lines(theirs) : theirs)
        << line;
  }
}

TEST(Conformance, CommandsAnswerAsRedisDoes) {
  compare(LOCKLAB_SOURCE_DIR "/tests/conformance/commands.txt");
}
TEST(Conformance, ScriptsAnswerAsRedisDoes) {
  compare(LOCKLAB_SOURCE_DIR "/tests/conformance/scripts.txt");
}

/// Draws commands on a few keys of both types; the same ones in each run.
class RandomCommands {
 public:
  std::vector<std::string> next() {
    std::vector<std::string> argv = split_words(pick(kTemplates));
    for (std::string& word : argv) {
      if (word == "K") word = pick(kKeys);
      if (word == "F") word = pick(kFields);
      if (word == "V") word = pick(kValues);
    }
    return argv;
  }

 private:
  static constexpr std::array kTemplates = {
      "HSET K F V",    "HSET K F V F V", "HSETNX K F V",     "HGET K F",    "HMGET K F F",
      "HGETALL K",     "HDEL K F",       "HDEL K F F F",     "HEXISTS K F", "HLEN K",
      "HINCRBY K F V", "HKEYS K",        "HVALS K",          "HSTRLEN K F", "SET K V",
      "SET K V NX",    "SET K V XX GET", "SET K V KEEPTTL",  "GET K",       "GETSET K V",
      "GETDEL K",      "INCRBY K V",     "APPEND K V",       "STRLEN K",    "SETNX K V",
      "MGET K K",      "DEL K",          "DEL K K",          "EXISTS K K",  "TYPE K",
      "EXPIRE K 9000", "PERSIST K",      "EXPIRE K 9000 NX", "PEXPIRE K 0", "MSET K V K V"};
  static constexpr std::array kKeys = {"a", "b", "c"};
  static constexpr std::array kFields = {"f", "g", "a longer field", ""};
  static constexpr std::array kValues = {"1", "-2", "07", "text", "9223372036854775807", ""};

  template <class Words>
  const char* pick(const Words& words) {
    state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
    return words[(state_ >> 33) % words.size()];
  }
  std::uint64_t state_ = 20261130;
};

TEST(Conformance, RandomCommandsOnHashesAndStringsAnswerAsRedisDoes) {
  if (!real::has_redis_server()) GTEST_SKIP() << "no " << real::kRedisServer;
  Pair pair;
  RandomCommands commands;
  std::string past;
  for (int step = 0; step < 20'000; ++step) {
    const std::vector<std::string> argv = commands.next();
    past += "\n";
    for (const std::string& word : argv)
      past += "'" + word + "' ";
    if (past.size() > 2000) past.erase(0, past.size() - 2000);
    const auto [ours, theirs] = pair.run(argv);
    ASSERT_EQ(ours, theirs) << "after" << past;
  }
}

}  // namespace
}  // namespace locklab::redis
