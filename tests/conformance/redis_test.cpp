// The engine against a real redis-server: the same commands, the same bytes.
// SPDX-License-Identifier: Apache-2.0
//
// Starts Debian's redis-server 7.0.15 on a loopback port of its own and stops it by its process id.
// Skipped where there is none. The clock of the engine is set by the server's TIME.
#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <fstream>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sstream>
#include <string>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>

#include "sim/redis/shell.h"

namespace locklab::redis {
namespace {

constexpr const char* kServer = "/usr/bin/redis-server";

sockaddr_in loopback(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

/// A port that was free a moment ago.
std::uint16_t free_port() {
  const int probe = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address = loopback(0);
  socklen_t size = sizeof address;
  std::uint16_t port = 0;
  if (bind(probe, reinterpret_cast<sockaddr*>(&address), size) == 0 &&
      getsockname(probe, reinterpret_cast<sockaddr*>(&address), &size) == 0) {
    port = ntohs(address.sin_port);
  }
  close(probe);
  return port;
}

/// A redis-server process and one connection to it.
class Server {
 public:
  Server() : port_(free_port()) {
    const std::string port = std::to_string(port_);
    const char* const argv[] = {kServer, "--port", port.c_str(), "--bind",    "127.0.0.1", "--save",
                                "",      "--dir",  "/tmp",       "--logfile", "/dev/null", nullptr};
    const bool started =
        posix_spawn(&pid_, kServer, nullptr, nullptr, const_cast<char**>(argv), environ) == 0;
    if (started) connect_patiently();
  }
  ~Server() {
    if (socket_ >= 0) close(socket_);
    if (pid_ <= 0) return;
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  [[nodiscard]] bool is_up() const { return socket_ >= 0; }

  /// The bytes of the reply.
  std::string run(const std::vector<std::string>& argv) {
    std::string request = "*" + std::to_string(argv.size()) + "\r\n";
    for (const std::string& word : argv) {
      request += "$" + std::to_string(word.size()) + "\r\n" + word + "\r\n";
    }
    if (write(socket_, request.data(), request.size()) != static_cast<ssize_t>(request.size())) {
      return "<lost connection>";
    }
    std::string reply;
    read_reply(reply);
    return reply;
  }

 private:
  void connect_patiently() {
    for (int attempt = 0; attempt < 200 && socket_ < 0; ++attempt) {
      const int candidate = socket(AF_INET, SOCK_STREAM, 0);
      const sockaddr_in address = loopback(port_);
      if (connect(candidate, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) {
        const timeval patience{5, 0};  // A server that hangs fails the test instead of hanging it.
        setsockopt(candidate, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
        socket_ = candidate;
      } else {
        close(candidate);
        poll(nullptr, 0, 25);
      }
    }
  }

  bool read_bytes(std::string& out, std::size_t count) {
    while (buffer_.size() < count) {
      char chunk[4096];
      const ssize_t size = read(socket_, chunk, sizeof chunk);
      if (size <= 0) return false;
      buffer_.append(chunk, static_cast<std::size_t>(size));
    }
    out.append(buffer_, 0, count);
    buffer_.erase(0, count);
    return true;
  }

  std::string read_line() {
    std::string line;
    while (line.size() < 2 || line.compare(line.size() - 2, 2, "\r\n") != 0) {
      if (!read_bytes(line, 1)) return "<lost connection>\r\n";
    }
    return line;
  }

  void read_reply(std::string& out) {
    const std::string line = read_line();
    out += line;
    if (line[0] != '$' && line[0] != '*') return;
    const long count = std::stol(line.substr(1));
    if (line[0] == '$' && count >= 0) read_bytes(out, static_cast<std::size_t>(count) + 2);
    if (line[0] != '*') return;
    for (long i = 0; i < count; ++i)
      read_reply(out);
  }

  std::uint16_t port_;
  pid_t pid_ = 0;
  int socket_ = -1;
  std::string buffer_;
};

/// The wall clock that the server reads, as its TIME tells it.
LocalInstant clock_of(Server& server) {
  const std::string reply = server.run({"TIME"});
  const std::size_t seconds = reply.find("\r\n", 4) + 2;
  const std::size_t rest = reply.find("\r\n", reply.find('$', seconds)) + 2;
  return LocalInstant::origin() + locklab::seconds(std::stoll(reply.substr(seconds))) +
         microseconds(std::stoll(reply.substr(rest)));
}

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
  if (access(kServer, X_OK) != 0) GTEST_SKIP() << "no " << kServer;
  Server server;
  ASSERT_TRUE(server.is_up());
  // Limits that no script of the list reaches, so that only Lua's own are met.
  Shell shell(ScriptOptions{.simulated = false, .instructions_max = 1'000'000'000});
  const std::vector<std::string> lines = commands_of(path);
  ASSERT_FALSE(lines.empty()) << path;

  for (const std::string& line : lines) {
    const std::vector<std::string> argv = split_words(line);
    shell.context().now = clock_of(server);
    const std::string ours = shell.run_resp2(argv);
    const std::string theirs = server.run(argv);
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
  // Relative expiries are far away, and none is read back: the clocks are not quite the same.
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
  if (access(kServer, X_OK) != 0) GTEST_SKIP() << "no " << kServer;
  Server server;
  ASSERT_TRUE(server.is_up());
  Shell shell;
  RandomCommands commands;
  std::string past;
  for (int step = 0; step < 20'000; ++step) {
    const std::vector<std::string> argv = commands.next();
    shell.context().now = clock_of(server);
    past += "\n";
    for (const std::string& word : argv)
      past += "'" + word + "' ";
    if (past.size() > 2000) past.erase(0, past.size() - 2000);
    ASSERT_EQ(shell.run_resp2(argv), server.run(argv)) << "after" << past;
  }
}

}  // namespace
}  // namespace locklab::redis
