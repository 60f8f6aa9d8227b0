// Resource: what the lock protects; two append-lists behind a fence that may or may not be checked.
// SPDX-License-Identifier: Apache-2.0
//
// The highest fence is kept for the resource and a version for each object, in every mode, so that
// "would have been rejected" is defined everywhere (kernel contract, "Three truths, four lanes").
#pragma once

#include <array>
#include <cstdint>

#include "sim/hosted_server.h"

namespace locklab {

struct ResourceRequest {
  ResourceOp op = ResourceOp::none;
  std::uint32_t object = 0;
  std::uint32_t fence = 0;         // 0: the lock issues none.
  std::uint32_t sequence = 0;      // Within the hold, from 1.
  std::uint64_t version_read = 0;  // What the hold's last read of the object returned.
};

struct ResourceReply {
  bool accepted = false;
  std::uint64_t version = 0;  // Of the object, after the operation.
};

class Resource : public HostedServer {
 public:
  static constexpr std::uint32_t kObjects = 2;

  using HostedServer::HostedServer;
  void begin(ResourceMode mode);
  std::uint32_t highest_fence() const { return highest_fence_; }
  /// 0: the mode lets a hold with that fence in. Else how far below those that it lets in it is;
  /// kForGood: above them, so that no later hold comes nearer.
  std::uint32_t lock_out(std::uint32_t fence) const;
  static constexpr std::uint32_t kForGood = UINT32_MAX;

 private:
  void serve(const Event& event) override;
  bool accepts(const ResourceRequest& request, HoldId hold) const;
  ResourceReply apply(const ResourceRequest& request, HoldId hold);

  ResourceMode mode_ = ResourceMode::none;
  std::uint32_t highest_fence_ = 0;      // By the rule of the mode.
  std::uint32_t shadow_fence_ = 0;       // By that of ge_rw, for "would have been rejected".
  std::uint32_t sequence_of_fence_ = 0;  // Highest sequence seen under the highest fence.
  std::array<std::uint64_t, kObjects> versions_{};
  std::array<HoldId, kObjects> tokens_{};  // Of the last read. A hold's id is as unique as a token.
};

}  // namespace locklab
