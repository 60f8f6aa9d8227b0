// Table: the page, in words that need no other page.
// SPDX-License-Identifier: Apache-2.0
#include "tests/real/table.h"

#include <fmt/format.h>

namespace locklab::real {
namespace {

constexpr std::string_view kHead =
    R"(# On real servers

<!-- Generated: build/dev/bin/real_redis > docs/real-redis.md. The tests *OnRealRedis* compare it. -->

Does what breaks in the simulation break on Redis? Each story's run, shrunk, is played again on Debian's redis-server 7.0.15, a
process per server, with a process per client that speaks RESP over sockets of its own, all on this machine. Of a story that breaks
it is the run in `reports/published/`. A client runs the lock's own source (`models/`, `sim/client.cpp`, `sim/go.cpp`,
`scenarios/workload.cpp`), compiled against sockets instead of the simulated network; its fibers are fibers of that process. A
driver walks through the simulated events in order and lets the process concerned take that one step; what the real parts did is
recorded anew, and each real event must equal the simulated one: the command and its bytes' key and last argument, the reply, every
change of a key with its value, its fields and its expiry to the millisecond, what the client concludes, what the resource accepts.
Then the properties judge the real record by itself. `tests/real/driver.h` is the place to begin reading.

What strikes is done, not assumed:

| in the story | on this machine |
|---|---|
| a pause of a client or server | SIGSTOP, later SIGCONT |
| the end of a client or server | SIGKILL; a restart is a new process |
| a panic, a cancelled call | an exception in that fiber of the client; unrecovered, its process ends by itself |
| a power loss | SIGKILL, and the end of the append-only file is cut off, never below what the last fdatasync had covered |
| a slow, cut, reset or lossy link | a proxy on loopback that holds each byte until its time, or resets |
| a queue that delivers twice | the proxy sends the same bytes again, on a connection of its own; nobody gets the second reply |
| a reply left unread | the proxy lets it into the client's socket before the client writes its next command there |
| replication that lags, a failover | a proxy between primary and replica that lets one effect through at a time; `REPLICAOF NO ONE` |
| acknowledgements that are slow | the same proxy holds what a replica says it has, and passes it on before a WAIT is over |
| a clock that jumps, drifts or stands | a wall clock of the server's own, set before each step (a preloaded shim) |

What the real record takes from the driver, because the driver does it: time, the faults, who is paused, killed or promoted (there
is no redis-sentinel: when a replica takes over is the story's), how many acknowledgements have arrived. What nobody can see from
outside is the simulation's word: what a key held between two commands of one script, which of a pool's connections carries a
request, that a run is blocked because its state repeats. All else is seen: on sockets, in `ROLE`, `TIME`, `KEYS`, `GET`, `HGETALL`,
`PEXPIRETIME`, in the stream to the replica, in exit codes.

)";

constexpr std::string_view kTableHead =
    "| story | violated, in both | processes | events | commands | key changes | effects |\n"
    "|---|---|---:|---:|---:|---:|---:|\n";

constexpr std::string_view kColumns =
    R"(
Events: simulated ones, each equal to its real one. Commands: executed by redis-servers. Key changes: seen on them. Effects:
commands that replicas received and executed. That a difference would be seen is tested too: a server whose clock does not jump, a
replica that has received everything in time, a server that should have died, and a changed reply each end the comparison with the
event that differs. Beyond the stories, the nightly tests play hundreds of runs with any two faults.

## The runs

)";

std::string joined(const std::vector<std::string>& parts, std::string_view between) {
  std::string text;
  for (const std::string& part : parts)
    text += (text.empty() ? "" : std::string(between)) + part;
  return text;
}

std::string outcome_of(const Comparison& comparison) {
  if (!comparison.walk.unmapped.empty()) return "*cannot be played*";
  if (!comparison.agrees()) return "**differs**";
  const std::vector<std::string> violated = comparison.violated();
  return violated.empty() ? "nothing" : joined(violated, ", ");
}

}  // namespace

std::string row_of(const Comparison& comparison) {
  const Walk& walk = comparison.walk;
  return fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", comparison.story,
                     outcome_of(comparison), walk.processes, walk.events, walk.commands,
                     walk.key_changes, walk.effects);
}

std::string details_of(const Comparison& comparison) {
  std::string text =
      fmt::format("- **{}**: {}.\n", comparison.story,
                  comparison.faults.empty() ? "no fault" : joined(comparison.faults, "; "));
  if (!comparison.agrees()) text += "  " + disagreement_of(comparison) + "\n";
  return text + fmt::format("  `locklab replay {}`\n", comparison.token);
}

std::string disagreement_of(const Comparison& comparison) {
  if (!comparison.walk.unmapped.empty()) {
    return "cannot be played: " + comparison.walk.unmapped;
  }
  if (!comparison.walk.difference.empty()) return "differs: " + comparison.walk.difference;
  std::vector<std::string> verdicts;
  for (const VerdictPair& pair : comparison.verdicts) {
    if (pair.agrees()) continue;
    verdicts.push_back(fmt::format("{}: simulated {} ({}), real {} ({})", pair.property,
                                   name_of(pair.simulated), pair.why_simulated, name_of(pair.real),
                                   pair.why_real));
  }
  return joined(verdicts, "; ");
}

std::string page_of(std::span<const Comparison> comparisons) {
  std::string page(kHead);
  page += kTableHead;
  for (const Comparison& comparison : comparisons)
    page += row_of(comparison);
  page += kColumns;
  for (const Comparison& comparison : comparisons)
    page += details_of(comparison);
  return page;
}

void Sum::add(const Comparison& comparison) {
  if (!comparison.walk.unmapped.empty()) {
    ++unmapped;
  } else if (comparison.agrees()) {
    ++agreeing;
    events += comparison.walk.events;
    commands += comparison.walk.commands;
  } else {
    ++disagreeing;
  }
}

std::string Sum::sentence() const {
  return fmt::format("{} runs agree in {} events and {} commands, {} differ, {} cannot be played",
                     agreeing, events, commands, disagreeing, unmapped);
}

}  // namespace locklab::real
