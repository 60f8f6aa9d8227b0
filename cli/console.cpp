// Console: writes by file descriptor, so that every error is seen at once.
// SPDX-License-Identifier: Apache-2.0
#include "cli/console.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/failure.h"
#include "reports/text.h"

namespace locklab::cli {
namespace {

std::string_view environment(const char* name) {
  const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): before any thread.
  return value == nullptr ? std::string_view() : value;
}

bool asks_for_color(const char* name) {
  const std::string_view value = environment(name);
  return !value.empty() && value != "0";
}

bool wants_color(ColorMode mode, int descriptor) {
  if (mode != ColorMode::automatic) return mode == ColorMode::always;
  if (!environment("NO_COLOR").empty()) return false;  // no-color.org: any value but the empty one.
  if (asks_for_color("CLICOLOR_FORCE") || asks_for_color("FORCE_COLOR")) return true;
  return environment("TERM") != "dumb" && ::isatty(descriptor) == 1;
}

/// LC_ALL, LC_CTYPE, LANG: the first that is set decides (POSIX, "Environment Variables").
bool locale_lacks_utf8() {
  for (const char* const name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const std::string_view value = environment(name);
    if (value.empty()) continue;
    std::string lower(value);
    std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) {
      return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    return lower.find("utf-8") == std::string::npos && lower.find("utf8") == std::string::npos;
  }
  return false;
}

std::size_t terminal_columns(int descriptor) {
  winsize size = {};
  if (::isatty(descriptor) != 1 || ::ioctl(descriptor, TIOCGWINSZ, &size) != 0) return 0;
  return size.ws_col;
}

}  // namespace

Paper paper_for(const PaperWish& wish, int descriptor) {
  Paper paper;
  paper.color = wants_color(wish.color, descriptor);
  paper.ascii = wish.ascii || locale_lacks_utf8();
  const std::size_t usual = paper.color ? 100 : 80;
  const std::size_t columns = terminal_columns(descriptor);
  paper.width = wish.width.value_or(columns == 0 ? usual : std::min(usual, columns));
  paper.width = std::clamp(paper.width, Paper::kNarrowest, Paper::kWidest);
  return paper;
}

void Console::print(std::string_view text) {
  while (!text.empty() && !reader_gone_) {
    const ::ssize_t written = ::write(1, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EPIPE) {
      reader_gone_ = true;
    } else if (errno == EAGAIN) {
      pollfd ready{1, POLLOUT, 0};
      ::poll(&ready, 1, -1);
    } else if (errno != EINTR) {
      throw Failure(kWriteError,
                    std::string("cannot write to stdout: ") + ::strerrordesc_np(errno));
    }
  }
}

void Console::say(std::string_view text) const {
  while (!text.empty()) {
    const ::ssize_t written = ::write(2, text.data(), text.size());
    if (written < 0 && errno != EINTR) return;
    if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
  }
}

void complain(std::string_view message) {
  if (message.empty()) return;
  const Console console{PaperWish{ColorMode::never, std::nullopt, false}};
  const Paper& paper = console.err_paper();
  constexpr std::string_view kName = "locklab: ";
  console.say(on_terminal() ? paper.paragraph(kName, message, kName.size())
                            : std::string(kName) + paper.say(message) + "\n");
}

bool on_terminal() {
  return ::isatty(2) == 1;
}

}  // namespace locklab::cli
