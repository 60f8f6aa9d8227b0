// Testing: posix_spawn, two temporary files for what is said, and a deadline.
// SPDX-License-Identifier: Apache-2.0
#include "cli/testing.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <optional>
#include <spawn.h>
#include <sstream>
#include <stdexcept>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace locklab::cli::testing {
namespace {

std::string contents(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// Words as the array of pointers that exec wants.
std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> out;
  out.reserve(words.size() + 1);
  for (std::string& word : words)
    out.push_back(word.data());
  out.push_back(nullptr);
  return out;
}

/// The write end of a pipe that has no reader.
int dead_pipe() {
  std::array<int, 2> ends = {};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("pipe2");
  ::close(ends[0]);
  return ends[1];
}

/// What a person sits before; what is said there stays until it is read.
class Terminal {
 public:
  explicit Terminal(unsigned short columns) : end_(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC)) {
    const winsize size{.ws_row = 40, .ws_col = columns, .ws_xpixel = 0, .ws_ypixel = 0};
    std::array<char, 64> name = {};
    works_ = end_ >= 0 && ::grantpt(end_) == 0 && ::unlockpt(end_) == 0 &&
             ::ioctl(end_, TIOCSWINSZ, &size) == 0 &&
             ::ptsname_r(end_, name.data(), name.size()) == 0 && ::access(name.data(), W_OK) == 0;
    name_ = name.data();
  }
  ~Terminal() { ::close(end_); }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  bool works() const { return works_; }
  const std::string& name() const { return name_; }
  /// Without the carriage returns that a terminal adds.
  std::string text() const {
    std::string out;
    std::array<char, 4096> bytes = {};
    for (::ssize_t got = 0; (got = ::read(end_, bytes.data(), bytes.size())) > 0;)
      out.append(bytes.data(), static_cast<std::size_t>(got));
    std::erase(out, '\r');
    return out;
  }

 private:
  int end_;
  bool works_ = false;
  std::string name_;
};

}  // namespace

bool has_terminals() {
  return Terminal(80).works();
}

Outcome run_program(const std::vector<std::string>& arguments, const Surroundings& around) {
  const Scratch scratch;
  const std::string out = around.out_path.empty() ? scratch.path("out") : around.out_path;
  const std::string err = scratch.path("err");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  // What lies where the tests are started is not theirs: a corpus, say.
  posix_spawn_file_actions_addchdir_np(&actions, scratch.path("").c_str());
  const int pipe = around.closed_pipe ? dead_pipe() : -1;
  if (pipe >= 0) {
    posix_spawn_file_actions_adddup2(&actions, pipe, 1);
  } else {
    posix_spawn_file_actions_addopen(&actions, 1, out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  }
  std::optional<Terminal> terminal;
  if (around.terminal_columns > 0) terminal.emplace(around.terminal_columns);
  posix_spawn_file_actions_addopen(&actions, 2, (terminal ? terminal->name() : err).c_str(),
                                   O_WRONLY | O_CREAT | O_TRUNC | O_NOCTTY, 0600);

  std::vector<std::string> words = {LOCKLAB_PROGRAM};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<std::string> environment = around.environment;
  ::pid_t child = 0;
  std::vector<char*> argv = pointers(words);
  std::vector<char*> envp = pointers(environment);
  const int error =
      ::posix_spawn(&child, LOCKLAB_PROGRAM, &actions, nullptr, argv.data(), envp.data());
  posix_spawn_file_actions_destroy(&actions);
  if (pipe >= 0) ::close(pipe);
  if (error != 0) throw std::runtime_error("cannot start " LOCKLAB_PROGRAM);
  if (around.interrupt_after_ms > 0) {
    ::usleep(static_cast<unsigned>(around.interrupt_after_ms) * 1000);
    ::kill(child, SIGINT);
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1,
          around.closed_pipe || !around.out_path.empty() ? "" : contents(out),
          terminal ? terminal->text() : contents(err)};
}

std::vector<std::string> lines_in(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return lines;
}

std::string first_line(std::string_view text) {
  return std::string(text.substr(0, text.find('\n')));
}

std::string token_in(std::string_view text) {
  const std::size_t begin = text.find("ll1:");
  if (begin == std::string_view::npos) return {};
  const std::string_view rest = text.substr(begin);
  return std::string(rest.substr(0, rest.find_first_of(" \n\"'")));
}

Scratch::Scratch() {
  std::string pattern = (std::filesystem::temp_directory_path() / "locklab-test-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("mkdtemp");
  root_ = pattern;
}

Scratch::~Scratch() {
  std::error_code ignored;
  std::filesystem::remove_all(root_, ignored);
}

std::string Scratch::write(const std::string& name, std::string_view text) const {
  std::ofstream(root_ / name, std::ios::binary) << text;
  return path(name);
}

std::string Scratch::read(const std::string& name) const {
  return contents(root_ / name);
}

}  // namespace locklab::cli::testing
