// Table: the page, in words that need no other page.
// SPDX-License-Identifier: Apache-2.0
#include "tests/real/table.h"

#include <fmt/format.h>

namespace locklab::real {
namespace {

constexpr std::string_view kHead =
    R"(# On real servers

<!-- Generated: build/dev/bin/real_redis > docs/real-redis.md. The tests *OnRealRedis* compare it. -->

Does what breaks in the simulation break on Redis? A run of each story is played again on Debian's redis-server 7.0.15, a process
per server, with a process per client that speaks RESP over sockets of its own, all on this machine. It is the run that
`reports/published/` tells: of a story that breaks its violation, shrunk; of one that holds a run that shows why. A client runs the locks themselves: `real_client` links the library of `models/` as it was compiled for the simulation,
and compiles `sim/client.cpp`, `sim/go.cpp`, `scenarios/harness.cpp` and `scenarios/workload.cpp` against sockets in place of the
simulated network (the few types that stand between are written twice: `tests/real/port/` has its own). Its fibers are fibers of
that process. A driver walks through the simulated events in order and lets the process concerned take that one step; a record of
what the real parts did is written anew, and the first that is not as simulated ends the comparison. Then the properties judge the
real record by itself. `tests/real/driver.h` is the place to begin reading.

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
| a client's clock that jumps, drifts or stands, a suspend, a freeze | what the client is told its clocks read |
| a stall of one call | that fiber of the client is let do nothing until its time; its others go on |
| a flush, an eviction | `FLUSHALL`, or `DEL` of the key that the simulation has evicted, by an operator |

## What is compared, and what is copied

Seen, and compared with the simulated record:

- Of a client: each request before it is written (server, label, command or script, its hold), the reply that its socket shows, or
  that nothing or the end of the stream is there; what its program records (operations, results, sections, fences, its own clock);
  that it gives a reply up when its own clock has come to its own deadline, and neither earlier nor later; when its claim ends; how
  its process ends.
- Of a server: each command (key and last argument of the bytes that it was sent), the reply, every change of a key with its value,
  its fields and its expiry to the millisecond, and that no other key has changed: behind each command, before it dies or changes
  its part, and at the end. That an expired key is gone by the clock that the server itself tells.
- Of replication: that the primary has written an effect that is said to be sent, that the replica executes what it is given and
  then has those keys, its `ROLE` after a promotion, how many effects it has not been given (of a primary that answers), and that
  what it has after a resync is what its primary has.
- Of the resource and the counter: what they accept, versions and fences.

Copied whole, because the driver does or decides it (the difference between the columns *events* and *seen*): each fault's beginning
and end, pauses, stalls, deaths, restarts, demotions, resyncs, cancelled calls, which server is suspected, to which primary a client
turns (also one that starts anew), when the probe begins, when an effect is sent and executed, the end of the run, that a run is
blocked. Some of these are held to what can be seen (a process has ended, a server answers, an effect has been written, no server
lets anybody in), but the record is the simulation's.

Copied within records that are seen: time and cause of every event; the epoch of a promoted server, and when one is promoted (there
is no redis-sentinel); every free choice, such as a random delay or how long a fiber is held; which of a pool's connections carries
a request; how many acknowledgements have arrived at a WAIT; what a key held between two commands of one script or transaction;
whether a key ended by expiry on a replica, and on whose behalf a replica's key changed, or an expired one was deleted; how many
effects a primary that is dead or stopped had not sent; that a connection breaks (the driver resets it), and on whose behalf; names
and facts of the story that the properties read.

)";

constexpr std::string_view kTableHead =
    "| story | violated, in both | processes | events | seen | commands | key changes | effects |\n"
    "|---|---|---:|---:|---:|---:|---:|---:|\n";

constexpr std::string_view kColumns =
    R"(
Events: simulated ones. Seen: those of them whose record comes from the real parts and equals the simulated one. Commands: executed
by redis-servers. Key changes: seen on them. Effects: commands that replicas received and executed. That a difference would be seen
is tested too: a server whose clock does not jump, a replica that has received everything in time, a server that should have died, a
changed reply, a client that is less or more patient, and a key that somebody else writes behind the last command each end the
comparison with the event that differs. Beyond the stories, the nightly tests play hundreds of runs with any two faults.

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
  return fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} |\n", comparison.story,
                     outcome_of(comparison), walk.processes, walk.events, walk.events - walk.copied,
                     walk.commands, walk.key_changes, walk.effects);
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
  if (!comparison.walk.trouble.empty())
    return "does not come to its end: " + comparison.walk.trouble;
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
    why_unmapped.insert(comparison.walk.unmapped);
  } else if (comparison.agrees()) {
    ++agreeing;
    events += comparison.walk.events;
    seen += comparison.walk.events - comparison.walk.copied;
    commands += comparison.walk.commands;
  } else {
    ++disagreeing;
  }
}

std::string Sum::sentence() const {
  std::string text = fmt::format(
      "{} runs agree in {} events, of which {} are seen, and {} commands, {} differ, "
      "{} cannot be played",
      agreeing, events, seen, commands, disagreeing, unmapped);
  for (const std::string& why : why_unmapped)
    text += "\n    " + why;
  return text;
}

}  // namespace locklab::real
