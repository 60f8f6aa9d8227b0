// no-stale-write: once a later grant has used the resource, no earlier one writes to it (NSW).
// SPDX-License-Identifier: Apache-2.0
//
// A finding of its own, not harm: effects can be serializable in another order than that of grants,
// as with a fence that is fetched after the lock (kernel contract, "Three truths, four lanes").
#include "properties/describe.h"
#include "properties/property.h"

namespace locklab {
namespace {

/// What one lock's holders did to the resource so far.
struct Newest {
  const HoldLane* grant = nullptr;  // The latest grant that used the resource,
  std::uint32_t first_use = 0;      // and its first accepted operation.
  const HoldLane* first_user = nullptr;
  bool shared = false;  // By more than one hold.
};

bool is_append(const Record& record) {
  return static_cast<ResourceOp>(record.arg & 0xff) == ResourceOp::append;
}

void describe(const History& history, const Newest& newest, const HoldLane& hold,
              const Record& record, Finding& finding) {
  const NamePair names = names_of(history, hold, *newest.grant);
  finding.verdict = Verdict::violated;
  finding.why = names.first + "'s append at " + to_string(record.at()) + " was accepted although " +
                names.second + ", granted " + lock_of(history, hold) + " after it at " +
                to_string(newest.grant->grant().at) + ", had used the resource at " +
                to_string(history.at(newest.first_use).at());
  finding.witness =
      witness_of_seqs({hold.grant().seq, newest.grant->grant().seq, newest.first_use, record.seq});
}

void use(Newest& newest, const HoldLane& hold, std::uint32_t seq) {
  if (newest.first_user == nullptr) newest.first_user = &hold;
  if (newest.first_user != &hold) newest.shared = true;
  if (newest.grant == nullptr || newest.grant->grant().precedes(hold.grant())) {
    newest.grant = &hold;
    newest.first_use = seq;
  }
}

Finding check(const History& history, const Lanes& lanes) {
  Finding finding;
  const std::span<Newest> locks = lanes.scratch<Newest>(lanes.lock_count());
  for (const Effect& effect : lanes.effects()) {
    const HoldLane& hold = lanes.holds()[effect.lane];
    if (!hold.grant().known()) continue;  // Who works without a grant has no place in the order.
    Newest& newest = locks[hold.lock_index];
    const Record& record = history.at(effect.seq);
    if (is_append(record) && newest.grant != nullptr) {
      if (newest.shared || newest.first_user != &hold) ++finding.exercised;
      if (finding.verdict != Verdict::violated && hold.grant().precedes(newest.grant->grant())) {
        describe(history, newest, hold, record, finding);
      }
    }
    use(newest, hold, effect.seq);
  }
  return finding;
}

}  // namespace

Property no_stale_write() {
  return {"no-stale-write",
          "The resource accepts no append of a hold once it has accepted an operation of a later "
          "grant of the same lock.",
          Severity::exposure, check};
}

}  // namespace locklab
