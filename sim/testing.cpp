// Testing: how the kit builds its world, steps it, and reads its history.
// SPDX-License-Identifier: Apache-2.0
#include "sim/testing.h"

#include <algorithm>

#include "sim/contract.h"

namespace locklab::testing {

ScriptedSource& ScriptedSource::set(ChoiceKind kind, std::uint64_t value, const When& when) {
  rules_.push_back({kind, value, when, 0});
  return *this;
}

ScriptedSource& ScriptedSource::strike(const FaultValue& fault, const When& when) {
  return set(ChoiceKind::fault_at_label, fault.pack(), when);
}

void ScriptedSource::begin() {
  draws_.clear();
  for (Rule& rule : rules_)
    rule.met = 0;
}

std::uint64_t ScriptedSource::value_at(const Address& address) {
  std::uint64_t value = 0;
  for (Rule& rule : rules_) {
    if (rule.kind != address.kind()) continue;
    if (rule.when.actor && *rule.when.actor != address.actor()) continue;
    if (rule.when.span && *rule.when.span != address.cause()) continue;
    if (rule.when.label && *rule.when.label != address.label()) continue;
    ++rule.met;
    if (value == 0 && (rule.when.nth == 0 || rule.when.nth == rule.met)) value = rule.value;
  }
  return value;
}

std::uint64_t ScriptedSource::draw(const Address& address, std::uint64_t bound, Witness witness) {
  draws_.push_back({address, bound, witness, value_at(address)});
  return draws_.back().value;
}

std::uint64_t ScriptedSource::draw_fault(const Address& address, const FaultMenu& menu) {
  const std::uint64_t value = value_at(address);
  draws_.push_back({address, 0, menu.witness_of_value(value), value});
  return value;
}

std::vector<ScriptedSource::Draw> ScriptedSource::draws(ChoiceKind kind) const {
  std::vector<Draw> found;
  std::copy_if(draws_.begin(), draws_.end(), std::back_inserter(found),
               [kind](const Draw& draw) { return draw.address.kind() == kind; });
  return found;
}

WorldConfig small_world() {
  WorldConfig config;
  config.timing = {milliseconds(10), milliseconds(1000), milliseconds(20)};
  return config;
}

WorldConfig replicated_world(std::uint32_t replicas) {
  WorldConfig config = small_world();
  config.topology.replicas = replicas;
  return config;
}

Kit::Kit(const WorldConfig& config) : config_(config) {}

Kit::~Kit() {
  simulation_.finish();
}

void Kit::client(Program program, Duration start) {
  auto seat = std::make_unique<Seat>();
  seat->kit = this;
  seat->index = static_cast<std::uint32_t>(seats_.size());
  seat->program = std::move(program);
  seat->start = start;
  seats_.push_back(std::move(seat));
}

void Kit::begin() {
  begun_ = true;
  simulation_.begin(config_, static_cast<std::uint32_t>(seats_.size()), *source_, 0);
  for (const auto& seat : seats_) {
    Process& process = simulation_.client(seat->index);
    process.set_program(
        [](void* argument) {
          Seat& self = *static_cast<Seat*>(argument);
          Kit& kit = *self.kit;
          Client client(kit.process(self.index), kit.stage(), kit.command_timeout);
          self.program(client);
        },
        seat.get());
    process.start(seat->start);
  }
  world().work() = {};
}

void Kit::run() {
  if (!begun_) begin();
  while (!world().only_watches_left() && simulation_.step()) {
  }
}

void Kit::run_until(Duration since_start) {
  if (!begun_) begin();
  const Instant end = Instant::origin() + since_start;
  while (!world().queue().empty() && world().queue().next_time() <= end && simulation_.step()) {
  }
}

void Kit::run_clients() {
  if (!begun_) begin();
  const auto busy = [this] {
    return std::any_of(seats_.begin(), seats_.end(), [this](const auto& seat) {
      const Process& process = simulation_.client(seat->index);
      return process.live_fibers() > 0 || process.restarting();
    });
  };
  while (busy() && simulation_.step()) {
  }
}

ActorId Kit::actor(std::string_view name) {
  const std::vector<ActorInfo>& actors = history().actors;
  for (std::size_t i = 0; i < actors.size(); ++i) {
    if (actors[i].name == name) return ActorId{static_cast<std::uint16_t>(i)};
  }
  SIM_UNREACHABLE("no actor of that name");
}

Host& Kit::host_of(std::string_view name) {
  return world().host(history().actors[actor(name).value].host);
}

std::optional<std::string> Kit::value_of(std::string_view key, std::uint32_t number) {
  for (const redis::Entry* entry : node(number).database().keys.sorted()) {
    if (entry->key() == key) return std::string(redis::text_of(*entry, world().arena()));
  }
  return std::nullopt;
}

std::vector<Record> Kit::all(EventKind kind, std::string_view who) {
  std::vector<Record> found;
  for (const Record& record : history().records()) {
    const bool same = who.empty() || history().actors[record.actor].name == who;
    if (record.kind == kind && same) found.push_back(record);
  }
  return found;
}

std::vector<Duration> Kit::times(EventKind kind, std::string_view who) {
  std::vector<Duration> found;
  for (const Record& record : all(kind, who))
    found.push_back(since_start(record));
  return found;
}

std::vector<std::string> Kit::story(std::initializer_list<EventKind> kinds) {
  std::vector<std::string> lines;
  for (const Record& record : history().records()) {
    if (std::find(kinds.begin(), kinds.end(), record.kind) == kinds.end()) continue;
    lines.push_back(to_string(since_start(record)) + " " + history().actors[record.actor].name +
                    " " + std::string(name_of(record.kind)));
  }
  return lines;
}

PlannedFault at_label(Label label, FaultKind kind, std::uint32_t nth) {
  PlannedFault fault;
  fault.trigger.label = label;
  fault.trigger.nth = nth;
  fault.kind = kind;
  return fault;
}

PlannedFault at_time(Duration since_start, FaultKind kind, std::string_view target) {
  PlannedFault fault;
  fault.trigger.at = Instant::origin() + since_start;
  fault.kind = kind;
  fault.target = target;
  return fault;
}

}  // namespace locklab::testing
