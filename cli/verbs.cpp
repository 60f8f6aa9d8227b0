// Verbs: the table behind help and dispatch.
// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs.h"

#include <array>

namespace locklab::cli {
namespace {

constexpr std::array<Verb, 14> kVerbs = {{
    {"demo", "[1..5|all]", "the five traps of the Redis lock, each found live and mended",
     "Searches a story of each trap from seed 1, shrinks what it finds, draws it, and shows what "
     "mends it. `demo all` does it in brief for every story there is.",
     "  locklab demo                          five traps, a screen each\n"
     "  locklab demo 3                        one of them\n"
     "  locklab demo all                      every story, and its twin that is mended\n"
     "  locklab demo --width 80 --ascii       for any terminal\n",
     0, 1, demo},
    {"list", "[scenarios|locks|claims|properties|faults|labels|strategies|schema]",
     "what there is to choose from",
     "Lists the embedded scenarios, the lock algorithms, what each is claimed to break under, the "
     "properties, the faults, the labels at which faults strike or the strategies of a search; "
     "without a word the scenarios. Or prints the JSON schema of a scenario file.",
     "  locklab list                          the scenarios\n"
     "  locklab list locks                    the algorithms, and where they come from\n"
     "  locklab list claims                   which faults break which lock\n"
     "  locklab list properties --json        for a program\n"
     "  locklab list schema                   of a scenario file, for an editor\n",
     0, 1, list},
    {"run", "SCENARIO", "one run, told step by step",
     "Runs one schedule of a scenario, an embedded one by its name or a file by its path, and "
     "tells "
     "it as a story with the verdicts of all properties. Exits with 1 on a violation that the "
     "scenario does not expect, with 2 where something that must hold is unknown.",
     "  locklab run calm                      seed 1\n"
     "  locklab run late-write --seed 3 --timeline\n"
     "  locklab run ./my.json --set clients.0.ttl=2s --out /tmp/run\n",
     1, 1, run},
    {"check", "[SCENARIO...]", "many runs, judged against what the scenario expects",
     "Runs a range of seeds, shrinks the first violation and tells it. Without a scenario it "
     "checks "
     "all embedded ones, or those with --tag. Exits with 0 when every verdict is the expected one.",
     "  locklab check late-write              seeds 1..1000\n"
     "  locklab check ./my.json --seeds 1..100000 --strategy portfolio\n"
     "  locklab check --tag trap-5 --json     for CI\n"
     "  locklab check ./my.json --shard 3/8 --out parts\n",
     0, 64, check},
    {"certify", "[SCENARIO]", "every schedule within a bound, and what may be claimed",
     "Runs all schedules with at most so many deviations, none pruned, and prints the sentence "
     "that "
     "may be claimed; or the first that violates what must hold. docs/certificates.md says what is "
     "enumerated.",
     "  locklab certify late-write-fenced --faults 1\n"
     "  locklab certify ./my.json --faults 2 --shard 1/4 --out part-1\n"
     "  locklab certify --verify part/certificate.json\n",
     0, 1, certify},
    {"merge", "FILE...", "the shards of one check or certificate as the whole",
     "Adds up the files that the shards of one check or of one certify have written, and tells "
     "what one machine would have told, with its exit code. Refuses gaps, overlaps, and parts "
     "that were interrupted or do not belong together.",
     "  locklab merge parts/check-*-of-8.json\n"
     "  locklab merge parts/*.json --json     for CI\n"
     "  locklab merge part-*/certificate.json --out whole\n",
     1, 4096, merge},
    {"replay", "TOKEN|TRACE [SCENARIO]", "the same run again, and proof that it is the same",
     "Runs what a token or a trace file names and compares the digests. A token whose scenario is "
     "not embedded needs the scenario's file, and the --set flags that it was found with.",
     "  locklab replay ll1:late-write@...     a token, as printed by run and check\n"
     "  locklab replay /tmp/run/0123456789abcdef.json\n"
     "  locklab replay ll1:my-lock@... ./my.json --set clients.0.ttl=2s\n",
     1, 2, replay},
    {"history", "check FILE...", "is a black box's history linearizable?",
     "Reads what clients asked of a register, a key-value store, a queue or a lock and what they "
     "heard, and says ok, illegal or unknown; of an illegal history it shows a smallest part. "
     "Files "
     "are JSON lines (docs/linearizability.md), those of run --json too, Jepsen's log of etcd, or "
     "key-value maps in EDN. Exits with 1 if one is illegal, 2 if one is unknown.",
     "  locklab history check etcd.log\n"
     "  locklab history check locks.ndjson --model semaphore:3\n"
     "  locklab history check *.edn --time 10s --memory 512 --json\n",
     2, 4096, history},
    {"why", "TOKEN|TRACE|SCENARIO [FILE]", "what a failing run needs, and when it is too late",
     "Shrinks a failing run, rewinds it to each of its decisions and lets chance decide again: "
     "where "
     "the odds jump is the cause. Then takes each deviation away, gives it other values, and "
     "halves "
     "its length down to a millisecond. Of a scenario it takes the first seeds' failure.",
     "  locklab why late-write                what the story's failure hangs on\n"
     "  locklab why ll1:late-write@... --forks 1000\n"
     "  locklab why late-write --property effect-exclusion --json\n",
     1, 2, why},
    {"compare", "TOKEN|TRACE|SCENARIO [FILE] [B]", "one schedule under two locks or settings",
     "Takes the deviations of a run to another scenario, or to the same one with other settings, "
     "and names the first event that differs. Then runs the same seeds of both, and counts double "
     "ownership and harm.",
     "  locklab compare late-write late-write-fenced\n"
     "  locklab compare ll1:late-write@... --set resource.mode=ge_rw\n"
     "  locklab compare pause-outlives-lease --with redlock --set topology.nodes=5\n",
     1, 3, compare},
    {"shrink", "TOKEN|TRACE|SCENARIO [FILE]", "a failing run made as small as it gets",
     "Takes away deviations, and weakens and lowers those that are left, as long as the run fails "
     "in "
     "the same way. Ctrl-C keeps the smallest so far.",
     "  locklab shrink ll1:late-write@...     a token, as printed by run and check\n"
     "  locklab shrink ./my.json --seed 12 --runs 20000\n"
     "  locklab shrink late-write --property effect-exclusion\n",
     1, 2, shrink},
    {"corpus", "add|list|run|migrate|prune [WORD...]", "failures that are kept with the code",
     "add TOKEN shrinks a failing run and keeps it as a file: open (a known bug), fixed (must not "
     "come back) or expected (a trap that must bite). run runs all again, or those of the "
     "scenarios named; check does that first. Deviations that no longer fit are searched around. "
     "migrate records anew what has moved; prune removes what says nothing more.",
     "  locklab corpus add ll1:late-write@...  a token, as printed by run and check\n"
     "  locklab corpus run                     all again: 1 when a mended bug is back\n"
     "  locklab corpus migrate --corpus DIR    after a change of code or scenario\n",
     1, 64, corpus},
    {"version", "", "version, formats and model epoch",
     "Prints what two people must compare before they compare digests.",
     "  locklab version\n"
     "  locklab version --json\n"
     "  locklab --version\n",
     0, 0, version},
    {"publish", "DIR", "story, result and page of each embedded scenario",
     "Writes the files of reports/published/ into a directory: for each embedded scenario its "
     "worst "
     "violation, shrunk, or a run in which all holds. The same bytes on every machine.",
     "  locklab publish reports/published     after a change that is meant\n"
     "  locklab publish /tmp/published        to compare\n"
     "  locklab list scenarios                what is published\n",
     1, 1, publish, true},
}};

}  // namespace

std::span<const Verb> verbs() {
  return kVerbs;
}

}  // namespace locklab::cli
