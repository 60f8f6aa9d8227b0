// Corpus: the recorded run, the same deviations in a changed world, and then the ones near them.
// SPDX-License-Identifier: Apache-2.0
#include "search/corpus.h"

#include "search/replay.h"
#include "search/strategies/neighbours.h"
#include "search/token.h"
#include "sim/contract.h"
#include "sim/sources.h"

namespace locklab {
namespace {

std::vector<Property> only(std::string_view name, const Laboratory& laboratory) {
  for (const Property& property : laboratory.properties) {
    if (property.name == name) return {property};
  }
  SIM_UNREACHABLE("the property of the entry is not in the laboratory");
}

class Reruns {
 public:
  Reruns(const Scenario& scenario, const CorpusEntry& entry, const Laboratory& laboratory)
      : scenario_(scenario),
        entry_(entry),
        runner_(laboratory.find, laboratory.scripts),
        judge_(only(entry.property, laboratory)) {}

  RerunResult run(const RerunOptions& options) {
    const bool failed = fails(entry_.deviations);
    keep();
    const bool same_model = entry_.model_epoch == History::kModelEpoch;
    if (const auto divergence = divergence_of(
            *execution_, {std::nullopt, entry_.deviations, shown_bits(entry_.digest), nullptr})) {
      result_.divergence = divergence->text;
    }
    const bool identical = same_model && result_.digest == entry_.digest;
    if (failed) {
      result_.rerun = identical ? Rerun::identical : Rerun::same;
      return std::move(result_);
    }
    // The very run that was once judged so: nothing moved it, so that nothing near it is owed.
    if (identical) return std::move(result_);
    search_around(options);
    return std::move(result_);
  }

 private:
  bool fails(std::span<const Deviation> deviations) {
    source_.load(deviations);
    execution_ = &runner_.run(scenario_, source_);
    ++result_.executions;
    const NamedFinding& named = judge_.judge(*execution_->history)[0];
    return named.finding.verdict == Verdict::violated &&
           shows(entry_, signature_of(*execution_->history, judge_.lanes(), named));
  }

  void keep() {
    result_.choices.assign(execution_->choices.begin(), execution_->choices.end());
    result_.digest = execution_->digest;
  }

  void search_around(const RerunOptions& options) {
    for (std::uint32_t i = 0; i < options.neighbours; ++i) {
      if (options.cancelled && options.cancelled()) return;
      if (!fails(neighbour_of(entry_.deviations, i))) continue;
      result_.rerun = Rerun::near;
      return keep();
    }
  }

  const Scenario& scenario_;
  const CorpusEntry& entry_;
  Runner runner_;
  Judge judge_;
  ReplaySource source_;
  const Execution* execution_ = nullptr;
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
