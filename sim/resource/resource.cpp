// Resource: the accept rules of each mode.
// SPDX-License-Identifier: Apache-2.0
#include "sim/resource/resource.h"

#include <algorithm>

#include "sim/contract.h"

namespace locklab {

void Resource::begin(ResourceMode mode) {
  begin_hosted();
  mode_ = mode;
  highest_fence_ = 0;
  shadow_fence_ = 0;
  sequence_of_fence_ = 0;
  versions_ = {};
  tokens_ = {};
}

bool Resource::accepts(const ResourceRequest& request, HoldId hold) const {
  const bool writes = request.op == ResourceOp::append;
  const bool fence_ok = request.fence >= highest_fence_;
  const bool version_ok = !writes || request.version_read == versions_[request.object];
  const bool sequence_ok = request.fence > highest_fence_ || request.sequence > sequence_of_fence_;
  switch (mode_) {
    case ResourceMode::none:
      return true;
    case ResourceMode::ge_w:
      return !writes || fence_ok;
    case ResourceMode::ge_rw:
      return fence_ok;
    case ResourceMode::gt_w:
      return !writes || request.fence > highest_fence_;
    case ResourceMode::lex_rw:
      return fence_ok && sequence_ok;
    case ResourceMode::eq:
      return highest_fence_ == 0 || request.fence == highest_fence_;
    case ResourceMode::cas:
      return version_ok;
    case ResourceMode::cas_token:
      return !writes || tokens_[request.object] == hold;
    case ResourceMode::ge_rw_cas_id:
      return fence_ok && version_ok && sequence_ok;
    case ResourceMode::split:
    case ResourceMode::cached:
    case ResourceMode::count:
      break;
  }
  SIM_UNREACHABLE("a resource mode without a rule: the decoder must refuse it");
}

std::uint32_t Resource::lock_out(std::uint32_t fence) const {
  const std::uint32_t below = fence < highest_fence_ ? highest_fence_ - fence : 0;
  switch (mode_) {
    case ResourceMode::none:
    case ResourceMode::cas:
      return 0;
    case ResourceMode::gt_w:
      return fence > highest_fence_ ? 0 : below + 1;
    case ResourceMode::eq:
      return highest_fence_ == 0 || fence <= highest_fence_ ? below : kForGood;
    default:
      return below;
  }
}

ResourceReply Resource::apply(const ResourceRequest& request, HoldId hold) {
  const bool accepted = accepts(request, hold);
  const bool stale = request.fence != 0 && request.fence < shadow_fence_;
  shadow_fence_ = std::max(shadow_fence_, request.fence);
  Record record;
  record.actor = id().value;
  record.kind = EventKind::resource_op;
  record.fence = request.fence;
  record.arg = static_cast<std::int64_t>(request.op) | static_cast<std::int64_t>(request.object)
                                                           << 8;
  record.result = static_cast<std::int64_t>(versions_[request.object]);
  record.nonce = request.sequence;
  if (!accepted) record.flags |= event_flags::kRejected;
  if (stale) record.flags |= event_flags::kWouldReject;
  world_.record(record);
  if (!accepted) return {false, versions_[request.object]};

  // gt_w and ge_w raise the fence by writes only; the others by every accepted operation.
  const bool write_only = mode_ == ResourceMode::ge_w || mode_ == ResourceMode::gt_w;
  if (!write_only || request.op == ResourceOp::append) {
    if (request.fence > highest_fence_) sequence_of_fence_ = 0;
    highest_fence_ = std::max(highest_fence_, request.fence);
    if (request.fence == highest_fence_) {
      sequence_of_fence_ = std::max(sequence_of_fence_, request.sequence);
    }
  }
  if (request.op == ResourceOp::read) tokens_[request.object] = hold;
  if (request.op == ResourceOp::append) ++versions_[request.object];
  return {true, versions_[request.object]};
}

void Resource::serve(const Event& event) {
  const std::optional<Message> taken = network_.take(event.a, static_cast<Direction>(event.b));
  if (!taken || taken->kind != MessageKind::request) return;
  const Message& message = *taken;
  const auto& request = *static_cast<const ResourceRequest*>(message.body);
  SIM_ASSERT(request.object < kObjects);
  const ResourceReply result = apply(request, message.work.hold);
  const ActorId client = network_.at(event.a).client;
  world_.pass({.label = Label::res_applied,
               .actor = id(),
               .client = client,
               .server = id(),
               .connection = event.a,
               .command = message.command});
  if (network_.at(event.a).lose_next_reply) {
    network_.at(event.a).lose_next_reply = false;
    network_.reset(event.a);
    return;
  }
  if (!network_.at(event.a).client_open) return;
  Message reply;
  reply.kind = MessageKind::reply;
  reply.work = world_.work();
  reply.command = message.command;
  reply.code = result.accepted ? 1 : 0;
  reply.body = &(world_.arena().make_array<ResourceReply>(1)[0] = result);
  network_.send(event.a, Direction::to_client, reply);
}

}  // namespace locklab
