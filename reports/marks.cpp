// Marks: a property's witness has a place where the violation begins or becomes final.
// SPDX-License-Identifier: Apache-2.0
#include "reports/marks.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace locklab {
namespace {

enum class Where : std::uint8_t { second, last };

struct Wording {
  std::string_view property;
  Where where;
  std::string_view text;
};

// Overlaps are witnessed by both answers and the end of the overlap: they begin at the second.
constexpr std::array<Wording, 15> kWordings = {{
    {"double-ownership", Where::second, "two inside from here"},
    {"claimed-exclusion", Where::second, "two claim it from here"},
    {"serializable-effects", Where::last, "no serial order from here"},
    {"no-lost-update", Where::last, "an update is lost"},
    {"no-stale-write", Where::last, "a stale write is accepted"},
    {"no-foreign-mutation", Where::last, "another's key is changed"},
    {"no-orphan-key", Where::last, "a key that nobody will free"},
    {"eventual-release", Where::last, "nobody can get it any more"},
    {"fence-order", Where::last, "a fence out of order"},
    {"effect-exclusion", Where::last, "two alternate"},
    {"lease-safety", Where::second, "lost from here"},
    {"honest-outcome", Where::last, "what it is told is not true"},
    {"watchdog-termination", Where::last, "a renewal that should not be"},
    {"no-open-door", Where::last, "somebody works without a hold"},
    {"reentrancy-balance", Where::last, "a count that is not the depth"},
}};

int rank_of(Severity severity) {
  switch (severity) {
    case Severity::harm:
      return 3;
    case Severity::progress:
      return 2;
    case Severity::exposure:
      return 1;
    case Severity::cause:
      break;
  }
  return 0;
}

Mark mark_of(const NamedFinding& named) {
  const std::vector<std::uint32_t>& witness = named.finding.witness;
  for (const Wording& wording : kWordings) {
    if (wording.property != named.property->name) continue;
    const bool second = wording.where == Where::second && witness.size() > 1;
    return {second ? witness[1] : witness.back(), std::string(wording.text)};
  }
  return {witness.back(), std::string(named.property->name) + " is violated"};
}

bool is_worse(const NamedFinding& named, const NamedFinding* than) {
  return than == nullptr || rank_of(named.property->severity) > rank_of(than->property->severity);
}

bool is_shown(const NamedFinding& named) {
  return named.finding.verdict == Verdict::violated && !named.finding.witness.empty();
}

}  // namespace

std::vector<Mark> marks_of(std::span<const NamedFinding> findings) {
  std::vector<Mark> marks;
  for (const NamedFinding& named : findings) {
    if (is_shown(named)) marks.push_back(mark_of(named));
  }
  std::stable_sort(marks.begin(), marks.end(),
                   [](const Mark& a, const Mark& b) { return a.seq < b.seq; });
  return marks;
}

const NamedFinding* headline_of(std::span<const NamedFinding> findings, std::string_view tell) {
  const NamedFinding* headline = nullptr;
  for (const NamedFinding& named : findings) {
    if (named.finding.verdict != Verdict::violated) continue;
    if (named.property->name == tell) return &named;
    if (is_worse(named, headline)) headline = &named;
  }
  return headline;
}

const NamedFinding* headline_of(const RunView& run) {
  const NamedFinding* surprise = nullptr;
  for (const NamedFinding& named : run.findings) {
    if (named.finding.verdict != Verdict::violated) continue;
    const Verdict expected = expected_of(run.scenario->expect, named.property->name);
    if (expected == Verdict::holds && is_worse(named, surprise)) surprise = &named;
  }
  return surprise != nullptr ? surprise : headline_of(run.findings, run.scenario->tell);
}

}  // namespace locklab
