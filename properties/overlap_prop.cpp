// double-ownership and claimed-exclusion against all pairs of intervals, on random histories.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "properties/property_cases.h"

namespace locklab::testing {
namespace {

enum class What { grant, enter, leave, release, claim_end, told_lost, send_effect, kill };

/// Something that happens to a hold, or to its client, at a time in ms.
struct Happening {
  int t = 0;
  unsigned hold = 0;
  What what = What::grant;
};

constexpr unsigned kHolds = 6;
constexpr int kEnd = 12;

unsigned client_of(unsigned hold) {
  return hold % 3;
}
unsigned lock_of(unsigned hold) {
  return hold / 3 % 2;
}

/// Each hold is granted once, unless its client is dead, and then things happen to it in any order.
rc::Gen<std::vector<Happening>> any_story() {
  const auto what =
      rc::gen::element(What::enter, What::leave, What::release, What::claim_end, What::told_lost,
                       What::send_effect, What::send_effect, What::kill);
  const auto after =
      rc::gen::construct<Happening>(rc::gen::inRange(0, kEnd), rc::gen::inRange(0U, kHolds), what);
  return rc::gen::map(
      rc::gen::pair(rc::gen::container<std::vector<int>>(kHolds, rc::gen::inRange(0, kEnd)),
                    rc::gen::container<std::vector<Happening>>(after)),
      [](const std::pair<std::vector<int>, std::vector<Happening>>& parts) {
        std::vector<Happening> story;
        for (unsigned hold = 0; hold < kHolds; ++hold) {
          story.push_back({parts.first[hold], hold, What::grant});
        }
        story.insert(story.end(), parts.second.begin(), parts.second.end());
        std::stable_sort(story.begin(), story.end(),
                         [](const Happening& a, const Happening& b) { return a.t < b.t; });
        return story;
      });
}

/// Only what can happen: nothing before the grant, nothing of the dead, one grant.
std::vector<Happening> possible(const std::vector<Happening>& story) {
  std::vector<Happening> kept;
  bool dead[3] = {};
  bool granted[kHolds] = {};
  for (const Happening& happening : story) {
    const unsigned client = client_of(happening.hold);
    if (dead[client]) continue;
    if (happening.what == What::grant) granted[happening.hold] = true;
    if (happening.what == What::kill) dead[client] = true;
    if (happening.what == What::kill || granted[happening.hold]) kept.push_back(happening);
  }
  return kept;
}

void append(HistoryBuilder& h, const Happening& happening, HoldId& hold) {
  const ActorId clients[] = {kClient1, kClient2, kClient3};
  const ActorId client = clients[client_of(happening.hold)];
  h.at(milliseconds(happening.t));
  switch (happening.what) {
    case What::grant:
      hold = h.grant(client, {}, lock_of(happening.hold) == 0 ? kLock : kOtherLock);
      break;
    case What::enter:
      h.enter(hold);
      break;
    case What::leave:
      h.leave(hold);
      break;
    case What::release:
      h.release(hold);
      break;
    case What::claim_end:
      h.claim_end(hold);
      break;
    case What::told_lost:
      h.told_lost(hold);
      break;
    case What::send_effect:
      h.send_effect(hold);
      break;
    case What::kill:
      h.kill(client);
      break;
  }
}

struct Interval {
  bool granted = false;
  int begin = 0;
  int end = kEnd + 1;  // Later than all that happens: never.
};

/// The kernel contract's definition of `claimed`, read off the story.
Interval claimed(const std::vector<Happening>& story, unsigned hold) {
  Interval interval;
  for (const Happening& happening : story) {
    const bool own = happening.hold == hold;
    const bool kill = happening.what == What::kill && client_of(happening.hold) == client_of(hold);
    if (own && happening.what == What::grant) {
      interval.granted = true;
      interval.begin = happening.t;
    } else if (interval.granted && (kill || (own && (happening.what == What::release ||
                                                     happening.what == What::claim_end ||
                                                     happening.what == What::told_lost)))) {
      interval.end = std::min(interval.end, happening.t);
    }
  }
  return interval;
}

/// And that of `occupied`.
Interval occupied(const std::vector<Happening>& story, unsigned hold) {
  Interval interval = claimed(story, hold);
  const int claim_end = interval.end;
  bool entered = false;
  std::optional<int> out;
  std::optional<int> last_sent;
  for (const Happening& happening : story) {
    const bool own = happening.hold == hold;
    if (own && happening.what == What::enter) {
      entered = true;
      out.reset();
    }
    const bool kill = happening.what == What::kill && client_of(happening.hold) == client_of(hold);
    if (!out && (kill || (own && happening.what == What::leave))) out = happening.t;
    if (own && happening.what == What::send_effect) last_sent = happening.t;
  }
  interval.end = out.value_or(kEnd + 1);
  if (!entered) interval.end = std::min(interval.end, claim_end);
  if (last_sent) interval.end = std::min(interval.end, *last_sent);
  return interval;
}

using Lane = Interval (*)(const std::vector<Happening>&, unsigned);

bool any_two_overlap(const std::vector<Happening>& story, Lane lane) {
  for (unsigned i = 0; i < kHolds; ++i) {
    for (unsigned k = i + 1; k < kHolds; ++k) {
      const Interval a = lane(story, i);
      const Interval b = lane(story, k);
      if (lock_of(i) == lock_of(k) && a.granted && b.granted && a.begin < b.end &&
          b.begin < a.end) {
        return true;
      }
    }
  }
  return false;
}

Verdict judge(const std::vector<Happening>& story, const Property& property) {
  HistoryBuilder h;
  HoldId holds[kHolds] = {};
  for (const Happening& happening : story)
    append(h, happening, holds[happening.hold]);
  Lanes lanes;
  lanes.read(h.history());
  return property.check(h.history(), lanes).verdict;
}

RC_GTEST_PROP(DoubleOwnership, AgreesWithAllPairs, ()) {
  const std::vector<Happening> story = possible(*any_story());
  const bool overlap = any_two_overlap(story, occupied);
  RC_CLASSIFY(overlap);

  RC_ASSERT((judge(story, double_ownership()) == Verdict::violated) == overlap);
}

RC_GTEST_PROP(ClaimedExclusion, AgreesWithAllPairs, ()) {
  const std::vector<Happening> story = possible(*any_story());
  const bool overlap = any_two_overlap(story, claimed);
  RC_CLASSIFY(overlap);

  RC_ASSERT((judge(story, claimed_exclusion()) == Verdict::violated) == overlap);
}

}  // namespace
}  // namespace locklab::testing
