// Corpus: the recorded run, the same deviations in a changed world, and then the ones near them.
// SPDX-License-Identifier: Apache-2.0
#include "search/corpus.h"

#include "search/replay.h"
#include "search/strategies/neighbours.h"
#include "search/token.h"
#include "search/trial.h"

namespace locklab {
namespace {

class Reruns {
 public:
  Reruns(const Scenario& scenario, const CorpusEntry& entry, const Laboratory& laboratory)
      : entry_(entry), trial_(scenario, entry.property, laboratory) {}

  RerunResult run(const RerunOptions& options) {
    const bool failed = fails(entry_.deviations);
    keep();
    const bool same_model = entry_.model_epoch == History::kModelEpoch;
    if (const auto divergence = divergence_of(
            trial_.execution(),
            {std::nullopt, entry_.deviations, shown_bits(entry_.digest), nullptr, {}})) {
      result_.divergence = divergence->text;
    }
    const bool identical = same_model && result_.digest == entry_.digest;
    if (failed) {
      result_.rerun = identical ? Rerun::identical : Rerun::same;
      return finished();
    }
    // The very run that was once judged so: nothing moved it, so that nothing near it is owed.
    if (identical) return finished();
    search_around(options);
    return finished();
  }

 private:
  RerunResult finished() {
    result_.executions = trial_.executions();
    return std::move(result_);
  }

  bool fails(std::span<const Deviation> deviations) {
    const std::optional<Signature> seen = trial_.run(deviations);
    return seen && shows(entry_, *seen);
  }

  void keep() {
    const Execution& execution = trial_.execution();
    result_.choices.assign(execution.choices.begin(), execution.choices.end());
    result_.digest = execution.digest;
  }

  void search_around(const RerunOptions& options) {
    for (std::uint32_t i = 0; i < options.neighbours; ++i) {
      if (options.cancelled && options.cancelled()) return;
      if (!fails(neighbour_of(entry_.deviations, i))) continue;
      result_.rerun = Rerun::near;
      return keep();
    }
  }

  const CorpusEntry& entry_;
  Trial trial_;
  RerunResult result_;
};

}  // namespace

std::string_view name_of(Rerun rerun) {
  switch (rerun) {
    case Rerun::identical:
      return "identical";
    case Rerun::same:
      return "same";
    case Rerun::near:
      return "near";
    case Rerun::passes:
      return "passes";
  }
  return "";
}

RerunResult rerun(const Scenario& scenario, const CorpusEntry& entry, const RerunOptions& options,
                  const Laboratory& laboratory) {
  return Reruns(scenario, entry, laboratory).run(options);
}

Standing standing_of(EntryStatus status, Rerun rerun) {
  const bool passes = rerun == Rerun::passes;
  switch (status) {
    case EntryStatus::open:
      return passes ? Standing::mended : Standing::as_recorded;
    case EntryStatus::fixed:
      return passes ? Standing::as_recorded : Standing::regression;
    case EntryStatus::expected:
      return passes ? Standing::dead : Standing::as_recorded;
  }
  return Standing::as_recorded;
}

}  // namespace locklab
