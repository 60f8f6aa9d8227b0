// Child: one process that a test has started, and that ends with the test, however it ends.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <sys/types.h>
#include <vector>

namespace locklab::real {

struct Command {
  std::vector<std::string> argv;
  std::vector<std::string> environment;  // "NAME=value", added to our own.
  std::string folder;                    // Where it starts; empty: where we are.
  int descriptor = -1;                   // Of ours, that it gets as 3; -1: none.
};

class Child {
 public:
  Child() = default;
  explicit Child(const Command& command);
  Child(Child&& other) noexcept;
  Child& operator=(Child&& other) noexcept;
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() { kill(); }

  bool runs() const { return pid_ > 0; }
  pid_t pid() const { return pid_; }
  /// SIGSTOP, and the certainty that it has stopped.
  void stop();
  void resume();
  /// SIGKILL, and the certainty that it is gone.
  void kill();
  /// Waits until it ends by itself. → its exit code, or -1.
  int wait_for_end();

 private:
  pid_t pid_ = 0;
  bool stopped_ = false;
};

}  // namespace locklab::real
