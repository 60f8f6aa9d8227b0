// Checks: names that must exist, relations between values, and what the vocabulary says.
// SPDX-License-Identifier: Apache-2.0

#include "scenarios/checks.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/keys.h"
#include "scenarios/suggest.h"
#include "sim/history.h"

namespace locklab::schema {
namespace {

std::string entry(std::string_view list, std::size_t index, std::string_view key = {}) {
  std::string path = std::string(list) + "." + std::to_string(index);
  return key.empty() ? path : path + "." + std::string(key);
}

std::vector<std::string_view> views_of(const std::vector<std::string>& names) {
  return {names.begin(), names.end()};
}

void check_topology(const Scenario& scenario, Decoding& d) {
  const TopologyConfig& topology = scenario.world.topology;
  if (topology.replicas > 0 && topology.nodes > 1) {
    d.error_at("topology.replicas", "only a single node can have replicas",
               "set nodes to 1, or replicas to 0");
  }
  if (topology.min_replicas > topology.replicas) {
    d.error_at("topology.min_replicas", "more than there are replicas: every write is refused");
  }
  const Duration lag = topology.min_replicas_max_lag;
  if (lag != seconds(whole_milliseconds(lag) / 1000)) {
    d.error_at("topology.min_replicas_max_lag",
               "a lag is whole seconds, as Redis' min-replicas-max-lag takes it");
  }
}

/// A time to live at this path, which a client with this margin asks for.
void check_ttl(const std::string& path, const std::string& margin_path, Duration ttl,
               Duration margin, Decoding& d) {
  if (ttl != milliseconds(whole_milliseconds(ttl))) {
    d.error_at(path, "a ttl is whole milliseconds, as Redis' PX takes it");
  }
  if (margin >= ttl) {
    d.error_at(d.has(margin_path) ? margin_path : path, "the margin (" + to_string(margin) +
                                                            ") must be shorter than the ttl (" +
                                                            to_string(ttl) + ")");
  }
}

void check_clients(const Scenario& scenario, Decoding& d) {
  if (scenario.client_count() > kClients) {
    d.error_at("clients", "more than " + std::to_string(kClients) + " clients in all");
  }
  for (std::size_t i = 0; i < scenario.clients.size(); ++i) {
    const ClientConfig& client = scenario.clients[i];
    check_ttl(entry("clients", i, "ttl"), entry("clients", i, "margin"), client.ttl, client.margin,
              d);
  }
}

void check_nested(const Scenario& scenario, Decoding& d) {
  const WorkloadConfig& workload = scenario.workload;
  if (workload.nested_ttl > Duration()) {  // Else the client's, which has been checked.
    Duration margin;
    for (const ClientConfig& client : scenario.clients)
      margin = std::max(margin, client.margin);
    check_ttl("workload.nested_ttl", "workload.nested_ttl", workload.nested_ttl, margin, d);
  }
  for (const std::string_view key : {"workload.nested_ttl", "workload.nested_effects"}) {
    if (!workload.nested && d.has(key)) {
      d.error_at(key, "there is no nested call", "set workload.nested to true");
    }
  }
}

void check_hosts(const Scenario& scenario, Decoding& d) {
  const std::vector<std::string> actors = actor_names(scenario);
  std::set<std::string_view> names(actors.begin(), actors.end());
  std::set<std::string_view> placed;
  for (std::size_t i = 0; i < scenario.world.hosts.size(); ++i) {
    const HostConfig& host = scenario.world.hosts[i];
    if (!names.insert(host.name).second) {
      d.error_at(entry("hosts", i, "name"),
                 quoted(host.name) + " is taken by another host or actor");
    }
    for (std::size_t j = 0; j < host.actors.size(); ++j) {
      const std::string& actor = host.actors[j];
      const std::string path = entry("hosts", i, "actors") + "." + std::to_string(j);
      if (std::find(actors.begin(), actors.end(), actor) == actors.end()) {
        d.error_at(path, "no actor is named " + quoted(actor), suggestion(actor, views_of(actors)));
      } else if (!placed.insert(actor).second) {
        d.error_at(path, quoted(actor) + " already lives on a host");
      }
    }
  }
}

void check_unique(std::string_view list, const std::vector<std::string>& words, Decoding& d) {
  std::set<std::string_view> seen;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!seen.insert(words[i]).second) {
      d.error_at(entry(list, i), quoted(words[i]) + " is here twice");
    }
  }
}

void check_sometimes(const Scenario& scenario, Decoding& d) {
  std::vector<std::string_view> events;
  for (int i = 1; i < static_cast<int>(EventKind::count); ++i) {
    events.push_back(name_of(static_cast<EventKind>(i)));
  }
  for (std::size_t i = 0; i < scenario.sometimes.size(); ++i) {
    const std::string& event = scenario.sometimes[i];
    if (std::find(events.begin(), events.end(), event) == events.end()) {
      d.error_at(entry("sometimes", i), "no event is named " + quoted(event),
                 suggestion(event, events));
    }
  }
}

void check_expect(const Scenario& scenario, Decoding& d) {
  const std::vector<std::string>& judged = scenario.properties;
  for (const auto& [property, verdict] : scenario.expect) {
    if (judged.empty() || std::find(judged.begin(), judged.end(), property) != judged.end())
      continue;
    d.error_at("expect." + property, quoted(property) + " is not among the properties to judge");
  }
}

void check_tell(const Scenario& scenario, Decoding& d) {
  if (scenario.tell.empty()) return;
  const auto expected = scenario.expect.find(scenario.tell);
  if (expected != scenario.expect.end() && expected->second == Verdict::violated) return;
  std::vector<std::string_view> violated;
  for (const auto& [property, verdict] : scenario.expect) {
    if (verdict == Verdict::violated) violated.push_back(property);
  }
  d.error_at("tell", quoted(scenario.tell) + " is not expected to be violated",
             suggestion(scenario.tell, violated));
}

void check_property(const std::string& path, const std::string& property,
                    const Vocabulary& vocabulary, Decoding& d) {
  const std::vector<std::string>& known = vocabulary.properties;
  if (std::find(known.begin(), known.end(), property) != known.end()) return;
  d.error_at(path, "no property is named " + quoted(property),
             suggestion(property, views_of(known)));
}

void check_algorithm(const Scenario& scenario, std::size_t index, const Vocabulary& vocabulary,
                     Decoding& d) {
  const std::string& name = scenario.clients[index].algorithm;
  const std::string path = entry("clients", index, "algorithm");
  const auto lock = std::find_if(vocabulary.locks.begin(), vocabulary.locks.end(),
                                 [&](const Vocabulary::Lock& known) { return known.name == name; });
  if (lock == vocabulary.locks.end()) {
    std::vector<std::string_view> names;
    for (const Vocabulary::Lock& known : vocabulary.locks)
      names.push_back(known.name);
    d.error_at(path, "no lock is named " + quoted(name), suggestion(name, names));
  } else if (!lock->fenced && enforces_fence(scenario.world.resource)) {
    d.error_at(path,
               quoted(name) + " issues no fences, but the resource's mode " +
                   std::string(name_of(scenario.world.resource)) + " looks at them",
               "set resource.mode to none, cas or cas_token, or use a lock with fences");
  }
}

void check_names(const Scenario& scenario, const Vocabulary& vocabulary, Decoding& d) {
  for (std::size_t i = 0; i < scenario.clients.size(); ++i) {
    check_algorithm(scenario, i, vocabulary, d);
  }
  for (std::size_t i = 0; i < scenario.properties.size(); ++i) {
    check_property(entry("properties", i), scenario.properties[i], vocabulary, d);
  }
  for (const auto& [property, verdict] : scenario.expect) {
    check_property("expect." + property, property, vocabulary, d);
  }
}

}  // namespace

std::vector<std::string> actor_names(const Scenario& scenario) {
  std::vector<std::string> names;
  const auto number = [&](std::string_view base, std::uint32_t count) {
    for (std::uint32_t i = 1; i <= count; ++i) {
      names.push_back(std::string(base) + "-" + std::to_string(i));
    }
  };
  number("client", scenario.client_count());
  number("idle", scenario.world.topology.idle_clients);
  number("redis", scenario.world.topology.nodes);
  number("replica", scenario.world.topology.replicas);
  names.insert(names.end(), {"resource", "counter", "orchestrator"});
  return names;
}

void check_scenario(const Scenario& scenario, const Vocabulary* vocabulary, Decoding& d) {
  check_topology(scenario, d);
  check_clients(scenario, d);
  check_nested(scenario, d);
  check_hosts(scenario, d);
  check_unique("tags", scenario.tags, d);
  check_unique("properties", scenario.properties, d);
  check_unique("sometimes", scenario.sometimes, d);
  check_sometimes(scenario, d);
  check_expect(scenario, d);
  check_tell(scenario, d);
  if (vocabulary != nullptr) check_names(scenario, *vocabulary, d);
  // Faults name actors: with the wrong number of clients, each of them would be reported.
  if (d.ok()) check_faults(scenario, d);
}

}  // namespace locklab::schema
