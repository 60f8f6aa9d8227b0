// Samples for the tests of scenarios: a vocabulary, a small file and one with every key.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "scenarios/decoder.h"

namespace locklab::testing_samples {

inline const Vocabulary kVocabulary = {{{"set-nx-px", false}, {"fenced", true}},
                                       {"double-ownership", "no-stale-write"}};

/// A file that is right but for the members given, each on its own line from line 3.
inline std::string file_with(const std::string& members) {
  return "{\"schema\": 1, \"name\": \"x\",\n\"clients\": [{\"algorithm\": \"set-nx-px\"}],\n" +
         members + "}\n";
}

inline const std::string kRich = R"({
  // Everything that a file can say.
  "$schema": "scenario-1.schema.json", "x-owner": {"any": [1.5, null]},
  "schema": 1, "name": "rich", "title": "T — it is", "tags": ["trap-5"], "notes": "a\nb",
  "topology": {"nodes": 1, "replicas": 2, "idle_clients": 1,
               "network": {"latency": "2ms", "delay_max": "6ms", "heal_backoff": "0ms"},
               "failover": {"automatic": false, "detect": "800ms", "detect_spread": "1ms",
                            "demote_after": "2s", "rediscover_spread": "3ms"}},
  "hosts": [{"name": "vm", "actors": ["client-1", "replica-2"], "wall_offset": "-250ms", "rate_ppb": -5}],
  "clients": [{"count": 2, "algorithm": "fenced", "key": "k", "ttl": "1.5s", "margin": "5ms",
               "timeout": "70ms", "retries": 4, "pool": "reuse", "start": "1us", "x-note": 1},
              {"algorithm": "fenced"}],
  "workload": {"rounds": 3, "work": "1h", "think": "0ms", "poll": "9ms", "attempts": 7, "effects": 2,
               "resource_timeout": "10ms", "read_only": true, "unlock": "last", "nested": true,
               "nested_ttl": "40ms", "nested_effects": true, "chains": 3},
  "resource": {"mode": "ge_rw+cas+id", "objects": 2}, /* two
  lines */
  "faults": [{"at": "2s", "kind": "pause", "target": "vm", "length": "9s"},
             {"label": "srv.applied", "actor": "redis-1", "client": "client-3", "command": "SET", "nth": 2,
              "kind": "kill", "restarts": false},
             {"label": "acq.sent", "kind": "cut", "peer": "redis-1", "direction": "to-peer",
              "length": "forever"},
             {"at": "1s", "kind": "slew", "target": "client-2", "ppb": 100, "offset": "-3s"},
             {"at": "1s", "kind": "panic", "target": "idle-1", "recovered": false},
             {"at": "1s", "kind": "evict", "target": "redis-1", "key": "k"},
             {"at": "1s", "kind": "node-kill", "target": "redis-1", "dies": "os", "length": "9ms"}],
  "search": {"faults": {"of": ["pause", "kill"], "at": ["acq.sent"], "max": 2}},
  "properties": ["double-ownership"], "sometimes": ["key_lost"],
  "expect": {"double-ownership": "violated"},
  "limits": {"virtual": "60s", "steps": 5000}
})";

}  // namespace locklab::testing_samples
