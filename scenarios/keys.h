// Keys: the table of every key of a scenario file, version 1.
// SPDX-License-Identifier: Apache-2.0
//
// describe(visitor, Keys) names the keys of one object with the member of Keys::Owner that they
// fill, the rule of their value and their meaning. The decoder, the canonical text, `--set` and the
// JSON schema are visitors of this table and know no key themselves. Ranges that relate two keys
// are in checks.cpp.
#pragma once

#include <cstdint>

#include "scenarios/rules.h"
#include "scenarios/scenario.h"

namespace locklab::schema {

constexpr std::int64_t kVersion = 1;

// Limits: a scenario beyond them is a mistake, or takes longer than anybody waits.
constexpr std::int64_t kClients = 16;
constexpr std::int64_t kNodes = 9;
constexpr std::int64_t kReplicas = 5;
/// Deadlines name their owner in 6 bits (sim/choice.h Bucket): all actors together stay below 64.
constexpr std::int64_t kIdleClients = 16;
constexpr std::int64_t kMostPpb = 500'000'000;
constexpr Duration kDay = seconds(24L * 3600);
constexpr std::size_t kNameBytes = 64;
constexpr std::size_t kPlannedFaults = 64;
constexpr std::size_t kListed = 64;

static_assert(kClients + kIdleClients + kNodes + kReplicas + 4 < 64);

enum class Trait : std::uint8_t {
  optional,
  required,  // Written in the canonical text too, as it has no default.
  story      // For people: not part of the canonical text.
};

/// The member behind one or two pointers, of a value or of a constant.
template <class Owner, class Member>
constexpr auto at(Member Owner::*member) {
  return [member](auto& owner) -> auto& {
    return owner.*member;
  };
}
template <class Owner, class Inner, class Member>
constexpr auto at(Inner Owner::*inner, Member Inner::*member) {
  return [ inner, member ](auto& owner) -> auto& {
    return owner.*inner.*member;
  };
}

constexpr TimeRule kLength{Duration(), kDay};
constexpr TimeRule kPositive{nanoseconds(1), kDay};
constexpr TimeRule kSigned{-kDay, kDay};
constexpr TextRule kActor{TextForm::name, kNameBytes};

struct NetworkKeys {
  using Owner = NetworkConfig;
};
template <class Visitor>
void describe(Visitor& v, NetworkKeys) {
  v.field("latency", at(&NetworkConfig::latency), kPositive, "One way, on every link.");
  v.field("delay_max", at(&NetworkConfig::delay_max), kLength,
          "What the choices delay@link and hold@fiber draw below; one round trip if absent.");
  v.field("heal_backoff", at(&NetworkConfig::heal_backoff), kLength,
          "How long after a cut has healed the held bytes set out again.");
  v.field("queue", at(&NetworkConfig::queue), FlagRule{},
          "Requests pass an at-least-once queue that may deliver one again, late.");
}

struct FailoverKeys {
  using Owner = FailoverConfig;
};
template <class Visitor>
void describe(Visitor& v, FailoverKeys) {
  v.field("automatic", at(&FailoverConfig::automatic), FlagRule{},
          "An orchestrator promotes a replica when the primary is down.");
  v.field("detect", at(&FailoverConfig::detect), kLength,
          "How long the primary is down before it does.");
  v.field("detect_spread", at(&FailoverConfig::detect_spread), kLength,
          "The choice detect adds up to this.");
  v.field("demote_after", at(&FailoverConfig::demote_after), kLength,
          "How long after a promotion a living old primary becomes a replica.");
  v.field("rediscover_spread", at(&FailoverConfig::rediscover_spread), kLength,
          "The choice rediscover adds up to this for each client.");
}

struct TopologyKeys {
  using Owner = TopologyConfig;
};
template <class Visitor>
void describe(Visitor& v, TopologyKeys) {
  v.field("nodes", at(&TopologyConfig::nodes), IntegerRule{1, kNodes},
          "Independent primaries: redis-1 to redis-N.");
  v.field("replicas", at(&TopologyConfig::replicas), IntegerRule{0, kReplicas},
          "Of redis-1: replica-1 to replica-N. Only with one node.");
  v.field("idle_clients", at(&TopologyConfig::idle_clients), IntegerRule{0, kIdleClients},
          "Processes that do nothing: idle-1 to idle-N.");
  v.field("persistence", at(&TopologyConfig::persistence),
          WordRule<Persistence>{persistence_words, "persistence"},
          "What a restarted node finds: nothing, or its append-only file, synced every second or "
          "before each answer.");
  v.field("min_replicas", at(&TopologyConfig::min_replicas), IntegerRule{0, kReplicas},
          "min-replicas-to-write: with fewer good replicas redis-1 refuses writes.");
  v.field("min_replicas_max_lag", at(&TopologyConfig::min_replicas_max_lag), kLength,
          "How long ago a good replica has acknowledged at most, in whole seconds; 0s: no matter.");
  v.field("network", at(&TopologyConfig::network), ObjectRule<NetworkKeys>{}, "Every link.");
  v.field("failover", at(&TopologyConfig::failover), ObjectRule<FailoverKeys>{},
          "What happens when a primary is down.");
}

struct HostKeys {
  using Owner = HostConfig;
};
template <class Visitor>
void describe(Visitor& v, HostKeys) {
  v.field("name", at(&HostConfig::name), TextRule{TextForm::name, kNameBytes}, "Its name.",
          Trait::required);
  v.field("actors", at(&HostConfig::actors), ListRule<TextRule>{kActor, 1, kListed},
          "Who lives on it; they share its clocks and its pauses.", Trait::required);
  v.field("wall_offset", at(&HostConfig::wall_offset), kSigned, "How far its wall clock is off.");
  v.field("rate_ppb", at(&HostConfig::rate_ppb), IntegerRule{-kMostPpb, kMostPpb},
          "How much too fast both clocks run, in parts per billion.");
}

struct ClientKeys {
  using Owner = ClientConfig;
};
template <class Visitor>
void describe(Visitor& v, ClientKeys) {
  v.field("count", at(&ClientConfig::count), IntegerRule{1, kClients}, "How many equal ones.");
  v.field("algorithm", at(&ClientConfig::algorithm), TextRule{TextForm::name, kNameBytes},
          "The lock that they use; see `locklab list locks`.", Trait::required);
  v.field("key", at(&ClientConfig::key), TextRule{TextForm::word, 128}, "The lock's key.");
  v.field("ttl", at(&ClientConfig::ttl), TimeRule{milliseconds(1), kDay},
          "Time to live of the lock, in whole milliseconds.");
  v.field("margin", at(&ClientConfig::margin), kLength,
          "A client that checks its lease stops this long before its end.");
  v.field("timeout", at(&ClientConfig::timeout), kPositive, "Of one command.");
  v.field("retries", at(&ClientConfig::retries), IntegerRule{0, 10},
          "How many times a command to Redis without an answer is sent again: on another "
          "connection, or on the same where the pool keeps it.");
  v.field("pool", at(&ClientConfig::pool), WordRule<TimeoutPolicy>{pool_words, "pool"},
          "What becomes of a connection to Redis or the counter whose reply is no longer waited "
          "for: close, or reuse, with the reply unread.");
  v.field("start", at(&ClientConfig::start), kLength, "When they begin.");
}

struct WorkloadKeys {
  using Owner = WorkloadConfig;
};
template <class Visitor>
void describe(Visitor& v, WorkloadKeys) {
  v.field("rounds", at(&WorkloadConfig::rounds), IntegerRule{1, 1000},
          "Sections that each client completes.");
  v.field("work", at(&WorkloadConfig::work), kLength, "Between a section's read and its append.");
  v.field("think", at(&WorkloadConfig::think), kLength, "Between two rounds.");
  v.field("poll", at(&WorkloadConfig::poll), kPositive, "Between two attempts to acquire.");
  v.field("attempts", at(&WorkloadConfig::attempts), IntegerRule{1, 1'000'000},
          "Attempts to acquire, for all rounds of one client.");
  v.field("effects", at(&WorkloadConfig::effects), IntegerRule{1, 100},
          "Pairs of read and append in a section.");
  v.field("resource_timeout", at(&WorkloadConfig::resource_timeout), kPositive,
          "Of one operation of the resource.");
  v.field("read_only", at(&WorkloadConfig::read_only), FlagRule{},
          "Sections only read: they append nothing.");
  v.field("unlock", at(&WorkloadConfig::unlock), WordRule<Unlock>{unlock_words, "way to unlock"},
          "When the program unlocks: deferred, also by a panic; last, which a panic skips; or "
          "before-commit, before its appends.");
  v.field("nested", at(&WorkloadConfig::nested), FlagRule{},
          "A function that the section calls takes the same lock again.");
  v.field("nested_ttl", at(&WorkloadConfig::nested_ttl), kLength,
          "The time to live that the nested call asks for, longer than the margin; 0s: the "
          "client's.");
  v.field("nested_effects", at(&WorkloadConfig::nested_effects), FlagRule{},
          "The nested call reads and appends too, under the lease that it was given.");
  v.field("chains", at(&WorkloadConfig::chains), IntegerRule{1, 8},
          "Call chains that each client runs side by side: its goroutines.");
}

struct ResourceKeys {
  using Owner = WorldConfig;
};
template <class Visitor>
void describe(Visitor& v, ResourceKeys) {
  v.field("mode", at(&WorldConfig::resource),
          WordRule<ResourceMode>{resource_mode_words, "resource mode"},
          "How the protected resource uses fences and versions.");
  v.field("objects", at(&WorldConfig::objects), IntegerRule{1, 2}, "Objects that it holds.");
}

struct FaultKeys {
  using Owner = PlannedFault;
};
template <class Visitor>
void describe(Visitor& v, FaultKeys) {
  v.field("at", at(&PlannedFault::trigger, &FaultTrigger::at), kLength,
          "When it strikes, since the start; or else a label.");
  v.field("label", at(&PlannedFault::trigger, &FaultTrigger::label),
          WordRule<Label>{label_words, "label"}, "The point of a run at which it strikes.");
  v.field("actor", at(&PlannedFault::trigger, &FaultTrigger::actor), kActor,
          "Only when this actor passes the label.");
  v.field("client", at(&PlannedFault::trigger, &FaultTrigger::client), kActor,
          "Only when the label is passed on behalf of this client.");
  v.field("command", at(&PlannedFault::trigger, &FaultTrigger::command),
          TextRule{TextForm::command, 32}, "Only for this command.");
  v.field("nth", at(&PlannedFault::trigger, &FaultTrigger::nth), IntegerRule{1, 1'000'000},
          "The how manieth such visit of the label.");
  v.field("kind", at(&PlannedFault::kind), WordRule<FaultKind>{fault_kind_words, "fault"},
          "What happens.", Trait::required);
  v.field("target", at(&PlannedFault::target), kActor,
          "Whom it strikes; at a label, the one who is natural for the kind if absent.");
  v.field("peer", at(&PlannedFault::peer), kActor, "The other end of the link or connection.");
  v.field("length", at(&PlannedFault::length), TimeRule{Duration(), kDay, true},
          "How long it lasts; for kill, node-kill and host-loss: until the restart.");
  v.field("offset", at(&PlannedFault::offset), kSigned,
          "jump: by how much; slew: the offset; slow and lag: the extra delay.");
  v.field("ppb", at(&PlannedFault::ppb), IntegerRule{-kMostPpb, kMostPpb},
          "rate and slew: parts per billion.");
  v.field("direction", at(&PlannedFault::direction),
          WordRule<CutDirection>{direction_words, "direction"}, "cut: which way.");
  v.field("dies", at(&PlannedFault::dies), WordRule<NodeDeath>{death_words, "death"},
          "node-kill: the server's process, or the operating system beneath it.");
  v.field("restarts", at(&PlannedFault::restarts), FlagRule{},
          "kill, node-kill and host-loss: it comes back.");
  v.field("recovered", at(&PlannedFault::recovered), FlagRule{},
          "panic: the process and its other fibers live on.");
  v.field("key", at(&PlannedFault::key), TextRule{TextForm::word, 128}, "evict: which key.");
}

struct FaultSearchKeys {
  using Owner = FaultSearch;
};
template <class Visitor>
void describe(Visitor& v, FaultSearchKeys) {
  v.field("of", at(&FaultSearch::of), WordSetRule<FaultKind>{fault_kind_words, "fault"},
          "Kinds that may be drawn.", Trait::required);
  v.field("at", at(&FaultSearch::at_labels), WordSetRule<Label>{label_words, "label"},
          "Labels at which they may strike; all if absent.");
  v.field("max", at(&FaultSearch::max), IntegerRule{0, 16}, "How many in one run, at most.",
          Trait::required);
}

struct SearchKeys {
  using Owner = WorldConfig;
};
template <class Visitor>
void describe(Visitor& v, SearchKeys) {
  v.field("faults", at(&WorldConfig::search), ObjectRule<FaultSearchKeys>{},
          "Faults that may be drawn.");
}

struct LimitKeys {
  using Owner = Limits;
};
template <class Visitor>
void describe(Visitor& v, LimitKeys) {
  v.field("virtual", at(&Limits::virtual_time), kPositive, "Virtual time of one run.");
  v.field("steps", at(&Limits::steps), IntegerRule{1, 10'000'000}, "Kernel dispatches of one run.");
}

struct ScenarioKeys {
  using Owner = Scenario;
};
template <class Visitor>
void describe(Visitor& v, ScenarioKeys) {
  constexpr TextRule kName{TextForm::name, kNameBytes};
  constexpr TextRule kTag{TextForm::word, kNameBytes};  // "redis-py#416", too.
  constexpr TextRule kEvent{TextForm::word, kNameBytes};
  v.version();
  v.field("name", at(&Scenario::name), kName, "Its name, as in tokens.", Trait::required);
  v.field("title", at(&Scenario::title), TextRule{TextForm::line, 200}, "One line.", Trait::story);
  v.field("tags", at(&Scenario::tags), ListRule<TextRule>{kTag, 0, kListed}, "For filters.",
          Trait::story);
  v.field("notes", at(&Scenario::notes), TextRule{TextForm::prose, 16'384}, "Markdown.",
          Trait::story);
  v.field("topology", at(&Scenario::world, &WorldConfig::topology), ObjectRule<TopologyKeys>{},
          "Servers and network.");
  v.field("hosts", at(&Scenario::world, &WorldConfig::hosts),
          ListRule<ObjectRule<HostKeys>>{{}, 0, kListed},
          "Machines shared by several actors; others have one of their own.");
  v.field("clients", at(&Scenario::clients), ListRule<ObjectRule<ClientKeys>>{{}, 1, kClients},
          "Who contends: client-1 to client-N through the list.", Trait::required);
  v.field("workload", at(&Scenario::workload), ObjectRule<WorkloadKeys>{}, "What clients do.");
  v.field("resource", at(&Scenario::world), ObjectRule<ResourceKeys>{}, "What the lock protects.");
  v.field("faults", at(&Scenario::world, &WorldConfig::faults),
          ListRule<ObjectRule<FaultKeys>>{{}, 0, kPlannedFaults}, "The story's fixed faults.");
  v.field("search", at(&Scenario::world), ObjectRule<SearchKeys>{}, "What a search may draw.");
  v.field("properties", at(&Scenario::properties), ListRule<TextRule>{kName, 0, kListed},
          "Properties to judge; all that apply if absent.");
  v.field("sometimes", at(&Scenario::sometimes), ListRule<TextRule>{kEvent, 0, kListed},
          "Kinds of events that a search must have met.");
  v.field("expect", at(&Scenario::expect), VerdictsRule{kListed},
          "Verdicts by property; what is not listed must hold.", Trait::story);
  v.field("tell", at(&Scenario::tell), kName,
          "Which of the expected violations a story shows; the worst if absent.", Trait::story);
  v.field("limits", at(&Scenario::world, &WorldConfig::limits), ObjectRule<LimitKeys>{},
          "Where a run ends.");
}

}  // namespace locklab::schema
