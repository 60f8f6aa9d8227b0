// Judge: runs the checkers, and compares what they say with what was expected.
// SPDX-License-Identifier: Apache-2.0
#include "properties/judge.h"

#include <algorithm>
#include <utility>

#include "sim/contract.h"

namespace locklab {
namespace {

const Property* find(std::span<const Property> all, std::string_view name) {
  const auto found = std::find_if(
      all.begin(), all.end(), [name](const Property& property) { return property.name == name; });
  return found == all.end() ? nullptr : &*found;
}

/// The record with which a run was given up, or nullptr.
const Record* given_up(const History& history, const Lanes& lanes) {
  if (lanes.ending().empty()) return nullptr;
  const Record& last = history.at(lanes.ending().back());
  const bool unsupported =
      last.kind == EventKind::run_end && static_cast<EndReason>(last.arg) == EndReason::unsupported;
  return unsupported ? &last : nullptr;
}

}  // namespace

Verdict expected_of(const Expectation& expect, std::string_view property) {
  const auto found = expect.find(std::string(property));
  return found == expect.end() ? Verdict::holds : found->second;
}

std::string_view first_unknown(std::span<const Property> all, std::span<const std::string> names) {
  for (const std::string& name : names) {
    if (find(all, name) == nullptr) return name;
  }
  return {};
}

std::optional<std::vector<Property>> choose_properties(std::span<const Property> all,
                                                       std::span<const std::string> names) {
  if (names.empty()) return std::vector<Property>(all.begin(), all.end());
  if (!first_unknown(all, names).empty()) return std::nullopt;
  std::vector<Property> chosen;
  for (const Property& property : all) {
    if (std::find(names.begin(), names.end(), property.name) != names.end()) {
      chosen.push_back(property);
    }
  }
  return chosen;
}

Judge::Judge(std::vector<Property> properties) : properties_(std::move(properties)) {
  findings_.reserve(properties_.size());
  for (const Property& property : properties_)
    findings_.push_back({&property, {}});
}

std::span<const NamedFinding> Judge::judge(const History& history) {
  lanes_.read(history);
  const Record* const end = given_up(history, lanes_);
  for (NamedFinding& named : findings_) {
    named.finding = named.property->check(history, lanes_);
    if (end != nullptr && named.finding.verdict == Verdict::holds) {
      named.finding.verdict = Verdict::unknown;
      named.finding.why = "the run was given up at " + to_string(end->at()) +
                          ": a kill or cancel reached a fiber inside a foreign primitive";
      named.finding.witness = {end->seq};
    }
  }
  return findings_;
}

Verdict worst(std::span<const NamedFinding> findings) {
  Verdict verdict = Verdict::holds;
  for (const NamedFinding& named : findings)
    verdict = std::max(verdict, named.finding.verdict);
  return verdict;
}

const NamedFinding* unexpected_violation(std::span<const NamedFinding> findings,
                                         const Expectation& expect) {
  for (const NamedFinding& named : findings) {
    if (named.finding.verdict != Verdict::violated) continue;
    if (expected_of(expect, named.property->name) == Verdict::holds) return &named;
  }
  return nullptr;
}

Verdict Tally::verdict() const {
  if (violated > 0) return Verdict::violated;
  return unknown > 0 ? Verdict::unknown : Verdict::holds;
}

Tallies::Tallies(std::span<const Property> properties) {
  for (const Property& property : properties)
    tallies_.push_back({&property, 0, 0, 0, 0, 0});
}

Tallies Tallies::of(std::vector<Tally> tallies) {
  Tallies all(std::span<const Property>{});
  all.tallies_ = std::move(tallies);
  return all;
}

void Tallies::add(std::span<const NamedFinding> findings) {
  SIM_ASSERT(findings.size() == tallies_.size());
  for (std::size_t i = 0; i < findings.size(); ++i) {
    const Finding& finding = findings[i].finding;
    Tally& tally = tallies_[i];
    SIM_ASSERT(findings[i].property->name == tally.property->name);
    ++tally.runs;
    if (finding.verdict == Verdict::violated) ++tally.violated;
    if (finding.verdict == Verdict::unknown) ++tally.unknown;
    if (finding.exercised > 0) ++tally.exercised_runs;
    tally.exercised += finding.exercised;
  }
}

void Tallies::merge(const Tallies& other) {
  SIM_ASSERT(other.tallies_.size() == tallies_.size());
  for (std::size_t i = 0; i < tallies_.size(); ++i) {
    Tally& tally = tallies_[i];
    const Tally& more = other.tallies_[i];
    SIM_ASSERT(more.property->name == tally.property->name);
    tally.runs += more.runs;
    tally.violated += more.violated;
    tally.unknown += more.unknown;
    tally.exercised_runs += more.exercised_runs;
    tally.exercised += more.exercised;
  }
}

std::vector<Mismatch> Tallies::mismatches(const Expectation& expect) const {
  std::vector<Mismatch> all;
  for (const Tally& tally : tallies_) {
    const Verdict expected = expected_of(expect, tally.property->name);
    const Verdict actual = tally.verdict();
    const bool promised = expected != Verdict::unknown;
    if (promised && actual != expected)
      all.push_back({std::string(tally.property->name), expected, actual});
  }
  return all;
}

}  // namespace locklab
