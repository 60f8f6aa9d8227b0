// Console: results to stdout, talk to stderr, and what the terminal can show.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "reports/paper.h"

namespace locklab::cli {

enum class ColorMode { automatic, always, never };

struct PaperWish {
  ColorMode color = ColorMode::automatic;
  std::optional<std::size_t> width;
  bool ascii = false;
};

/// Flag, then NO_COLOR, CLICOLOR_FORCE and FORCE_COLOR, then TERM=dumb and whether `descriptor` is
/// a terminal. 100 columns with colour and 80 without, or what the terminal has if that is less.
/// ASCII if the locale names another character set than UTF-8; a locale that is not set means
/// UTF-8.
Paper paper_for(const PaperWish& wish, int descriptor);

class Console {
 public:
  explicit Console(const PaperWish& wish) : out_(paper_for(wish, 1)), err_(paper_for(wish, 2)) {}

  const Paper& paper() const { return out_; }
  const Paper& err_paper() const { return err_; }
  /// stdout. A reader that has gone away is no error: the rest is dropped. Throws Failure
  /// (kWriteError) on any other.
  void print(std::string_view text);
  /// stderr; never fails.
  void say(std::string_view text) const;
  bool reader_gone() const { return reader_gone_; }

 private:
  Paper out_;
  Paper err_;
  bool reader_gone_ = false;
};

/// "locklab: …" on stderr, safe whatever the text holds: one line, wrapped if a person reads it on
/// a terminal. An empty message says nothing.
void complain(std::string_view message);

/// stderr is one.
bool on_terminal();

}  // namespace locklab::cli
