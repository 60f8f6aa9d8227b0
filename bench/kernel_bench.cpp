// Kernel bench: executions per second and nanoseconds per event, fibers beside state machines.
// SPDX-License-Identifier: Apache-2.0
//
// One process is one round: every case runs the same number of the same seeds, each case of fibers
// right before its twin of state machines. bench/run starts several and compares round by round.
#include <benchmark/benchmark.h>

#include "bench/contender.h"

namespace locklab::bench {
namespace {

constexpr std::uint64_t kWarmUp = 30;

/// About a fifth of a second on the machine that the committed table is from.
std::int64_t executions_of(const ScheduleSize& size) {
  return size.nodes == 1 ? 2000 : size.nodes == 3 ? 700 : 300;
}

void measure(benchmark::State& state, const Setup& setup) {
  Contender contender(setup);
  for (std::uint64_t seed = 1; seed <= kWarmUp; ++seed)
    contender.run(seed);
  std::uint64_t seed = kWarmUp;
  std::size_t events = 0;
  for ([[maybe_unused]] auto _ : state)
    events += contender.run(++seed);
  state.counters["executions_per_s"] =
      benchmark::Counter(static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
  state.counters["s_per_event"] = benchmark::Counter(
      static_cast<double>(events), benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void register_all() {
  for (const ScheduleSize& size : kScheduleSizes) {
    for (const redis::ScriptMode scripts : {redis::ScriptMode::native, redis::ScriptMode::lua}) {
      for (const bool judged : {false, true}) {
        for (const bool machine : {false, true}) {
          const Setup setup{machine, scripts, judged, size};
          benchmark::RegisterBenchmark(setup.name().c_str(),
                                       [setup](benchmark::State& state) { measure(state, setup); })
              ->Iterations(executions_of(size))
              ->Unit(benchmark::kMicrosecond);
        }
      }
    }
  }
}

}  // namespace
}  // namespace locklab::bench

int main(int argc, char** argv) {
  locklab::bench::register_all();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 64;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
