// Kernel loop: runs one case of the kernel bench over some seeds, for profilers.
// SPDX-License-Identifier: Apache-2.0
//
//   kernel_loop fiber|machine native|lua judged|unjudged 92|288|542 <executions>
//   kernel_loop composition <executions>        what an execution of each size consists of
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "bench/contender.h"

namespace locklab::bench {
namespace {

constexpr int kUsage = 64;

std::optional<Setup> setup_of(char** argv) {
  Setup setup;
  setup.machine = std::string_view(argv[1]) == "machine";
  setup.scripts =
      std::string_view(argv[2]) == "native" ? redis::ScriptMode::native : redis::ScriptMode::lua;
  setup.judged = std::string_view(argv[3]) == "judged";
  for (const ScheduleSize& size : kScheduleSizes) {
    if (size.name == argv[4]) {
      setup.size = size;
      return setup;
    }
  }
  return std::nullopt;
}

void print_composition(const ScheduleSize& size, std::uint64_t executions) {
  const Scenario scenario = quorum_schedule(size);
  Runner runner;
  std::uint64_t resumptions = 0, requests = 0, dispatches = 0, events = 0;
  std::uint64_t visits = 0, draws = 0, timeouts = 0, faults = 0, sections = 0;
  for (std::uint64_t seed = 1; seed <= executions; ++seed) {
    CountingSource source(seed);
    const Execution& execution = runner.run(scenario, source);
    resumptions += source.holds();
    draws += source.draws();
    dispatches += execution.steps;
    visits += execution.choice_visits;
    events += execution.history->records().size();
    for (const Record& record : execution.history->records()) {
      requests += record.kind == EventKind::applied || record.kind == EventKind::resource_op;
      timeouts += record.kind == EventKind::timed_out;
      faults += record.kind == EventKind::fault_begin;
      sections += record.kind == EventKind::section_enter;
    }
  }
  const auto average = [executions](std::uint64_t total) {
    return static_cast<double>(total) / static_cast<double>(executions);
  };
  std::printf(
      "| %s | %u / %u | %.1f | %.1f | %.1f | %.0f | %.0f | %.0f | %.0f | %.2f | %.2f | %.2f |\n",
      size.name.data(), size.clients, size.nodes, average(resumptions + requests),
      average(resumptions), average(requests), average(dispatches), average(events),
      average(visits), average(draws), average(timeouts), average(faults), average(sections));
}

int run(int argc, char** argv) {
  if (argc == 3 && std::string_view(argv[1]) == "composition") {
    const auto executions = std::strtoull(argv[2], nullptr, 10);
    if (executions == 0) return kUsage;
    for (const ScheduleSize& size : kScheduleSizes)
      print_composition(size, executions);
    return 0;
  }
  if (argc != 6) return kUsage;
  const std::optional<Setup> setup = setup_of(argv);
  if (!setup) return kUsage;
  Contender contender(*setup);
  const auto executions = std::strtoull(argv[5], nullptr, 10);
  std::size_t events = 0;
  for (std::uint64_t seed = 1; seed <= executions; ++seed)
    events += contender.run(seed);
  std::printf("%zu events\n", events);
  return 0;
}

}  // namespace
}  // namespace locklab::bench

int main(int argc, char** argv) {
  return locklab::bench::run(argc, argv);
}
