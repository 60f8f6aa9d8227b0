// Tests of the models: what each allows one after another, and what not.
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "properties/linearizability/checker.h"
#include "properties/linearizability/testing.h"

namespace locklab::linearizability::testing {
namespace {

/// Words without ends are whole operations: "A(w1" and "A)" as "Aw1".
Verdict verdict_of(const Spec& spec, std::string_view words) {
  std::string text;
  while (!words.empty()) {
    const std::string word(words.substr(0, words.find(' ')));
    words.remove_prefix(std::min(word.size() + 1, words.size()));
    text += (text.empty() ? "" : " ") + word.substr(0, 1) + "(" + word.substr(1) + " " +
            word.substr(0, 1) + ")";
  }
  const Sample sample = written(text);
  // The scan of locks has its own code: what it says must be what the model says.
  const Answer scan = check_history(sample.history, spec, sample.names, {}, Method::lock_scan);
  const Answer search = check_history(sample.history, spec, sample.names, {}, Method::wgl);
  EXPECT_TRUE(scan.verdict == Verdict::unknown || scan.verdict == search.verdict) << text;
  return search.verdict;
}

void expect_allowed(const Spec& spec, std::string_view words) {
  EXPECT_EQ(verdict_of(spec, words), Verdict::holds) << words;
}
void expect_refused(const Spec& spec, std::string_view words) {
  EXPECT_EQ(verdict_of(spec, words), Verdict::violated) << words;
}

TEST(Models, RegisterKeepsTheLastWrite) {
  const Spec spec{Kind::reg};
  expect_allowed(spec, "Ar Aw1 Br1 Bw2 Ar2 Ac23 Ar3 Ac23! Ar3");
  expect_refused(spec, "Ar1");
  expect_refused(spec, "Aw1 Aw2 Ar1");
  expect_refused(spec, "Aw1 Ac23");
  expect_refused(spec, "Aw1 Ac12!");
  expect_refused(spec, "Aw1 Ac23! Ar3");
}

TEST(Models, KeyValueAppends) {
  const Spec spec{Kind::key_value};
  expect_allowed(spec, "Ar Aa1 Ar1 Aw2 Br2");
  expect_refused(spec, "Aa1 Aa2 Ar2");
  expect_refused(spec, "Aa1 Ar");
}

TEST(Models, QueueIsFirstInFirstOut) {
  const Spec spec{Kind::queue};
  expect_allowed(spec, "Ad Ae1 Be2 Ad1 Bd2 Ad");
  expect_refused(spec, "Ae1 Ae2 Ad2");
  expect_refused(spec, "Ae1 Ad");
  expect_refused(spec, "Ae1 Ad1 Bd1");
}

TEST(Models, MutexMayBeReleasedByAnybody) {
  expect_allowed({Kind::mutex}, "A+ B- B+ B-");
  expect_refused({Kind::mutex}, "A+ B+");
  expect_refused({Kind::mutex}, "A-");
  expect_refused({Kind::owner_aware_mutex}, "A+ B-");
  expect_allowed({Kind::owner_aware_mutex}, "A+ A- B+ B-");
  expect_refused({Kind::owner_aware_mutex}, "A+ A+");
}

TEST(Models, RefusalNeedsAHolder) {
  expect_allowed({Kind::mutex}, "A+ B+! A-");
  expect_refused({Kind::mutex}, "B+! A+");
  expect_refused({Kind::reentrant_mutex, 2}, "A+ A+!");
  expect_allowed({Kind::reentrant_mutex, 2}, "A+ A+ A+! B+!");
  expect_refused({Kind::semaphore, 2}, "A+ B+!");
  expect_allowed({Kind::semaphore, 2}, "A+ B+ C+!");
}

TEST(Models, ReentryHasALimit) {
  expect_allowed({Kind::reentrant_mutex, 2}, "A+ A+ A- A- B+");
  expect_refused({Kind::reentrant_mutex, 2}, "A+ A+ A+");
  expect_refused({Kind::reentrant_mutex, 2}, "A+ A+ A- B+");
  expect_refused({Kind::reentrant_mutex, 2}, "A+ A- A-");
}

TEST(Models, FencesIncrease) {
  const Spec spec{Kind::fenced_mutex};
  expect_allowed(spec, "A+1 A- B+3 B- A+ A- A+4");
  expect_refused(spec, "A+2 A- B+2");
  expect_refused(spec, "A+2 A- B+ B- A+1");
  expect_refused(spec, "A+1 B+2");
}

TEST(Models, ReentryRepeatsTheFenceOfItsHold) {
  const Spec spec{Kind::reentrant_fenced_mutex, 2};
  expect_allowed(spec, "A+1 A+1 A- A- B+2");
  expect_allowed(spec, "A+ A+1 A- A- B+2");
  expect_allowed(spec, "A+1 A+ A- A+1");
  expect_refused(spec, "A+1 A+2");
  expect_refused(spec, "A+ A+1 A- A- B+1");
}

TEST(Models, SemaphoreCountsPermits) {
  const Spec spec{Kind::semaphore, 2};
  expect_allowed(spec, "A+ B+ A- C+ A+! C- B-");
  expect_allowed(spec, "A+ A+ A- B+");
  expect_refused(spec, "A+ B+ C+");
  expect_refused(spec, "A+ B-");
}

TEST(Models, NamesAreReadBack) {
  for (const Spec& spec : kSpecs)
    EXPECT_EQ(spec_named(name_of(spec)), spec);
  EXPECT_EQ(spec_named("semaphore:5"), (Spec{Kind::semaphore, 5}));
  for (const char* const wrong : {"", "mutexes", "mutex:2", "semaphore:", "semaphore:0",
                                  "semaphore:-1", "semaphore:65536", "semaphore:2x"})
    EXPECT_FALSE(spec_named(wrong)) << wrong;
}

}  // namespace
}  // namespace locklab::linearizability::testing
