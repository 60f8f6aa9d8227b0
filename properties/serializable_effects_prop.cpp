// serializable-effects against all orders of the holds, on small random histories.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <numeric>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "properties/property_cases.h"

namespace locklab::testing {
namespace {

struct Step {
  unsigned hold = 0;
  unsigned object = 0;
  bool append = false;
};

constexpr unsigned kHolds = 5;

bool conflict(const Step& a, const Step& b) {
  return a.hold != b.hold && a.object == b.object && (a.append || b.append);
}

/// Some order of the holds agrees with every pair of conflicting steps.
bool is_serializable(const std::vector<Step>& steps) {
  std::array<unsigned, kHolds> place{};
  std::iota(place.begin(), place.end(), 0U);
  do {
    bool agrees = true;
    for (std::size_t i = 0; i < steps.size() && agrees; ++i) {
      for (std::size_t k = i + 1; k < steps.size() && agrees; ++k) {
        agrees = !conflict(steps[i], steps[k]) || place[steps[i].hold] < place[steps[k].hold];
      }
    }
    if (agrees) return true;
  } while (std::next_permutation(place.begin(), place.end()));
  return false;
}

rc::Gen<std::vector<Step>> any_steps() {
  const auto step =
      rc::gen::construct<Step>(rc::gen::inRange(0U, kHolds), rc::gen::inRange(0U, 2U),
                               rc::gen::weightedElement<bool>({{1, true}, {2, false}}));
  return rc::gen::resize(14, rc::gen::container<std::vector<Step>>(step));
}

constexpr std::uint32_t kSeqsOfAGrant = 2;

History history_of(const std::vector<Step>& steps) {
  HistoryBuilder h;
  const ActorId clients[] = {kClient1, kClient2, kClient3};
  std::array<HoldId, kHolds> holds{};
  for (unsigned i = 0; i < kHolds; ++i)
    holds[i] = h.grant(clients[i % 3]);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    h.at(milliseconds(static_cast<std::int64_t>(i) + 1));
    if (steps[i].append) {
      h.append(holds[steps[i].hold], steps[i].object);
    } else {
      h.read(holds[steps[i].hold], steps[i].object);
    }
  }
  return h.history();
}

Finding judge(const std::vector<Step>& steps) {
  const History history = history_of(steps);
  Lanes lanes;
  lanes.read(history);
  return serializable_effects().check(history, lanes);
}

RC_GTEST_PROP(SerializableEffects, AgreesWithAllOrders, ()) {
  const std::vector<Step> steps = *any_steps();
  const bool serializable = is_serializable(steps);
  RC_CLASSIFY(serializable);

  RC_ASSERT((judge(steps).verdict == Verdict::holds) == serializable);
}

/// The witness alone is not serializable, and everything before its last operation is.
RC_GTEST_PROP(SerializableEffects, WitnessIsEnoughAndTheEarliest, ()) {
  const std::vector<Step> steps = *any_steps();
  const Finding finding = judge(steps);
  RC_PRE(finding.verdict == Verdict::violated);

  std::vector<Step> shown;
  for (const std::uint32_t seq : finding.witness) {
    shown.push_back(steps[seq - 1 - kHolds * kSeqsOfAGrant]);
  }
  const std::size_t last = finding.witness.back() - 1 - kHolds * kSeqsOfAGrant;

  RC_ASSERT(!is_serializable(shown));
  RC_ASSERT(is_serializable({steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(last)}));
}

/// No cycle of fewer holds could have been shown in its place.
RC_GTEST_PROP(SerializableEffects, WitnessHasTheFewestHolds, ()) {
  const std::vector<Step> steps = *any_steps();
  const Finding finding = judge(steps);
  RC_PRE(finding.verdict == Verdict::violated);

  const auto step_at = [&steps](std::uint32_t seq) {
    return steps[seq - 1 - kHolds * kSeqsOfAGrant];
  };
  unsigned shown = 0;
  for (const std::uint32_t seq : finding.witness)
    shown |= 1U << step_at(seq).hold;
  const std::size_t end = finding.witness.back() - kHolds * kSeqsOfAGrant;
  for (unsigned subset = 0; subset < 1U << kHolds; ++subset) {
    if (__builtin_popcount(subset) >= __builtin_popcount(shown)) continue;
    std::vector<Step> part;
    for (std::size_t i = 0; i < end; ++i) {
      if ((subset >> steps[i].hold & 1U) != 0) part.push_back(steps[i]);
    }
    RC_ASSERT(is_serializable(part));
  }
}

}  // namespace
}  // namespace locklab::testing
