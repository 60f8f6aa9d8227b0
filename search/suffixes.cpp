// Suffixes: the answers that a run had when its probe began are kept, the others are drawn.
// SPDX-License-Identifier: Apache-2.0
#include "search/suffixes.h"

#include <algorithm>
#include <optional>

#include "search/questions.h"
#include "search/trial.h"

namespace locklab {
namespace {

constexpr std::string_view kProperty = "eventual-release";

/// How many answers come before the faults stop; nullopt: they never do.
std::optional<std::uint64_t> answers_before_probe(const ListeningSource& asked,
                                                  const History& history) {
  const auto records = history.records();
  const auto begun = std::find_if(records.begin(), records.end(), [](const Record& record) {
    return record.kind == EventKind::probe_begin;
  });
  if (begun == records.end()) return std::nullopt;
  const std::vector<Question>& questions = asked.questions();
  const auto first =
      std::find_if(questions.begin(), questions.end(),
                   [begun](const Question& question) { return question.records >= begun->seq; });
  return static_cast<std::uint64_t>(first - questions.begin());
}

}  // namespace

Suffixes suffixes_of(const Scenario& scenario, std::span<const Deviation> choices,
                     std::uint32_t count, const Laboratory& laboratory) {
  Trial trial(scenario, kProperty, laboratory);
  ReplaySource past;
  past.load(choices);
  ListeningSource listening(past, trial.history());
  trial.violates(listening);
  const std::optional<std::uint64_t> kept =
      answers_before_probe(listening, *trial.execution().history);
  Suffixes suffixes;
  if (!kept) return suffixes;
  for (std::uint32_t seed = 1; seed <= count; ++seed) {
    SeededSource chance(seed);
    ForkingSource fork(past, chance, *kept);
    trial.violates(fork);
    const Verdict verdict = trial.finding().verdict;
    ++suffixes.drawn;
    ++(verdict == Verdict::holds      ? suffixes.live
       : verdict == Verdict::violated ? suffixes.blocked
                                      : suffixes.unknown);
  }
  return suffixes;
}

}  // namespace locklab
