// Fault checks: which keys each kind of fault uses, whom it can strike, and where.
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/checks.h"
#include "scenarios/suggest.h"

namespace locklab::schema {
namespace {

// Sorts of actors, as bits.
constexpr unsigned kProcess = 1;
constexpr unsigned kPrimary = 2;
constexpr unsigned kReplica = 4;
constexpr unsigned kNode = kPrimary | kReplica;
constexpr unsigned kHost = 8;  // A declared host, or any process or node for its own.
constexpr unsigned kOther = 16;
constexpr unsigned kEndpoint = kProcess | kNode | kOther;
constexpr unsigned kMachine = kProcess | kNode | kHost;

// Keys of a fault, as bits.
constexpr unsigned kPeer = 1;
constexpr unsigned kLengthKey = 2;
constexpr unsigned kOffset = 4;
constexpr unsigned kPpb = 8;
constexpr unsigned kDirection = 16;
constexpr unsigned kRestarts = 32;
constexpr unsigned kRecovered = 64;
constexpr unsigned kKey = 128;
constexpr unsigned kDies = 256;

struct KindRule {
  FaultKind kind;
  unsigned targets;
  std::string_view whom;
  unsigned uses;
  unsigned needs;
};

// Kernel contract, "Faults".
constexpr std::array<KindRule, 21> kKinds = {{
    {FaultKind::slow, kEndpoint, "an end of a link", kPeer | kLengthKey | kOffset, kOffset},
    {FaultKind::lag, kReplica, "a replica", kLengthKey | kOffset, 0},
    {FaultKind::lost_reply, kEndpoint, "an end of a connection", kPeer, 0},
    {FaultKind::reset, kEndpoint, "an end of a connection", kPeer, 0},
    {FaultKind::stall, kProcess, "a process", kLengthKey, kLengthKey},
    {FaultKind::cancel, kProcess, "a process", 0, 0},
    {FaultKind::pause, kProcess | kHost, "a process or a host", kLengthKey, kLengthKey},
    {FaultKind::node_pause, kNode, "a node", kLengthKey, kLengthKey},
    {FaultKind::cut, kEndpoint, "an end of a link", kPeer | kLengthKey | kDirection, 0},
    {FaultKind::panic, kProcess, "a process", kRecovered, 0},
    {FaultKind::kill, kProcess, "a process", kLengthKey | kRestarts, 0},
    {FaultKind::node_kill, kNode, "a node", kLengthKey | kRestarts | kDies, 0},
    {FaultKind::host_loss, kMachine, "a host or an actor", kLengthKey | kRestarts, 0},
    {FaultKind::failover, kPrimary, "a primary", 0, 0},
    {FaultKind::evict, kNode, "a node", kKey, kKey},
    {FaultKind::flush, kNode, "a node", 0, 0},
    {FaultKind::slew, kMachine, "a host or an actor", kPpb | kOffset, kPpb | kOffset},
    {FaultKind::rate, kMachine, "a host or an actor", kPpb | kLengthKey, kPpb},
    {FaultKind::jump, kMachine, "a host or an actor", kOffset, kOffset},
    {FaultKind::suspend, kMachine, "a host or an actor", kLengthKey, kLengthKey},
    {FaultKind::freeze, kMachine, "a host or an actor", kLengthKey, kLengthKey},
}};
static_assert(kKinds.size() == static_cast<std::size_t>(FaultKind::count) - 1);

struct KeyState {
  unsigned bit;
  std::string_view key;
  bool set;  // Differs from its default.
};

std::array<KeyState, 9> keys_of(const PlannedFault& fault) {
  return {{{kPeer, "peer", !fault.peer.empty()},
           {kLengthKey, "length", fault.length != Duration::forever()},
           {kOffset, "offset", fault.offset != Duration()},
           {kPpb, "ppb", fault.ppb != 0},
           {kDirection, "direction", fault.direction != CutDirection::both},
           {kDies, "dies", fault.dies != NodeDeath::process},
           {kRestarts, "restarts", !fault.restarts},
           {kRecovered, "recovered", !fault.recovered},
           {kKey, "key", !fault.key.empty()}}};
}

/// Checks one planned fault; `path` is "faults.N".
class FaultCheck {
 public:
  FaultCheck(const Scenario& scenario, const PlannedFault& fault, std::string path, Decoding& d)
      : scenario_(scenario),
        fault_(fault),
        rule_(rule_of(fault.kind)),
        path_(std::move(path)),
        d_(d) {
    actors_ = actor_names(scenario);
  }

  void run() {
    check_trigger();
    check_keys();
    check_size();
    check_whom("target", fault_.target, rule_.targets, rule_.whom);
    check_whom("peer", fault_.peer, kEndpoint, "an end of a link");
    if (!fault_.peer.empty() && fault_.peer == fault_.target) {
      error("peer", "the peer is the target itself");
    }
  }

 private:
  static const KindRule& rule_of(FaultKind kind) {
    return *std::find_if(kKinds.begin(), kKinds.end(),
                         [kind](const KindRule& rule) { return rule.kind == kind; });
  }

  void error(std::string_view key, std::string message, std::string hint = {}) {
    d_.error_at(path_ + "." + std::string(key), std::move(message), std::move(hint));
  }
  std::string kind() const { return std::string(name_of(fault_.kind)); }

  void check_trigger() {
    const FaultTrigger& trigger = fault_.trigger;
    const bool by_label = trigger.label != Label::none;
    if (trigger.at.has_value() == by_label) {
      return error(by_label ? "label" : "",
                   by_label ? "a fault strikes at a time or at a label, not both"
                            : "a fault needs \"at\" or \"label\"",
                   "keep one of \"at\" and \"label\"");
    }
    if (by_label) {
      check_label_actor();
      return check_whom("client", trigger.client, kProcess, "a process");
    }
    for (const std::string_view key : {"actor", "client", "command", "nth"}) {
      if (d_.has(path_ + "." + std::string(key)))
        error(key, "only a fault at a label has this key");
    }
    if (fault_.target.empty()) {
      error("", kind() + " at a time needs a target", "it can be " + std::string(rule_.whom));
    }
    const bool link = fault_.kind == FaultKind::cut || fault_.kind == FaultKind::slow ||
                      fault_.kind == FaultKind::reset || fault_.kind == FaultKind::lost_reply;
    if (link && fault_.peer.empty()) error("", kind() + " at a time needs a peer");
  }

  /// sim/label.h: who executes which label.
  void check_label_actor() {
    const std::string_view label = name_of(fault_.trigger.label);
    const std::string_view group = label.substr(0, label.find('.'));
    unsigned sort = kProcess;
    std::string_view whom = "a process";
    if (group == "srv" || group == "repl" || group == "failover" || group == "node") {
      sort = kNode | kOther;
      whom = "a node";
    } else if (label == "res.applied") {
      sort = kOther;
      whom = "the resource";
    }
    check_whom("actor", fault_.trigger.actor, sort, whom);
  }

  void check_keys() {
    for (const KeyState& key : keys_of(fault_)) {
      const bool given = key.set || d_.has(path_ + "." + std::string(key.key));
      if (given && (rule_.uses & key.bit) == 0) {
        error(key.key, kind() + " does not use \"" + std::string(key.key) + "\"");
      }
      if (!key.set && (rule_.needs & key.bit) != 0) {
        error(key.key, kind() + " needs \"" + std::string(key.key) + "\"");
      }
    }
    const bool forever = fault_.length == Duration::forever();
    if ((rule_.uses & kRestarts) != 0 && fault_.restarts == forever) {
      error("length",
            forever ? kind() + " needs \"length\", the time to its restart"
                    : "what never restarts has no \"length\"",
            forever ? "or \"restarts\": false" : "remove \"length\" or \"restarts\"");
    }
    if (fault_.kind == FaultKind::lag && forever && fault_.offset == Duration()) {
      error("", "lag needs \"length\" (hold the effects), \"offset\" (delay them) or both");
    }
  }

  void check_size() {
    const bool restarts_at_once = (rule_.uses & kRestarts) != 0;
    if (fault_.length == Duration() && !restarts_at_once) {
      error("length", "a fault of no length does nothing");
    }
    const bool delay = fault_.kind == FaultKind::slow || fault_.kind == FaultKind::lag;
    if (delay && fault_.offset < Duration()) error("offset", "a delay must not be negative");
  }

  void check_whom(std::string_view key, const std::string& name, unsigned sorts,
                  std::string_view whom) {
    if (name.empty()) return;
    const unsigned sort = sort_of(name);
    if (sort == 0) {
      std::vector<std::string_view> known(actors_.begin(), actors_.end());
      for (const HostConfig& host : scenario_.world.hosts)
        known.push_back(host.name);
      return error(key, "no actor is named " + quoted(name), suggestion(name, known));
    }
    if ((sort & sorts) == 0) {
      error(key, quoted(name) + " is not " + std::string(whom),
            key == "target" ? kind() + " strikes " + std::string(whom) : "");
    }
  }

  /// 0: unknown.
  unsigned sort_of(const std::string& name) const {
    for (const HostConfig& host : scenario_.world.hosts) {
      if (host.name == name) return kHost;
    }
    if (std::find(actors_.begin(), actors_.end(), name) == actors_.end()) return 0;
    const std::string base = name.substr(0, name.find('-'));
    if (base == "client" || base == "idle") return kProcess;
    if (base == "redis") return kPrimary;
    return base == "replica" ? kReplica : kOther;
  }

  const Scenario& scenario_;
  const PlannedFault& fault_;
  const KindRule& rule_;
  std::string path_;
  Decoding& d_;
  std::vector<std::string> actors_;
};

}  // namespace

void check_faults(const Scenario& scenario, Decoding& d) {
  for (std::size_t i = 0; i < scenario.world.faults.size(); ++i) {
    const std::string path = "faults." + std::to_string(i);
    FaultCheck(scenario, scenario.world.faults[i], path, d).run();
  }
  const FaultSearch& search = scenario.world.search;
  if (search.of.empty() && (search.max > 0 || search.at_labels != 0)) {
    d.error_at("search.faults.of", "no kind is listed: nothing can be drawn");
  }
}

}  // namespace locklab::schema
