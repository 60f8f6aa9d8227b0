// RedisServer: starting, stopping, asking.
// SPDX-License-Identifier: Apache-2.0
#include "tests/real/redis_server.h"

#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <poll.h>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

namespace locklab::real {

namespace {

constexpr std::size_t kSharedBytes = kShared * sizeof(std::int64_t);

std::string contents_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The first incremental file is the only one: nothing is rewritten here.
constexpr const char* kFile = "/appendonlydir/appendonly.aof.1.incr.aof";

}  // namespace

bool has_redis_server() {
  return access(kRedisServer, X_OK) == 0;
}

TemporaryFolder::TemporaryFolder() {
  std::string path = (std::filesystem::temp_directory_path() / "locklab-real-XXXXXX").string();
  if (mkdtemp(path.data()) == nullptr) throw Trouble("no temporary folder can be made");
  path_ = path;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

RedisServer::RedisServer(const TemporaryFolder& folder, const std::string& name, std::string fsync)
    : folder_(folder.path() + "/" + name),
      socket_path_(folder_ + "/socket"),
      clock_path_(folder_ + "/clock"),
      fsync_(std::move(fsync)) {
  std::filesystem::create_directory(folder_);
  const Descriptor file(open(clock_path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (!file.is_open() || ftruncate(file.get(), kSharedBytes) != 0) {
    throw Trouble("cannot write " + clock_path_);
  }
  void* const mapped =
      mmap(nullptr, kSharedBytes, PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0);
  if (mapped == MAP_FAILED) throw Trouble("cannot map " + clock_path_);
  shared_ = static_cast<volatile std::int64_t*>(mapped);
}

RedisServer::~RedisServer() {
  child_.kill();
  munmap(const_cast<std::int64_t*>(shared_), kSharedBytes);
}

void RedisServer::start() {
  Command command;
  command.argv = {kRedisServer, "--port", "0", "--unixsocket", socket_path_, "--dir", folder_,
                  "--save", "", "--logfile", folder_ + "/log", "--hz",
                  "100",  // Sooner done with what it does in turns, such as a resync.
                  "--enable-debug-command", "yes", "--repl-diskless-sync-delay", "0",
                  // By the set clock these could come at any time; a test sends nothing unasked.
                  "--repl-ping-replica-period", "1000000", "--repl-timeout", "10000000"};
  if (!fsync_.empty()) {
    for (const char* const word : {"--appendonly", "yes", "--appendfsync", fsync_.c_str(),
                                   "--auto-aof-rewrite-percentage", "0"})
      command.argv.emplace_back(word);
  }
  command.environment = {"LD_PRELOAD=" LOCKLAB_CLOCK_SHIM, "LOCKLAB_CLOCK=" + clock_path_};
  child_ = Child(command);
}

void RedisServer::await_up() {
  for (int waited = 0; waited < kPatienceMs; ++waited) {
    if (std::optional<Stream> stream = connect_to_path(socket_path_)) {
      admin_ = *std::move(stream);
      while (commands({{"PING"}}).front().is_error())
        poll(nullptr, 0, 1);  // It loads its file.
      // Only what reads a key finds it expired: no deletion at a moment of the server's own.
      command({"DEBUG", "SET-ACTIVE-EXPIRE", "0"});
      return;
    }
    poll(nullptr, 0, 1);
  }
  throw Trouble("redis-server does not come up; its log: " + contents_of(folder_ + "/log"));
}

void RedisServer::kill() {
  child_.kill();
  admin_.close();
  paused_ = false;
  unlink(socket_path_.c_str());
}

bool RedisServer::lose_from_file(std::size_t commands) {
  const std::string path = folder_ + kFile;
  const std::string bytes = contents_of(path);
  std::vector<std::size_t> ends;  // Of each command, or of its transaction.
  bool in_multi = false;
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t length = value_length(std::string_view(bytes).substr(at));
    if (length == 0) break;
    const Words words = words_of(decode(std::string_view(bytes).substr(at, length)));
    at += length;
    if (words.front() == "MULTI") in_multi = true;
    if (words.front() == "EXEC") in_multi = false;
    if (!in_multi && words.front() != "SELECT") ends.push_back(at);
  }
  if (commands > ends.size()) return false;
  const std::size_t left = commands == ends.size() ? 0 : ends[ends.size() - commands - 1];
  if (commands == 0) return true;
  if (static_cast<std::int64_t>(left) < shared_[kSynced]) return false;
  return truncate(path.c_str(), static_cast<off_t>(left)) == 0;
}

void RedisServer::pause() {
  if (!paused_) child_.stop();
  paused_ = true;
}

void RedisServer::resume() {
  child_.resume();
  paused_ = false;
}

std::vector<Value> RedisServer::commands(const std::vector<Words>& all) {
  std::string bytes;
  for (const Words& words : all)
    bytes += encode(words);
  admin_.write(bytes);
  std::vector<Value> replies;
  replies.reserve(all.size());
  for (std::size_t i = 0; i < all.size(); ++i)
    replies.push_back(decode(admin_.read_value()));
  return replies;
}

Value RedisServer::command(const Words& words) {
  Value reply = std::move(commands({words}).front());
  if (reply.is_error()) throw Trouble(words.front() + " answers " + reply.text);
  return reply;
}

std::int64_t RedisServer::unix_milliseconds() {
  const Value time = command({"TIME"});
  return number_of(time.children.at(0).text) * 1000 + number_of(time.children.at(1).text) / 1000;
}

}  // namespace locklab::real
