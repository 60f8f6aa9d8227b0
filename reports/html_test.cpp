// Tests of the HTML page: complete, well-formed, closed to the outside, whatever names hold.
// SPDX-License-Identifier: Apache-2.0
#include "reports/html.h"

#include <gmock/gmock.h>

#include "reports/marks.h"
#include "reports/markup.h"
#include "reports/report_testing.h"

namespace locklab {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using testing_reports::embedded;
using testing_reports::Judged;
using testing_reports::objection_to;

TEST(Html, EveryPageIsWellFormedAndNeedsNothingElse) {
  for (const std::string& name : embedded_scenario_names()) {
    Judged judged(embedded(name));
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      SCOPED_TRACE(name + " seed " + std::to_string(seed));
      const std::string page = html_page(judged.run(seed));

      ASSERT_EQ(objection_to(page), "");
      for (const char* const way_out : {"<script", "javascript:", " src=", "<link", "@import",
                                        "<iframe", "<img", "<form", "href=\"http"}) {
        ASSERT_THAT(page, Not(HasSubstr(way_out)));
      }
    }
  }
}

TEST(Html, SaysWhatWasFoundWhyAndHowToSeeItAgain) {
  Judged judged(embedded("failover-forgets-lock"));
  const RunView run = judged.run(2);
  const std::string page = html_page(run);

  EXPECT_THAT(page, HasSubstr("<h1>A failover forgets the lock</h1>"));
  EXPECT_THAT(page, HasSubstr("<code>locklab replay ll1:token</code>"));
  for (const NamedFinding& named : run.findings) {
    EXPECT_THAT(page, HasSubstr(std::string(named.property->name)));
    EXPECT_THAT(page, HasSubstr(markup_escaped(named.property->statement)));
    EXPECT_THAT(page, HasSubstr(markup_escaped(named.finding.why)));
  }
  EXPECT_THAT(page, HasSubstr("id=\"s1\""));
  EXPECT_THAT(page, HasSubstr("href=\"#s1\""));
  EXPECT_THAT(page, HasSubstr("<title id=\"chart-title\">"));
  EXPECT_THAT(page, HasSubstr("<desc id=\"chart-text\">"));
}

TEST(Html, TheHeadlineIsWhatTheStoryWantsTold) {
  Scenario scenario = embedded("failover-forgets-lock");
  const auto headline = [](const Scenario& told) {
    Judged judged(told);
    return std::string(headline_of(judged.run(2))->property->name);
  };

  EXPECT_EQ(headline(scenario), "serializable-effects");
  scenario.tell = "lease-safety";
  EXPECT_EQ(headline(scenario), "lease-safety");
  scenario.expect.erase("no-stale-write");
  EXPECT_EQ(headline(scenario), "no-stale-write") << "what is not expected comes first";
}

TEST(Html, AMendedStorySaysWhatHoldsBeforeWhatItExpects) {
  Judged mended(embedded("pause-outlives-lease-fenced"));
  Judged trap(embedded("pause-outlives-lease"));
  unsigned seen = 0;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const RunView good = mended.run(seed);
    if (worst(good.findings) == Verdict::violated) {
      const std::string page = html_page(good);
      EXPECT_THAT(page, HasSubstr("What this story promises holds in this run"));
      EXPECT_THAT(page, HasSubstr("Violated, as this story expects: "));
      EXPECT_THAT(page, HasSubstr("class=\"verdict holds\""));
      ++seen;
    }
    const RunView bad = trap.run(seed);
    const std::string page = html_page(bad);
    if (worst(bad.findings) == Verdict::violated) {
      EXPECT_THAT(page, HasSubstr("Violated, as this story expects</span>: "));
      EXPECT_THAT(page, HasSubstr("class=\"verdict violated\""));
      ++seen;
    } else {
      EXPECT_THAT(page, HasSubstr("Nothing is violated in this run; in others"));
    }
  }
  EXPECT_GT(seen, 1U);
}

TEST(Html, WhatIsNotExpectedIsBadNewsOfAMendedStoryToo) {
  Scenario scenario = embedded("pause-outlives-lease-fenced");
  scenario.expect.clear();
  Judged judged(scenario);
  std::string page;
  for (std::uint64_t seed = 1; page.empty() && seed <= 50; ++seed) {
    const RunView run = judged.run(seed);
    if (worst(run.findings) == Verdict::violated) page = html_page(run);
  }

  EXPECT_THAT(page, HasSubstr("Violated</span>: "));
  EXPECT_THAT(page, Not(HasSubstr("What this story promises holds")));
}

TEST(Html, ACalmRunPromisesNothing) {
  Judged judged(embedded("calm"));
  const std::string page = html_page(judged.calm());

  EXPECT_THAT(page, HasSubstr("Nothing is violated in this run, as this story promises"));
  EXPECT_THAT(page, HasSubstr("One run says nothing about the others"));
  EXPECT_THAT(page, Not(HasSubstr("class=\"band\"")));
}

TEST(Html, HostileNamesStayText) {
  Scenario scenario = embedded("late-write");
  scenario.title = "</title><script>alert(1)</script>";
  scenario.notes = "<img src=x onerror=alert(1)>\xe2\x80\xae\x1b[2J";
  for (ClientConfig& client : scenario.clients)
    client.key = "</script><b>\"'&\n\xff:\xe9\x8d\xb5";
  Judged judged(scenario);
  const std::string page = html_page(judged.run(28));

  EXPECT_EQ(objection_to(page), "");
  for (const char* const raw :
       {"<script", "</script", "<b>", "<img", "\xe2\x80\xae", "\x1b", "\xff"})
    EXPECT_THAT(page, Not(HasSubstr(raw)));
  EXPECT_THAT(page, HasSubstr("<h1>&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;</h1>"));
  EXPECT_THAT(page, HasSubstr("&lt;/script&gt;&lt;b&gt;&quot;&#39;&amp;\\x0a\\xff:鍵"));
  EXPECT_THAT(page, HasSubstr("onerror=alert(1)&gt;\\u{202e}\\x1b[2J"));
}

TEST(Html, TheSameRunGivesTheSameBytes) {
  Judged first(embedded("redlock-clock-jump"));
  Judged second(embedded("redlock-clock-jump"));
  second.run(99);

  EXPECT_EQ(html_page(first.run(7)), html_page(second.run(7)));
}

TEST(Html, WhatIsTooMuchIsSaidToBeLeftOut) {
  Judged judged(embedded("late-blind-del"));
  const RunView run = judged.run(21);
  const std::string page = html_page(run, {.story_lines = 10, .drawn = 50, .events = 20});

  EXPECT_THAT(page, HasSubstr("The first 20 of " + std::to_string(run.history->records().size())));
  EXPECT_THAT(page, HasSubstr("Drawn are 50 of "));
  EXPECT_THAT(html_page(run), Not(HasSubstr("events.ndjson")));
  EXPECT_EQ(objection_to(page), "");
}

}  // namespace
}  // namespace locklab
