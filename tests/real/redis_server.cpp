// RedisServer: starting, stopping, asking.
// SPDX-License-Identifier: Apache-2.0
#include "tests/real/redis_server.h"

#include <cerrno>
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
constexpr std::int64_t kDayUs = 24L * 3600 * 1000 * 1000;

std::string contents_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

constexpr const char* kSecondsMost = "2147483647";

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

Command redis_server_in(const std::string& folder) {
  // By a name without spaces and colons, which end a name there, and the folders' names may have.
  const std::string shim = folder + "/shim.so";
  if (symlink(LOCKLAB_CLOCK_SHIM, shim.c_str()) != 0 && errno != EEXIST) {
    throw Trouble("cannot link " + shim);
  }
  Command command;
  command.argv = {kRedisServer};
  command.folder = folder;
  command.environment = {"LD_PRELOAD=./shim.so"};
  return command;
}

RedisServer::RedisServer(const TemporaryFolder& folder, const std::string& name, std::string fsync,
                         std::int64_t min_replicas)
    : folder_(folder.path() + "/" + name),
      socket_path_(folder_ + "/socket"),
      clock_path_(folder_ + "/clock"),
      fsync_(std::move(fsync)),
      min_replicas_(min_replicas) {
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
  Command command = redis_server_in(folder_);
  command.argv = {kRedisServer, "--port", "0", "--unixsocket", socket_path_, "--save", "",
                  "--logfile", "log", "--hz",
                  "100",  // Sooner done with what it does in turns, such as a resync.
                  "--enable-debug-command", "yes", "--repl-diskless-sync-delay", "0",
                  // Both go by the set clock, which keys.cpp turns back to 1970 for a moment: no
                  // ping that nobody has asked for, and no link that is given up.
                  "--repl-ping-replica-period", kSecondsMost, "--repl-timeout", kSecondsMost,
                  // Replicas acknowledge by the machine's seconds and are late by the set clock's:
                  // here a replica is missed when its connection has ended.
                  "--min-replicas-to-write", word_of(min_replicas_), "--min-replicas-max-lag",
                  kSecondsMost};
  if (!fsync_.empty()) {
    for (const char* const word : {"--appendonly", "yes", "--appendfsync", fsync_.c_str(),
                                   "--auto-aof-rewrite-percentage", "0"})
      command.argv.emplace_back(word);
  }
  command.environment.push_back("LOCKLAB_CLOCK=" + clock_path_);
  // A day before, nothing that its file holds has expired: no deletion until it is forbidden. The
  // first write behind such a start is synced at once; nobody loses the system within that second.
  starts_at_ = clock();
  if (starts_at_ != 0 && std::filesystem::exists(folder_ + kFile)) set_clock(starts_at_ - kDayUs);
  child_ = Child(command);
}

void RedisServer::await_up() {
  bool up = false;
  for (int waited = 0; waited < kPatienceMs && !up; ++waited) {
    if (!admin_.is_open()) {
      if (std::optional<Stream> stream = connect_to_path(socket_path_)) admin_ = *std::move(stream);
    }
    // An error: it loads its file.
    up = admin_.is_open() && !commands({{"PING"}}).front().is_error();
    if (!up) poll(nullptr, 0, 1);
  }
  if (!up) {
    throw Trouble("redis-server does not come up; its log: " + contents_of(folder_ + "/log"));
  }
  // Only what reads a key finds it expired: no deletion at a moment of the server's own.
  command({"DEBUG", "SET-ACTIVE-EXPIRE", "0"});
  set_clock(starts_at_);
  if (clock() != 0 && unix_milliseconds() != clock() / 1000) {
    throw Trouble("redis-server does not read the clock that is set");
  }
}

/// While an fdatasync is under way, writes to the file wait, and answers do not
/// (redis/src/aof.c flushAppendOnlyFile). How long one takes on this machine is no part of a story.
void RedisServer::await_file() {
  if (fsync_.empty() || !answers()) return;
  for (int waited = 0; waited < kPatienceMs; ++waited) {
    const std::string info = command({"INFO", "persistence"}).text;
    if (info.find("aof_buffer_length:0\r") != std::string::npos) return;
    poll(nullptr, 0, 1);
  }
  throw Trouble("a server does not write its file");
}

void RedisServer::kill() {
  await_file();
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
  await_file();
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
