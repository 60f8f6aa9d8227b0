// Scenario: a story as data: who contends for which lock, where, and what may go wrong.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sim/timeout_policy.h"
#include "sim/verdict.h"
#include "sim/world_config.h"

namespace locklab {

/// Settings of one client, or of `count` equal ones. Client n of the whole list is "client-n".
struct ClientConfig {
  std::uint32_t count = 1;
  std::string algorithm;  // A lock's name, as `locklab list locks` shows it.
  std::string key = "lock:order-42";
  Duration ttl = milliseconds(1000);
  Duration margin = milliseconds(20);    // A checked client stops this long before its deadline.
  Duration timeout = milliseconds(100);  // Of one command.
  std::uint32_t retries = 0;  // How many times a command without an answer is sent again.
  TimeoutPolicy pool = TimeoutPolicy::close_connection;
  Duration start;  // The start-phase choice adds up to one poll interval.
};

/// When the program unlocks: by a deferred call, whatever ends the section; by its last statement,
/// which a panic skips; or before it commits what it read and computed.
enum class Unlock : std::uint8_t { deferred, last, before_commit };

/// What every client does: rounds of acquire, enter, read and append, leave, release.
struct WorkloadConfig {
  std::uint32_t rounds = 2;           // Sections that each client completes, if it is granted them.
  Duration work = milliseconds(300);  // Between a section's read and its append.
  Duration think = milliseconds(50);  // Between two rounds.
  Duration poll = milliseconds(100);  // Between two attempts to acquire.
  std::uint32_t attempts = 200;       // Attempts to acquire, for all rounds of one client.
  std::uint32_t effects = 1;          // Read-append pairs in a section.
  Duration resource_timeout = milliseconds(500);
  bool read_only = false;  // Sections append nothing.
  Unlock unlock = Unlock::deferred;
  bool nested = false;          // A function that the section calls takes the same lock again,
  Duration nested_ttl;          // for so long, if not zero,
  bool nested_effects = false;  // and reads and appends under the lease that it was given.
  std::uint32_t chains = 1;     // Call chains that each client runs side by side: its goroutines.
};

struct Scenario {
  std::string name;
  std::string title;
  std::vector<std::string> tags;
  std::string notes;  // Markdown.
  WorldConfig world;  // topology, hosts, resource, faults, search, limits
  std::vector<ClientConfig> clients;
  WorkloadConfig workload;
  std::vector<std::string> properties;    // Names to judge; empty: all that apply.
  std::vector<std::string> sometimes;     // Event kinds ("key_lost") that a search must have met.
  std::map<std::string, Verdict> expect;  // Unlisted properties must hold.
  std::string tell;  // Which expected violation a telling shows; empty: the worst.

  std::string source;      // "embedded:trap-5/late-write.json" or the user's path.
  std::uint64_t hash = 0;  // Of the canonical JSON (kernel contract, "Tokens").

  std::uint32_t client_count() const {
    std::uint32_t total = 0;
    for (const ClientConfig& client : clients)
      total += client.count;
    return total;
  }
};

}  // namespace locklab
