// Child: posix_spawn, signals by process id, waitpid.
// SPDX-License-Identifier: Apache-2.0
#include "tests/real/child.h"

#include <algorithm>
#include <csignal>
#include <poll.h>
#include <spawn.h>
#include <string_view>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

#include "tests/real/parent.h"
#include "tests/real/sockets.h"

namespace locklab::real {
namespace {

constexpr int kInherited = 3;

std::vector<char*> pointers_to(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  for (const std::string& text : texts)
    pointers.push_back(const_cast<char*>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

/// Ours, with these in place of what has the same name.
std::vector<std::string> environment_with(const std::vector<std::string>& more) {
  std::vector<std::string> all = more;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view name =
        std::string_view(*entry).substr(0, std::string_view(*entry).find('=') + 1);
    const bool replaced = std::any_of(
        more.begin(), more.end(), [name](const std::string& one) { return one.starts_with(name); });
    if (!replaced) all.emplace_back(*entry);
  }
  return all;
}

}  // namespace

Child::Child(const Command& command) {
  std::vector<std::string> more = command.environment;
  more.push_back(parent_for_children());
  const std::vector<std::string> environment = environment_with(more);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (command.descriptor >= 0) {
    posix_spawn_file_actions_adddup2(&actions, command.descriptor, kInherited);
  }
  if (!command.folder.empty()) {
    posix_spawn_file_actions_addchdir_np(&actions, command.folder.c_str());
  }
  const int failed = posix_spawn(&pid_, command.argv.front().c_str(), &actions, nullptr,
                                 pointers_to(command.argv).data(), pointers_to(environment).data());
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) {
    pid_ = 0;
    throw Trouble("cannot start " + command.argv.front());
  }
}

Child::Child(Child&& other) noexcept
    : pid_(std::exchange(other.pid_, 0)), stopped_(std::exchange(other.stopped_, false)) {}

Child& Child::operator=(Child&& other) noexcept {
  if (this != &other) {
    kill();
    pid_ = std::exchange(other.pid_, 0);
    stopped_ = std::exchange(other.stopped_, false);
  }
  return *this;
}

void Child::stop() {
  if (!runs() || stopped_) return;
  ::kill(pid_, SIGSTOP);
  for (int waited = 0; waited < kPatienceMs && !stopped_; ++waited) {
    int status = 0;
    stopped_ = waitpid(pid_, &status, WUNTRACED | WNOHANG) == pid_ && WIFSTOPPED(status);
    if (!stopped_) poll(nullptr, 0, 1);
  }
  if (!stopped_) throw Trouble("process " + std::to_string(pid_) + " does not stop");
}

void Child::resume() {
  if (runs()) ::kill(pid_, SIGCONT);
  stopped_ = false;
}

void Child::kill() {
  if (!runs()) return;
  ::kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
  pid_ = 0;
  stopped_ = false;
}

int Child::wait_for_end() {
  if (!runs()) return -1;
  for (int waited = 0; waited < kPatienceMs; ++waited) {
    int status = 0;
    if (waitpid(pid_, &status, WNOHANG) == pid_) {
      pid_ = 0;
      return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }
    poll(nullptr, 0, 1);
  }
  return -1;
}

}  // namespace locklab::real
