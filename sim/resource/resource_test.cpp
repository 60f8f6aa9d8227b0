// Resource: which operations each mode accepts, and which it would have refused.
// SPDX-License-Identifier: Apache-2.0
#include "sim/resource/resource.h"

#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "sim/testing.h"

namespace locklab {
namespace {

using testing::at_label;
using testing::Kit;
using testing::since_start;

ResourceRequest read(std::uint32_t fence, std::uint32_t sequence = 1) {
  return {.op = ResourceOp::read, .fence = fence, .sequence = sequence};
}
ResourceRequest append(std::uint32_t fence, std::uint64_t version_read,
                       std::uint32_t sequence = 1) {
  return {
      .op = ResourceOp::append, .fence = fence, .sequence = sequence, .version_read = version_read};
}

ResourceReply ask(Client& client, const ResourceRequest& asked) {
  Stage& stage = client.stage();
  auto& body = stage.world->arena().make_array<ResourceRequest>(1)[0];
  body = asked;
  Request request;
  request.server = stage.resource->id();
  request.command = stage.world->intern(name_of(asked.op));
  request.body = &body;
  CallResult result;
  client.process().call({&request, 1}, 100_ms, {}, {&result, 1});
  return result.is_replied() ? *static_cast<const ResourceReply*>(result.body) : ResourceReply();
}

/// One resource and one client, which sends one operation after the other.
class Desk {
 public:
  explicit Desk(ResourceMode mode) : kit_(config_of(mode)) {}

  Desk& then(const ResourceRequest& request) {
    requests_.push_back(request);
    return *this;
  }
  Kit& run() {
    kit_.client([this](Client& client) {
      for (const ResourceRequest& request : requests_)
        replies_.push_back(ask(client, request));
    });
    kit_.run();
    return kit_;
  }
  /// "accepted v1", "refused v0", … for the last operation; "(late)": ge_rw would refuse it.
  std::string answer() {
    run();
    const Record record = kit_.all(EventKind::resource_op).back();
    EXPECT_EQ(record.has(event_flags::kRejected), !replies_.back().accepted);
    std::string text = replies_.back().accepted ? "accepted" : "refused";
    text += " v" + std::to_string(replies_.back().version);
    return record.has(event_flags::kWouldReject) ? text + " (late)" : text;
  }
  const std::vector<ResourceReply>& replies() const { return replies_; }
  Kit& kit() { return kit_; }

 private:
  static WorldConfig config_of(ResourceMode mode) {
    WorldConfig config = testing::small_world();
    config.resource = mode;
    config.objects = 2;
    return config;
  }
  Kit kit_;
  std::vector<ResourceRequest> requests_;
  std::vector<ResourceReply> replies_;
};

// An append with fence 5 has been accepted; then comes one operation with an older fence (4), the
// same (5), a newer one (6) or none (0). It has read the present version.
struct FenceRow {
  ResourceMode mode;
  ResourceOp op;
  const char* older;
  const char* equal;
  const char* newer;
  const char* none;
};

constexpr FenceRow kFenceTable[] = {
    {ResourceMode::none, ResourceOp::read, "accepted v1 (late)", "accepted v1", "accepted v1",
     "accepted v1"},
    {ResourceMode::none, ResourceOp::append, "accepted v2 (late)", "accepted v2", "accepted v2",
     "accepted v2"},
    {ResourceMode::ge_w, ResourceOp::read, "accepted v1 (late)", "accepted v1", "accepted v1",
     "accepted v1"},
    {ResourceMode::ge_w, ResourceOp::append, "refused v1 (late)", "accepted v2", "accepted v2",
     "refused v1"},
    {ResourceMode::ge_rw, ResourceOp::read, "refused v1 (late)", "accepted v1", "accepted v1",
     "refused v1"},
    {ResourceMode::ge_rw, ResourceOp::append, "refused v1 (late)", "accepted v2", "accepted v2",
     "refused v1"},
    {ResourceMode::cas, ResourceOp::read, "accepted v1 (late)", "accepted v1", "accepted v1",
     "accepted v1"},
    {ResourceMode::cas, ResourceOp::append, "accepted v2 (late)", "accepted v2", "accepted v2",
     "accepted v2"},
    {ResourceMode::gt_w, ResourceOp::read, "accepted v1 (late)", "accepted v1", "accepted v1",
     "accepted v1"},
    {ResourceMode::gt_w, ResourceOp::append, "refused v1 (late)", "refused v1", "accepted v2",
     "refused v1"},
    {ResourceMode::lex_rw, ResourceOp::read, "refused v1 (late)", "accepted v1", "accepted v1",
     "refused v1"},
    {ResourceMode::lex_rw, ResourceOp::append, "refused v1 (late)", "accepted v2", "accepted v2",
     "refused v1"},
    {ResourceMode::eq, ResourceOp::append, "refused v1 (late)", "accepted v2", "refused v1",
     "refused v1"},
    {ResourceMode::ge_rw_cas_id, ResourceOp::read, "refused v1 (late)", "accepted v1",
     "accepted v1", "refused v1"},
    {ResourceMode::ge_rw_cas_id, ResourceOp::append, "refused v1 (late)", "accepted v2",
     "accepted v2", "refused v1"},
};

std::string answer_to(const FenceRow& row, std::uint32_t fence) {
  ResourceRequest request = row.op == ResourceOp::read ? read(fence, 2) : append(fence, 1, 2);
  return Desk(row.mode).then(append(5, 0)).then(request).answer();
}

TEST(Resource, AcceptsByModeOperationAndFence) {
  for (const FenceRow& row : kFenceTable) {
    SCOPED_TRACE(std::string(name_of(row.mode)) + " " + std::string(name_of(row.op)));
    EXPECT_EQ(answer_to(row, 4), row.older);
    EXPECT_EQ(answer_to(row, 5), row.equal);
    EXPECT_EQ(answer_to(row, 6), row.newer);
    EXPECT_EQ(answer_to(row, 0), row.none);
  }
}

// Two appends that have read the same version: the second one is the lost update.
struct VersionRow {
  ResourceMode mode;
  const char* stale;
};

constexpr VersionRow kVersionTable[] = {
    {ResourceMode::none, "accepted v2"},  {ResourceMode::ge_w, "accepted v2"},
    {ResourceMode::ge_rw, "accepted v2"}, {ResourceMode::cas, "refused v1"},
    {ResourceMode::gt_w, "accepted v2"},  {ResourceMode::ge_rw_cas_id, "refused v1"},
};

TEST(Resource, ChecksVersionsOnlyWhereTheModeSaysSo) {
  for (const VersionRow& row : kVersionTable) {
    EXPECT_EQ(Desk(row.mode).then(append(5, 0)).then(append(6, 0)).answer(), row.stale)
        << name_of(row.mode);
  }
}

TEST(Resource, AReadNeedsNoVersionUnderCas) {
  EXPECT_EQ(Desk(ResourceMode::cas).then(append(5, 0)).then(read(5)).answer(), "accepted v1");
}

// Two holds, each a client of its own, that come one after the other.
std::string answers_to(const std::vector<std::pair<int, ResourceRequest>>& asked) {
  WorldConfig config = testing::small_world();
  config.resource = ResourceMode::cas_token;
  Kit kit(config);
  std::vector<std::string> answers(asked.size());
  for (const int whose : {1, 2}) {
    kit.client([&, whose](Client& client) {
      for (std::size_t i = 0; i < asked.size(); ++i) {
        client.sleep_for(20_ms);
        if (asked[i].first != whose) continue;
        client.process().begin_operation(Operation::section, HoldId::of(client.process().id(), 1));
        answers[i] = ask(client, asked[i].second).accepted ? "yes " : "no ";
      }
    });
  }
  kit.run();
  return std::accumulate(answers.begin(), answers.end(), std::string());
}

TEST(Resource, ATokenIsComparedWithTheOneThatWasLeftLast) {
  const ResourceRequest reads = read(0);
  const ResourceRequest appends = append(0, 0);
  EXPECT_EQ(answers_to({{1, reads}, {1, appends}, {1, appends}}), "yes yes yes ");
  EXPECT_EQ(answers_to({{1, appends}}), "no ");
  // Another's read in between; and whoever comes late, and begins late, has it to himself.
  EXPECT_EQ(answers_to({{1, reads}, {2, reads}, {1, appends}, {2, appends}}), "yes yes no yes ");
  EXPECT_EQ(answers_to({{2, reads}, {2, appends}, {1, reads}, {1, appends}}), "yes yes yes yes ");
}

TEST(Resource, ARefusedAppendLeavesVersionAndFenceAlone) {
  Desk desk(ResourceMode::cas);
  desk.then(append(5, 0)).then(append(9, 0)).then(append(6, 1));
  EXPECT_EQ(desk.answer().substr(0, 11), "accepted v2");
}

TEST(Resource, ANewerReadFencesOutOlderWritesOnlyWhereReadsAreFenced) {
  const auto late_append = [](ResourceMode mode) {
    return Desk(mode).then(read(6)).then(append(5, 0)).answer();
  };
  EXPECT_EQ(late_append(ResourceMode::ge_rw), "refused v0 (late)");
  // What ge_rw would have refused is said in every mode, also where reads raise no fence.
  EXPECT_EQ(late_append(ResourceMode::ge_w), "accepted v1 (late)");
  EXPECT_EQ(late_append(ResourceMode::none), "accepted v1 (late)");
  EXPECT_EQ(late_append(ResourceMode::cas), "accepted v1 (late)");
}

TEST(Resource, TellsAHoldsOperationsApartBySequenceWhereTheModeSaysSo) {
  const auto repeated = [](ResourceMode mode) {
    return Desk(mode).then(append(5, 0, 1)).then(append(5, 1, 1)).answer();
  };
  EXPECT_EQ(repeated(ResourceMode::ge_rw), "accepted v2");
  EXPECT_EQ(repeated(ResourceMode::lex_rw), "refused v1");
  EXPECT_EQ(repeated(ResourceMode::ge_rw_cas_id), "refused v1");
  // A newer fence counts its own operations from one.
  EXPECT_EQ(Desk(ResourceMode::lex_rw).then(append(5, 0, 7)).then(append(6, 1, 1)).answer(),
            "accepted v2");
}

TEST(Resource, TwoObjectsShareTheFenceAndHaveVersionsOfTheirOwn) {
  Desk desk(ResourceMode::ge_rw_cas_id);
  ResourceRequest other = append(6, 0, 1);
  other.object = 1;
  ResourceRequest late = append(5, 1, 2);
  desk.then(append(5, 0)).then(other).then(late).run();
  ASSERT_EQ(desk.replies().size(), 3U);
  EXPECT_TRUE(desk.replies()[1].accepted);
  EXPECT_EQ(desk.replies()[1].version, 1U);
  EXPECT_FALSE(desk.replies()[2].accepted);  // The fence was raised at the other object.
  const std::vector<Record> records = desk.kit().all(EventKind::resource_op);
  EXPECT_EQ(records[1].arg >> 8, 1);
  EXPECT_EQ(records[1].result, 0);  // The version before.
  EXPECT_EQ(records[2].arg >> 8, 0);
  EXPECT_EQ(records[2].result, 1);
}

TEST(Resource, RecordsWhatItWasAskedOnBehalfOfTheHold) {
  Desk desk(ResourceMode::none);
  const Record record = desk.then(append(5, 0, 3)).run().all(EventKind::resource_op).at(0);
  EXPECT_EQ(since_start(record), 5_ms);
  EXPECT_EQ(record.fence, 5U);
  EXPECT_EQ(record.nonce, 3U);
  EXPECT_EQ(record.arg, static_cast<std::int64_t>(ResourceOp::append));
  EXPECT_EQ(record.flags, 0U);
}

// After an append with fence 5: how far a later hold with fence 4, 5 or 6 is from being let in.
struct LockOutRow {
  ResourceMode mode;
  std::uint32_t older;
  std::uint32_t equal;
  std::uint32_t newer;
};

constexpr LockOutRow kLockOutTable[] = {
    {ResourceMode::none, 0, 0, 0},   {ResourceMode::cas, 0, 0, 0},
    {ResourceMode::ge_w, 1, 0, 0},   {ResourceMode::ge_rw, 1, 0, 0},
    {ResourceMode::lex_rw, 1, 0, 0}, {ResourceMode::ge_rw_cas_id, 1, 0, 0},
    {ResourceMode::gt_w, 2, 1, 0},   {ResourceMode::eq, 1, 0, Resource::kForGood},
};

TEST(Resource, KnowsWhomItLocksOut) {
  for (const LockOutRow& row : kLockOutTable) {
    SCOPED_TRACE(std::string(name_of(row.mode)));
    Desk desk(row.mode);
    desk.then(append(5, 0)).run();
    const Resource& resource = *desk.kit().stage().resource;
    EXPECT_EQ(resource.lock_out(4), row.older);
    EXPECT_EQ(resource.lock_out(5), row.equal);
    EXPECT_EQ(resource.lock_out(6), row.newer);
  }
}

TEST(Resource, LocksNobodyOutBeforeItsFirstOperation) {
  for (const LockOutRow& row : kLockOutTable) {
    Desk desk(row.mode);
    EXPECT_EQ(desk.run().stage().resource->lock_out(1), 0U) << name_of(row.mode);
  }
}

TEST(Resource, ForgetsEverythingBetweenTwoRuns) {
  Desk desk(ResourceMode::ge_rw);
  desk.then(append(5, 0)).run();
  desk.kit().begin();
  desk.kit().run();
  ASSERT_EQ(desk.replies().size(), 2U);
  EXPECT_EQ(desk.replies()[1].version, 1U);
  EXPECT_EQ(desk.kit().count(EventKind::resource_op), 1U);
}

TEST(Resource, HasAppliedWhatItsLostReplyWouldHaveSaid) {
  Desk desk(ResourceMode::none);
  PlannedFault lost = at_label(Label::res_applied, FaultKind::lost_reply);
  desk.kit().fault(lost);
  desk.then(append(5, 0)).then(append(5, 1)).run();
  EXPECT_FALSE(desk.replies()[0].accepted);  // Unknown: no reply came.
  EXPECT_EQ(desk.replies()[1].version, 2U);
  EXPECT_EQ(desk.kit().times(EventKind::broken), std::vector<Duration>{10_ms});
}

}  // namespace
}  // namespace locklab
