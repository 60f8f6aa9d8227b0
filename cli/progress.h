// Progress: how far a search is, on stderr: a line that is redrawn, or a plain one now and then.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "cli/console.h"

namespace locklab::cli {

class Progress {
 public:
  /// Every 200 ms on a terminal, every 10 s elsewhere.
  explicit Progress(const Console& console);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// `what`: "runs"; `found`: "2 violations", may be empty.
  void update(std::string_view what, std::uint64_t done, std::uint64_t total,
              std::string_view found);
  /// Takes a redrawn line away, so that what follows begins on a fresh one.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;

  const Console& console_;
  bool terminal_;
  bool drawn_ = false;
  Clock::time_point begun_;
  Clock::time_point shown_;
};

}  // namespace locklab::cli
