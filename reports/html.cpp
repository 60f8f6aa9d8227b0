// HTML: verdict first, then how to see it again, the drawing, the story, and all there is.
// SPDX-License-Identifier: Apache-2.0
#include "reports/html.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "reports/chart.h"
#include "reports/html_tables.h"
#include "reports/lines.h"
#include "reports/marks.h"
#include "reports/markup.h"
#include "reports/page_style.h"
#include "reports/svg_chart.h"
#include "reports/svg_look.h"
#include "reports/words.h"
#include "search/byte_codec.h"

namespace locklab {
namespace {

constexpr int kPageWidth = 1214;  // Within the margins of a window of 1280 pixels, and its bar.

bool has_tag(const Scenario& scenario, std::string_view tag) {
  return std::find(scenario.tags.begin(), scenario.tags.end(), tag) != scenario.tags.end();
}

class Page {
 public:
  Page(const RunView& run, const HtmlOptions& options)
      : run_(run),
        options_(options),
        lines_(lines_of(run, {.most = options.story_lines, .everything = false})),
        chart_(chart_of(run, lines_, options.drawn)) {}

  std::string text() {
    out_.trusted("<!DOCTYPE html>\n")
        .open("html", {{"lang", "en"}, {"xmlns", "http://www.w3.org/1999/xhtml"}});
    head();
    out_.open("body").newline();
    header();
    out_.open("main").newline();
    drawing();
    draw_story(out_, lines_);
    draw_findings(out_, run_);
    draw_deviations(out_, run_);
    draw_events(out_, run_, options_.events);
    out_.close().newline();
    footer();
    out_.close().close().newline();
    return out_.str();
  }

 private:
  std::string title() const {
    return run_.scenario->title.empty() ? run_.scenario->name : run_.scenario->title;
  }

  void head() {
    out_.open("head").leaf("meta", {{"charset", "utf-8"}}).newline();
    // Nothing from outside and no script, whatever a name in here says.
    out_.leaf("meta", {{"http-equiv", "Content-Security-Policy"},
                       {"content", "default-src 'none'; style-src 'unsafe-inline'"}});
    out_.leaf("meta", {{"name", "viewport"}, {"content", "width=device-width, initial-scale=1"}});
    out_.leaf("meta", {{"name", "color-scheme"}, {"content", "light dark"}}).newline();
    out_.element("title", title() + " · " + run_.scenario->name + " · locklab");
    out_.open("style").trusted(page_style()).close().close().newline();
  }

  void header() {
    out_.open("header").newline();
    out_.element("p", "locklab · " + run_.scenario->name, {{"class", "kicker"}});
    out_.element("h1", title()).newline();
    verdict();
    if (!run_.replay.empty()) {
      out_.element("p", "See this very run again:").newline();
      out_.open("p", {{"class", "command"}}).element("code", run_.replay).close().newline();
    }
    std::string facts = fmt::format("{} · digest {} · model epoch {}",
                                    counted(run_.history->records().size(), "event"),
                                    hex(run_.digest, 16), History::kModelEpoch);
    out_.open("p", {{"class", "dim"}}).element("code", facts).close().close().newline();
  }

  /// What the run comes to, by what its story expects of it.
  void verdict() {
    const NamedFinding* shown = headline_of(run_);
    for (const NamedFinding& named : run_.findings) {
      if (shown == nullptr && named.finding.verdict == Verdict::unknown) shown = &named;
    }
    const Expectation& expect = run_.scenario->expect;
    const bool kept =
        shown == nullptr || expected_of(expect, shown->property->name) != Verdict::holds;
    // What a mended story does not promise is no news.
    const bool mended = has_tag(*run_.scenario, "fixed") && kept;
    const bool good = shown == nullptr || mended;
    const Verdict verdict = good ? Verdict::holds : shown->finding.verdict;
    out_.open("div", {{"class", "verdict " + std::string(name_of(verdict))}});
    out_.open("p", {{"class", "head"}}).open("span", {{"class", "is"}});
    draw_icon(out_, verdict);
    if (good) {
      out_.text(good_news(shown != nullptr)).close().close().newline();
      if (shown != nullptr) {
        out_.open("p").text(bad_news(*shown) + ": " + shown->finding.why + ".").close().newline();
      }
    } else {
      out_.text(bad_news(*shown)).close();
      out_.text(": " + shown->finding.why + ".").close().newline();
    }
    if (shown != nullptr) must_hold(*shown);
    if (good) out_.element("p", "One run says nothing about the others: only a search does.");
    if (!run_.scenario->notes.empty()) out_.element("p", run_.scenario->notes);
    out_.close().newline();
  }

  std::string good_news(bool but) const {
    if (but) return "What this story promises holds in this run";
    const std::map<std::string, Verdict>& expect = run_.scenario->expect;
    const bool bites = std::any_of(expect.begin(), expect.end(), [](const auto& expected) {
      return expected.second == Verdict::violated;
    });
    return std::string("Nothing is violated in this run") +
           (bites ? "; in others of this story something is" : ", as this story promises");
  }

  std::string bad_news(const NamedFinding& named) const {
    const Verdict verdict = named.finding.verdict;
    const Verdict expected = expected_of(run_.scenario->expect, named.property->name);
    return std::string(verdict == Verdict::violated ? "Violated" : "Unknown") +
           (expected == verdict            ? ", as this story expects"
            : expected == Verdict::unknown ? ", where this story promises nothing"
                                           : "");
  }

  void must_hold(const NamedFinding& shown) {
    out_.open("p").text("What must hold: ").text(shown.property->statement).text(" ");
    out_.element("code", shown.property->name);
    const Verdict verdict = shown.finding.verdict;
    std::string text = " is " + std::string(name_of(verdict));
    // The headline says so where it is no broken promise.
    if (expected_of(run_.scenario->expect, shown.property->name) == Verdict::holds)
      text += ", " + expectation_words(run_, shown);
    out_.text(text + ".").close().newline();
  }

  void drawing() {
    out_.element("h2", "Timeline", {{"id", "timeline"}}).newline();
    const ChartSize size = size_of(chart_, run_.history->facts.ttl_max);
    const bool wide = size.width > kPageWidth;
    if (chart_.band) {
      out_.open("p", {{"class", wide ? "jump wide" : "jump"}})
          .element("a", "Scroll to the violation", {{"href", "#band"}});
      out_.close().newline();
    }
    // Whoever cannot use a mouse can scroll it too.
    out_.open("div", {{"class", wide ? "scroll wide" : "scroll"},
                      {"style", fmt::format("--names:{}px", size.names)},
                      {"tabindex", 0},
                      {"role", "region"},
                      {"aria-labelledby", "timeline"}});
    out_.newline();
    draw_chart(out_, chart_, run_.history->facts.ttl_max, title() + ": lanes over true time",
               description());
    out_.close().newline();
    draw_legend(out_, chart_);
    std::string note =
        "Milliseconds of true time, which no client can read. Time is stretched where "
        "much happens; a stretch marked // is cut short.";
    if (chart_.left_out > 0) {
      note += fmt::format(" Drawn are {} of {} things, from {} to {} ms; events.ndjson has all.",
                          chart_.drawn, chart_.drawn + chart_.left_out,
                          milliseconds_of(chart_.begin), milliseconds_of(chart_.end));
    }
    out_.element("p", note, {{"class", "dim"}}).newline();
  }

  std::string description() const {
    std::string text = "Lanes from top to bottom: ";
    std::string_view group;
    for (const ChartRow& row : chart_.rows) {
      if (row.group == group) continue;
      text += (group.empty() ? "" : ", ") + row.group;
      group = row.group;
    }
    if (chart_.band) {
      text += fmt::format(". {} is violated between {} and {} milliseconds", chart_.band->property,
                          milliseconds_of(chart_.band->begin), milliseconds_of(chart_.band->end));
    }
    return text + ". The story below says the same in words.";
  }

  void footer() {
    out_.open("footer");
    out_.element("p",
                 "Written by locklab. Times are those of a simulation; the same token gives the "
                 "same bytes on every machine. What holds here is shown for this run alone.");
    out_.close().newline();
  }

  const RunView& run_;
  const HtmlOptions& options_;
  std::vector<Line> lines_;
  Chart chart_;
  Markup out_;
};

}  // namespace

std::string html_page(const RunView& run, const HtmlOptions& options) {
  return Page(run, options).text();
}

}  // namespace locklab
