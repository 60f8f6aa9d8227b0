// Why, when: the run is rewound to each decision, and chance decides again from there.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "search/why_parts.h"

namespace locklab::why {

/// A rewind for each number of answers that decides more records than one answer fewer, up to the
/// record that completes the failure.
std::vector<Rewind> points_of(const Case& about) {
  const std::vector<Question>& questions = about.questions;
  const std::vector<std::uint32_t>& witness = about.result.finding.witness;
  const std::uint32_t end = witness.empty() ? about.record_count : witness.back();
  std::vector<Rewind> points = {Rewind{}};
  std::optional<Deviation> by;
  for (std::size_t asked = 1; asked <= questions.size(); ++asked) {
    const Question& latest = questions[asked - 1];
    if (latest.records >= end) break;
    for (const Deviation& choice : about.result.choices) {
      if (choice.address == latest.address) by = choice;
    }
    const std::uint32_t until =
        asked == questions.size() ? about.record_count : questions[asked].records;
    if (until == latest.records) continue;  // The next answer comes before anything happens.
    points.push_back({asked, latest.records + 1, std::min(until, end), 0, by});
    by.reset();
  }
  return points;
}

namespace {

std::uint32_t violated_forks(Case& about, std::uint64_t answers) {
  std::uint32_t violated = 0;
  ReplaySource run;
  run.load(about.result.choices);
  for (std::uint32_t seed = 1; seed <= about.options.forks && !about.stopped; ++seed) {
    SeededSource chance(seed);
    ForkingSource fork(run, chance, answers);
    if (about.trial.violates(fork)) ++violated;
    about.go_on();
  }
  return violated;
}

/// Fills in the rewinds. Where each fork fails, the next that is looked at is twice as far away:
/// what is lost stays lost, and a long tail of a run says nothing more. If it does not stay so, the
/// ones between are looked at after all.
void count_forks(Case& about) {
  std::vector<Rewind> points = points_of(about);
  std::size_t stride = 1;
  std::size_t from = 0;  // The latest one that was counted.
  for (std::size_t at = 0; at < points.size();) {
    points[at].violated = violated_forks(about, points[at].answers);
    if (about.stopped) return;
    const bool all = points[at].violated == about.options.forks;
    if (!all && at > from + 1) {
      at = from + 1;
      stride = 1;
      continue;
    }
    about.result.rewinds.push_back(points[at]);
    from = at;
    if (at + 1 == points.size()) return;
    stride = all ? stride * 2 : 1;
    at = std::min(at + std::max<std::size_t>(stride / 2, 1), points.size() - 1);
  }
}

}  // namespace

void rewind(Case& about) {
  Explanation& result = about.result;
  count_forks(about);
  std::uint32_t most = 0;
  for (std::size_t i = 1; i < result.rewinds.size(); ++i) {
    const std::uint32_t before = result.rewinds[i - 1].violated;
    const std::uint32_t after = result.rewinds[i].violated;
    if (after <= before || after - before <= most) continue;
    most = after - before;
    result.cause = i;
  }
  for (std::size_t i = result.rewinds.size(); i-- > 0;) {
    if (result.rewinds[i].violated < result.forks) break;
    result.no_return = i;
  }
}

}  // namespace locklab::why
