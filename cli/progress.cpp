// Progress: the only place of locklab that reads a wall clock, for its own line alone.
// SPDX-License-Identifier: Apache-2.0
#include "cli/progress.h"

#include <unistd.h>

#include <fmt/format.h>

#include "reports/text.h"

namespace locklab::cli {
namespace {

constexpr std::chrono::milliseconds kRedraw{200};
constexpr std::chrono::seconds kPlain{10};

std::string seconds_left(std::uint64_t done, std::uint64_t total, std::uint64_t elapsed_ms) {
  if (done == 0 || total < done) return "";
  const auto left = static_cast<std::uint64_t>(static_cast<long double>(total - done) *
                                               static_cast<long double>(elapsed_ms) /
                                               static_cast<long double>(done));
  return fmt::format(", {} s left", (left + 999) / 1000);
}

}  // namespace

Progress::Progress(const Console& console)
    : console_(console), terminal_(::isatty(2) == 1), begun_(Clock::now()), shown_(begun_) {}

Progress::~Progress() {
  clear();
}

void Progress::update(std::string_view what, std::uint64_t done, std::uint64_t total,
                      std::string_view found) {
  const Clock::time_point now = Clock::now();
  if (now - shown_ < (terminal_ ? Clock::duration(kRedraw) : Clock::duration(kPlain))) return;
  shown_ = now;
  const auto elapsed = static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::milliseconds>(now - begun_).count());
  const std::uint64_t rate = elapsed == 0 ? 0 : done * 1000 / elapsed;
  std::string line = fmt::format("{} of {} {}, {} per s{}", done, total, what, rate,
                                 seconds_left(done, total, elapsed));
  if (!found.empty()) line += fmt::format(", {}", found);
  if (terminal_) {
    const Paper& paper = console_.err_paper();
    console_.say("\r\x1b[K" + cut(paper.say(line), paper.width - 1, ""));
    drawn_ = true;
  } else {
    console_.say(line + "\n");
  }
}

void Progress::clear() {
  if (drawn_) console_.say("\r\x1b[K");
  drawn_ = false;
}

}  // namespace locklab::cli
