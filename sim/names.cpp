// Names: every enumeration of the simulator as the words that files, tokens and reports use.
// SPDX-License-Identifier: Apache-2.0

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

#include "sim/choice.h"
#include "sim/fault_kind.h"
#include "sim/history.h"
#include "sim/label.h"
#include "sim/world_config.h"

namespace locklab {
namespace {

template <class Enum>
struct Named {
  Enum value;
  std::string_view name;
};

/// Row i names enumerator i, so that a lookup is an index and a forgotten enumerator an error.
template <class Enum, std::size_t N>
constexpr bool is_dense(const Named<Enum> (&rows)[N]) {
  for (std::size_t i = 0; i < N; ++i) {
    if (static_cast<std::size_t>(rows[i].value) != i) return false;
  }
  return true;
}

template <class Enum, std::size_t N>
constexpr bool covers(const Named<Enum> (&rows)[N], Enum end) {
  return is_dense(rows) && N == static_cast<std::size_t>(end);
}

/// "?" for a value out of range: a fault value or a record may come from a damaged file.
template <class Enum, std::size_t N>
std::string_view name_in(const Named<Enum> (&rows)[N], Enum value) {
  const auto index = static_cast<std::size_t>(value);
  return index < N ? rows[index].name : "?";
}

template <class Enum, std::size_t N>
std::optional<Enum> value_in(const Named<Enum> (&rows)[N], std::string_view name) {
  for (const Named<Enum>& row : rows) {
    if (row.name == name) return row.value;
  }
  return std::nullopt;
}

constexpr Named<Label> kLabels[] = {
    {Label::none, ""},
    {Label::acq_before_send, "acq.before_send"},
    {Label::acq_sent, "acq.sent"},
    {Label::acq_between, "acq.between"},
    {Label::srv_applied, "srv.applied"},
    {Label::srv_replied, "srv.replied"},
    {Label::repl_before_send, "repl.before_send"},
    {Label::acq_after_quorum, "acq.after_quorum"},
    {Label::acq_return, "acq.return"},
    {Label::hold_check_ok, "hold.check_ok"},
    {Label::res_before_send, "res.before_send"},
    {Label::res_sent, "res.sent"},
    {Label::res_applied, "res.applied"},
    {Label::wd_before_tick, "wd.before_tick"},
    {Label::wd_sent, "wd.sent"},
    {Label::wd_result, "wd.result"},
    {Label::rel_between_get_del, "rel.between_get_del"},
    {Label::rel_before_send, "rel.before_send"},
    {Label::rel_sent, "rel.sent"},
    {Label::rel_return, "rel.return"},
    {Label::failover_before_promote, "failover.before_promote"},
    {Label::failover_promoted, "failover.promoted"},
    {Label::node_before_restart, "node.before_restart"},
};
static_assert(covers(kLabels, Label::count));

constexpr Named<FaultKind> kFaults[] = {
    {FaultKind::none, "none"},
    {FaultKind::slow, "slow"},
    {FaultKind::lag, "lag"},
    {FaultKind::lost_reply, "lost-reply"},
    {FaultKind::reset, "reset"},
    {FaultKind::stall, "stall"},
    {FaultKind::cancel, "cancel"},
    {FaultKind::pause, "pause"},
    {FaultKind::node_pause, "node-pause"},
    {FaultKind::cut, "cut"},
    {FaultKind::panic, "panic"},
    {FaultKind::kill, "kill"},
    {FaultKind::node_kill, "node-kill"},
    {FaultKind::host_loss, "host-loss"},
    {FaultKind::failover, "failover"},
    {FaultKind::evict, "evict"},
    {FaultKind::flush, "flush"},
    {FaultKind::slew, "slew"},
    {FaultKind::rate, "rate"},
    {FaultKind::jump, "jump"},
    {FaultKind::suspend, "suspend"},
    {FaultKind::freeze, "freeze"},
};
static_assert(covers(kFaults, FaultKind::count));

constexpr Named<ChoiceKind> kChoices[] = {
    {ChoiceKind::defer, "defer"},
    {ChoiceKind::delay_at_link, "delay@link"},
    {ChoiceKind::hold_at_fiber, "hold@fiber"},
    {ChoiceKind::fault_at_label, "fault@label"},
    {ChoiceKind::survive_at_link, "survive@link"},
    {ChoiceKind::wake_order, "wake-order"},
    {ChoiceKind::reply_vs_deadline, "reply-vs-deadline"},
    {ChoiceKind::detect, "detect"},
    {ChoiceKind::promote, "promote"},
    {ChoiceKind::rediscover, "rediscover"},
    {ChoiceKind::fsync_loss, "fsync-loss"},
    {ChoiceKind::retry_jitter, "retry-jitter"},
    {ChoiceKind::start_phase, "start-phase"},
    {ChoiceKind::poll_phase, "poll-phase"},
    {ChoiceKind::work, "work"},
    {ChoiceKind::expire_tick, "expire-tick"},
    {ChoiceKind::duplicate_at_queue, "duplicate@queue"},
};
static_assert(covers(kChoices, ChoiceKind::count));

constexpr Named<EventKind> kEvents[] = {
    {EventKind::none, "none"},
    {EventKind::op_begin, "op_begin"},
    {EventKind::op_return, "op_return"},
    {EventKind::section_enter, "section_enter"},
    {EventKind::section_leave, "section_leave"},
    {EventKind::claim_end, "claim_end"},
    {EventKind::told_lost, "told_lost"},
    {EventKind::sent, "sent"},
    {EventKind::replied, "replied"},
    {EventKind::timed_out, "timed_out"},
    {EventKind::broken, "broken"},
    {EventKind::refused, "refused"},
    {EventKind::applied, "applied"},
    {EventKind::key_set, "key_set"},
    {EventKind::key_deleted, "key_deleted"},
    {EventKind::key_ttl, "key_ttl"},
    {EventKind::key_lost, "key_lost"},
    {EventKind::fence_issued, "fence_issued"},
    {EventKind::effect_sent, "effect_sent"},
    {EventKind::effect_applied, "effect_applied"},
    {EventKind::suspected, "suspected"},
    {EventKind::promoted, "promoted"},
    {EventKind::demoted, "demoted"},
    {EventKind::resynced, "resynced"},
    {EventKind::rediscovered, "rediscovered"},
    {EventKind::resource_op, "resource_op"},
    {EventKind::fault_begin, "fault_begin"},
    {EventKind::fault_end, "fault_end"},
    {EventKind::paused, "paused"},
    {EventKind::resumed, "resumed"},
    {EventKind::stalled, "stalled"},
    {EventKind::cancelled, "cancelled"},
    {EventKind::panicked, "panicked"},
    {EventKind::killed, "killed"},
    {EventKind::restarted, "restarted"},
    {EventKind::fiber_began, "fiber_began"},
    {EventKind::fiber_ended, "fiber_ended"},
    {EventKind::custom, "custom"},
    {EventKind::probe_begin, "probe_begin"},
    {EventKind::probe_acquired, "probe_acquired"},
    {EventKind::probe_blocked, "probe_blocked"},
    {EventKind::run_end, "run_end"},
    {EventKind::key_value, "key_value"},
};
static_assert(covers(kEvents, EventKind::count));

constexpr Named<Operation> kOperations[] = {
    {Operation::none, "none"},
    {Operation::acquire, "acquire"},
    {Operation::renew, "renew"},
    {Operation::release, "release"},
    {Operation::section, "section"},
    {Operation::probe, "probe"},
    {Operation::nested_acquire, "nested-acquire"},
    {Operation::nested_release, "nested-release"},
};
static_assert(is_dense(kOperations));

constexpr Named<Outcome> kOutcomes[] = {
    {Outcome::none, "none"},       {Outcome::acquired, "acquired"}, {Outcome::refused, "refused"},
    {Outcome::unknown, "unknown"}, {Outcome::released, "released"}, {Outcome::not_held, "not-held"},
    {Outcome::renewed, "renewed"},
};
static_assert(is_dense(kOutcomes));

constexpr Named<LeaveReason> kLeaveReasons[] = {
    {LeaveReason::none, "none"},
    {LeaveReason::done, "done"},
    {LeaveReason::lease_over, "lease-over"},
    {LeaveReason::told_lost, "told-lost"},
    {LeaveReason::cancelled, "cancelled"},
    {LeaveReason::panicked, "panicked"},
    {LeaveReason::killed, "killed"},
};
static_assert(is_dense(kLeaveReasons));

constexpr Named<EndKind> kEnds[] = {
    {EndKind::none, "none"},           {EndKind::kill, "kill"},   {EndKind::panic, "panic"},
    {EndKind::host_loss, "host-loss"}, {EndKind::ended, "ended"},
};
static_assert(is_dense(kEnds));

constexpr Named<EndReason> kEndReasons[] = {
    {EndReason::none, "none"},
    {EndReason::finished, "finished"},
    {EndReason::repeats, "repeats"},
    {EndReason::virtual_limit, "virtual-limit"},
    {EndReason::step_limit, "step-limit"},
    {EndReason::unsupported, "unsupported"},
};
static_assert(is_dense(kEndReasons));

constexpr Named<BlockingFact> kBlockingFacts[] = {
    {BlockingFact::none, "none"},
    {BlockingFact::orphan_key, "orphan-key"},
    {BlockingFact::live_watchdog, "live-watchdog"},
    {BlockingFact::count_above_zero, "count-above-zero"},
    {BlockingFact::no_quorum, "no-quorum"},
    {BlockingFact::fence_lock_out, "fence-lock-out"},
    {BlockingFact::other, "other"},
};
static_assert(is_dense(kBlockingFacts));

constexpr Named<ResourceOp> kResourceOps[] = {
    {ResourceOp::none, "none"}, {ResourceOp::read, "read"}, {ResourceOp::append, "append"}};
static_assert(is_dense(kResourceOps));

constexpr Named<ResourceMode> kResourceModes[] = {
    {ResourceMode::none, "none"},
    {ResourceMode::ge_w, "ge_w"},
    {ResourceMode::ge_rw, "ge_rw"},
    {ResourceMode::gt_w, "gt_w"},
    {ResourceMode::lex_rw, "lex_rw"},
    {ResourceMode::eq, "eq"},
    {ResourceMode::cas, "cas"},
    {ResourceMode::cas_token, "cas_token"},
    {ResourceMode::ge_rw_cas_id, "ge_rw+cas+id"},
    {ResourceMode::split, "split"},
    {ResourceMode::cached, "cached"},
};
static_assert(covers(kResourceModes, ResourceMode::count));

}  // namespace

std::string_view name_of(Label label) {
  return name_in(kLabels, label);
}
std::optional<Label> label_named(std::string_view name) {
  return value_in(kLabels, name);
}

std::string_view name_of(FaultKind kind) {
  return name_in(kFaults, kind);
}
std::optional<FaultKind> fault_kind_named(std::string_view name) {
  return value_in(kFaults, name);
}

std::string_view name_of(ChoiceKind kind) {
  return name_in(kChoices, kind);
}

std::string_view name_of(EventKind kind) {
  return name_in(kEvents, kind);
}
std::string_view name_of(Operation operation) {
  return name_in(kOperations, operation);
}
std::string_view name_of(Outcome outcome) {
  return name_in(kOutcomes, outcome);
}
std::string_view name_of(LeaveReason reason) {
  return name_in(kLeaveReasons, reason);
}
std::string_view name_of(EndKind end) {
  return name_in(kEnds, end);
}
std::string_view name_of(EndReason reason) {
  return name_in(kEndReasons, reason);
}
std::string_view name_of(BlockingFact fact) {
  return name_in(kBlockingFacts, fact);
}
std::string_view name_of(ResourceOp op) {
  return name_in(kResourceOps, op);
}

std::string_view name_of(ResourceMode mode) {
  return name_in(kResourceModes, mode);
}
std::optional<ResourceMode> resource_mode_named(std::string_view name) {
  return value_in(kResourceModes, name);
}

bool enforces_fence(ResourceMode mode) {
  switch (mode) {
    case ResourceMode::none:
    case ResourceMode::cas:
    case ResourceMode::cas_token:
    case ResourceMode::count:
      return false;
    case ResourceMode::ge_w:
    case ResourceMode::ge_rw:
    case ResourceMode::gt_w:
    case ResourceMode::lex_rw:
    case ResourceMode::eq:
    case ResourceMode::ge_rw_cas_id:
    case ResourceMode::split:
    case ResourceMode::cached:
      return true;
  }
  return false;
}

}  // namespace locklab
