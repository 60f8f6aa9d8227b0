// certify: every schedule within a bound, and what may be claimed; or a claim checked again.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "cli/certificates.h"
#include "cli/failure.h"
#include "cli/interrupt.h"
#include "cli/lab.h"
#include "cli/output_directory.h"
#include "cli/progress.h"
#include "cli/verbs.h"
#include "scenarios/loader.h"
#include "search/certificate_file.h"
#include "search/recount.h"

namespace locklab::cli {
namespace {

constexpr std::uint64_t kCheckpointUnits = 4096;

Bound bound_of(const CertifyWish& wish) {
  Bound bound;
  bound.faults = wish.faults;
  bound.orders = wish.orders;
  bound.deviations = wish.deviations.value_or(std::max(wish.faults, wish.orders));
  bound.steps = wish.steps;
  bound.every_target = wish.every_target;
  bound.phases = {wish.start_phases, wish.poll_phases, wish.work_times};
  return bound;
}

/// The scenario with room for that many faults, as --set search.faults.max would make it.
LoadedScenario with_faults(const std::string& name, std::vector<std::string> set,
                           std::uint32_t faults) {
  LoadedScenario loaded = load_for(name, set);
  const FaultSearch& search = loaded.scenario.world.search;
  if (search.of.empty() || search.max >= faults) return loaded;
  set.push_back(fmt::format("search.faults.max={}", faults));
  return load_for(name, set);
}

void print(const Certificate& certificate, const LoadedScenario& loaded, const Arguments& arguments,
           Console& console) {
  if (arguments.json) return console.print(certificate_text(certificate));
  const Paper& paper = console.paper();
  console.print(paper.paragraph("", certificate.scenario, 0, Ink::bold));
  for (const std::string& assignment : certificate.set)
    console.print(paper.paragraph("", "with --set " + assignment, 0, Ink::dim));
  for (std::size_t level = 0; level < certificate.levels.size(); ++level) {
    const LevelCount& count = certificate.levels[level];
    console.print(fmt::format("  {} deviation{} {:>12} schedules, {} impossible\n", level,
                              level == 1 ? ": " : "s:", count.schedules, count.impossible));
  }
  const bool fine = code_of(certificate) == kOk;
  console.print("\n" + paper.paragraph(fine ? "✓ " : "✗ ", claim_of(certificate), 2,
                                       fine ? Ink::green : Ink::red));
  if (!certificate.counterexample) return;
  console.print(paper.paragraph("  ", certificate.counterexample->why, 2, Ink::dim));
  if (certificate.counterexample->token.empty()) return;
  console.print("\n" +
                paper.say(replay_command(certificate.counterexample->token, loaded.scenario,
                                         certificate.set)) +
                "\n");
}

Certificate enumerate(const LoadedScenario& loaded, const Certificate& begun,
                      const Arguments& arguments, Console& console) {
  std::optional<OutputDirectory> directory;
  if (!arguments.out.empty()) directory.emplace(arguments.out);
  Progress progress(console);
  CertifyHooks hooks;
  hooks.cancelled = is_interrupted;
  hooks.progress = [&progress](const CertifyProgress& p) {
    progress.update("schedules, as estimated", p.schedules, p.schedules_total, "");
  };
  if (directory) {
    hooks.checkpoint = [&directory](const Certificate& so_far) {
      if (so_far.units_done % kCheckpointUnits != 0) return;
      directory->write("certificate.json", certificate_text(so_far));
    };
  }
  Certificate done = certify(loaded.scenario, begun, jobs_of(arguments), hooks);
  progress.clear();
  if (directory) directory->write("certificate.json", certificate_text(done));
  return done;
}

ExitCode verify(const Arguments& arguments, Console& console) {
  const Certificate claimed = certificate_in(arguments.certify.verify);
  const CertificateVerdict verdict = verdict_of(claimed);
  if (verdict != CertificateVerdict::certified && verdict != CertificateVerdict::undecided) {
    throw Failure(kBadData, fmt::format("{} is {}: there is no claim to verify",
                                        arguments.certify.verify, name_of(verdict)));
  }
  const std::string name = arguments.words.empty() ? claimed.scenario : arguments.words[0];
  const LoadedScenario loaded = load_for(name, claimed.set);
  if (loaded.scenario.hash != claimed.scenario_hash ||
      faults_of(loaded.scenario) != claimed.faults) {
    throw Failure(kDiverged, "the certificate is of another scenario than " + name);
  }
  Progress progress(console);
  CertifyHooks hooks;
  hooks.cancelled = is_interrupted;
  hooks.progress = [&progress, &claimed](const CertifyProgress& p) {
    progress.update("schedules", p.schedules, claimed.schedules(), "");
  };
  const Recount found = recount(loaded.scenario, claimed.bound, jobs_of(arguments), hooks);
  progress.clear();
  if (found.cancelled) return kInterrupted;
  const std::string differs = difference(claimed, found);
  if (!differs.empty()) throw Failure(kDiverged, "the certificate is false: " + differs);
  console.print(console.paper().paragraph(
      "✓ ",
      fmt::format("verified: {} schedules enumerated again by other means, and all agrees",
                  claimed.schedules()),
      2, Ink::green));
  return kOk;
}

}  // namespace

ExitCode certify(const Arguments& arguments, Console& console) {
  const CertifyWish& wish = arguments.certify;
  if (!wish.verify.empty()) return verify(arguments, console);
  if (arguments.words.empty())
    throw Failure(kUsage, "certify needs SCENARIO; see locklab certify -h");
  std::optional<Certificate> begun;
  if (!wish.resume.empty()) begun = certificate_in(wish.resume);
  const LoadedScenario loaded = begun ? load_for(arguments.words[0], begun->set)
                                      : with_faults(arguments.words[0], arguments.set, wish.faults);
  if (begun && begun->scenario_hash != loaded.scenario.hash) {
    throw Failure(kDiverged, wish.resume + " is of another scenario than " + arguments.words[0]);
  }
  const Bound bound = begun ? begun->bound : bound_of(wish);
  if (cell_count(bound.phases, loaded.scenario.client_count()) == 0) {
    throw Failure(kUsage, fmt::format("the grid of phases has more than {} cells", kCellsMost));
  }
  Certificate blank = blank_certificate(loaded.scenario, bound,
                                        begun ? begun->shard : arguments.shard.value_or(Shard{}));
  blank.set = loaded.set;
  if (!begun) {
    begun = std::move(blank);
  } else if (begun->units != blank.units || begun->set != blank.set) {
    throw Failure(kDiverged, wish.resume + " numbers the work otherwise than this version does");
  }
  const Certificate done = enumerate(loaded, *begun, arguments, console);
  print(done, loaded, arguments, console);
  return code_of(done);
}

}  // namespace locklab::cli
