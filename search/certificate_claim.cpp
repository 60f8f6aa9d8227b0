// Certificate: the sentences that may be claimed, which name everything that is left out.
// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include "search/certificate.h"
#include "search/token.h"
#include "sim/contract.h"

namespace locklab {
namespace {

std::string plural(std::uint64_t count, std::string_view one) {
  return std::to_string(count) + " " + std::string(one) + (count == 1 ? "" : "s");
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " and " : ", ";
    text += names[i];
  }
  return text;
}

bool is_promised(const PropertyCount& property) {
  return property.expected == Verdict::holds;
}

bool is_undecided(const PropertyCount& property) {
  return is_promised(property) && property.unknown > 0;
}

std::uint64_t violated(const PropertyCount& property) {
  std::uint64_t total = 0;
  for (const std::uint64_t count : property.violated)
    total += count;
  return total;
}

/// "at most 2 deviations, of them at most 2 faults (…) and no order"
std::string reach_of(const Certificate& certificate) {
  const Bound& bound = certificate.bound;
  std::string text = "at most " + plural(bound.deviations, "deviation") + ", of them at most " +
                     plural(bound.faults, "fault") + " (" + certificate.faults + ")";
  return text + (bound.orders == 0 ? std::string(" and none of order")
                                   : " and at most " + std::to_string(bound.orders) + " of order");
}

std::string grid_of(const Bound& bound) {
  return "a grid of " + plural(bound.phases.start, "start phase") + " for each client, " +
         plural(bound.phases.poll, "poll phase") + " and " +
         plural(bound.phases.work, "work time") + " for all clients alike";
}

std::string left_out(const Bound& bound) {
  std::string text =
      "Left out: more deviations than these; fault lengths other than the six constants and an "
      "eighth of a round trip before and after each of the first 16 pending deadlines of a kind "
      "and "
      "owner; two faults at one point; phases and work times off the grid";
  if (!bound.every_target) text += "; victims other than the natural one of each point";
  if (bound.orders == 0) {
    text += "; every order, delay or hold but the default one";
  } else {
    text += "; of a choice with more values, all but " + std::to_string(bound.steps);
  }
  return text + "; and whatever the model leaves out.";
}

std::string findings_of(const Certificate& certificate) {
  std::vector<std::string> hold;
  std::vector<std::string> vacuous;
  std::vector<std::string> undecided;
  std::vector<std::string> broken;
  for (const PropertyCount& property : certificate.properties) {
    if (violated(property) > 0) {
      if (!is_promised(property)) broken.push_back(property.name);
    } else if (property.unknown > 0) {
      undecided.push_back(property.name);
    } else {
      (property.exercised > 0 ? hold : vacuous).push_back(property.name);
    }
  }
  std::string text;
  if (!hold.empty())
    text += " " + listed(hold) + (hold.size() == 1 ? " holds" : " hold") + " in each.";
  if (!vacuous.empty())
    text += " Nothing is said of " + listed(vacuous) + ": no schedule tests it.";
  if (!undecided.empty()) text += " Not decided in each: " + listed(undecided) + ".";
  if (!broken.empty()) text += " Violated in some, as expected: " + listed(broken) + ".";
  return text;
}

}  // namespace

std::string_view name_of(CertificateVerdict verdict) {
  switch (verdict) {
    case CertificateVerdict::certified:
      return "certified";
    case CertificateVerdict::refused:
      return "refused";
    case CertificateVerdict::undecided:
      return "undecided";
    case CertificateVerdict::incomplete:
      return "incomplete";
    case CertificateVerdict::part:
      return "part";
  }
  SIM_UNREACHABLE("a verdict without a name");
}

CertificateVerdict verdict_of(const Certificate& certificate) {
  if (certificate.counterexample) return CertificateVerdict::refused;
  if (certificate.units_done < certificate.units) return CertificateVerdict::incomplete;
  if (certificate.shard.of > 1) return CertificateVerdict::part;
  for (const PropertyCount& property : certificate.properties) {
    if (is_undecided(property)) return CertificateVerdict::undecided;
  }
  return CertificateVerdict::certified;
}

std::string claim_of(const Certificate& certificate) {
  const std::string bound = reach_of(certificate) + ", on " + grid_of(certificate.bound);
  switch (verdict_of(certificate)) {
    case CertificateVerdict::refused:
      return "Refused: " + certificate.counterexample->property +
             " is violated in a schedule with " + bound + ".";
    case CertificateVerdict::incomplete:
      return "Nothing is claimed: " + std::to_string(certificate.units_done) + " of " +
             plural(certificate.units, "unit") + " are done.";
    case CertificateVerdict::part:
      return "Nothing is claimed: this is shard " + std::to_string(certificate.shard.number) +
             " of " + std::to_string(certificate.shard.of) + "; merge them all.";
    case CertificateVerdict::undecided:
    case CertificateVerdict::certified:
      break;
  }
  return "All " + plural(certificate.schedules(), "schedule") + " of " + certificate.scenario +
         " with " + bound + ", were run, none pruned." + findings_of(certificate) + " " +
         left_out(certificate.bound);
}

std::string faults_of(const Scenario& scenario) {
  const FaultSearch& search = scenario.world.search;
  std::vector<std::string> kinds;
  for (unsigned k = 1; k < static_cast<unsigned>(FaultKind::count); ++k) {
    if (search.of.has(static_cast<FaultKind>(k)))
      kinds.emplace_back(name_of(static_cast<FaultKind>(k)));
  }
  if (kinds.empty() || search.max == 0) return "the scenario lets none be drawn";
  std::vector<std::string> labels;
  for (unsigned l = 0; l < static_cast<unsigned>(Label::count); ++l) {
    if (search.at_labels != 0 && search.allows_label(static_cast<Label>(l)))
      labels.emplace_back(name_of(static_cast<Label>(l)));
  }
  return "at most " + std::to_string(search.max) + " of " + listed(kinds) + " at " +
         (labels.empty() ? "every label" : listed(labels));
}

}  // namespace locklab
