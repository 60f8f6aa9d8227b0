// RedisServer: one redis-server process with a wall clock that is set, never running.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/real/child.h"
#include "tests/real/clock_shim.h"
#include "tests/real/sockets.h"

namespace locklab::real {

constexpr const char* kRedisServer = "/usr/bin/redis-server";
bool has_redis_server();

/// A folder of its own in the system's temporary one; removed with all that is in it.
class TemporaryFolder {
 public:
  TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// Starts in that folder, and ends with this process, however that ends. By the machine's clock.
Command redis_server_in(const std::string& folder);

/// Listens on a socket file in its folder: nobody else can take that name, as they could a port.
class RedisServer {
 public:
  /// `fsync`: of its append-only file, "everysec" or "always"; empty: it keeps none.
  /// `min_replicas`: connected ones, without which it refuses to write.
  RedisServer(const TemporaryFolder& folder, const std::string& name, std::string fsync = "",
              std::int64_t min_replicas = 0);
  RedisServer(const RedisServer&) = delete;
  RedisServer& operator=(const RedisServer&) = delete;
  ~RedisServer();

  /// Starts it, with what its file has; it is up when await_up() returns.
  void start();
  void await_up();
  /// When its file has all that it has answered.
  void kill();
  /// What is lost with the operating system, of one that has been killed: the last commands of its
  /// file, or transactions. false: so many had not been written since the last fdatasync.
  bool lose_from_file(std::size_t commands);
  void pause();  // As kill().
  void resume();
  bool answers() const { return child_.runs() && !paused_; }

  /// What its wall clock reads from now on.
  void set_clock(std::int64_t unix_microseconds) { shared_[kClock] = unix_microseconds; }
  std::int64_t clock() const { return shared_[kClock]; }
  /// An operator's command, over a connection of its own.
  Value command(const Words& words);
  std::vector<Value> commands(const std::vector<Words>& all);
  /// What the server says that its clock reads, in milliseconds (TIME).
  std::int64_t unix_milliseconds();
  const std::string& socket_path() const { return socket_path_; }

 private:
  void await_file();

  std::string folder_;
  std::string socket_path_;
  std::string clock_path_;
  std::string fsync_;
  std::int64_t min_replicas_;
  volatile std::int64_t* shared_ = nullptr;  // With the shim.
  std::int64_t starts_at_ = 0;               // What the clock was set to before start().
  Child child_;
  Stream admin_;
  bool paused_ = false;
};

}  // namespace locklab::real
