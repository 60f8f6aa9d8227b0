// Report formats: a list with commas; a wrong word gets a suggestion.
// SPDX-License-Identifier: Apache-2.0
#include "cli/report_formats.h"

#include <string>

#include "cli/failure.h"
#include "scenarios/diagnostic.h"
#include "scenarios/suggest.h"

namespace locklab::cli {
namespace {

constexpr std::string_view kKnown[] = {"html", "junit"};

void add_format(std::string_view format, bool search, ReportWish& wish) {
  if (format == "html") {
    wish.html = true;
  } else if (format == "junit" && search) {
    wish.junit = true;
  } else if (format == "junit") {
    throw Failure(kUsage, "--report junit tells a search, not a run; check writes it");
  } else {
    const std::string hint = suggestion(format, kKnown);
    throw Failure(kUsage, "--report knows html and junit, not " + locklab::quoted(format) +
                              (hint.empty() ? "" : "; " + hint));
  }
}

}  // namespace

void read_report_formats(std::string_view text, bool search, ReportWish& wish) {
  while (true) {
    const std::size_t comma = text.find(',');
    add_format(text.substr(0, comma), search, wish);
    if (comma == std::string_view::npos) return;
    text.remove_prefix(comma + 1);
  }
}

}  // namespace locklab::cli
