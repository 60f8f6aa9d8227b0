// Test run: reads the records of one run.
// SPDX-License-Identifier: Apache-2.0
#include "testkit/test_run.h"

#include <ostream>

#include "properties/judge.h"
#include "reports/run_view.h"
#include "testkit/counterexample.h"
#include "testkit/running.h"

namespace locklab {

Finding TestRun::finding(PropertyMaker property) const {
  Judge judge({property()});
  return judge.judge(history())[0].finding;
}

std::optional<std::string> TestRun::final_value(std::string_view key) const {
  std::optional<std::string> value;
  for (const Record& record : history().records()) {
    const bool of_key = !record.has(event_flags::kReplica) && history().text(record.lock) == key;
    if (!of_key) continue;
    if (record.kind == EventKind::key_set) value = std::string(history().text(record.nonce));
    if (record.kind == EventKind::key_deleted || record.kind == EventKind::key_lost) value.reset();
  }
  return value;
}

std::uint64_t TestRun::final_version(std::uint32_t object) const {
  std::uint64_t version = 0;
  for (const Record& record : history().records()) {
    const bool append = record.kind == EventKind::resource_op &&
                        record.arg == (static_cast<std::int64_t>(ResourceOp::append) |
                                       static_cast<std::int64_t>(object) << 8);
    if (append && !record.has(event_flags::kRejected)) ++version;
  }
  return version;
}

std::string TestRun::told(PropertyMaker property) const {
  const Scenario scenario = testkit::about(*data_->setting, property);
  Judge judge(data_->setting->laboratory_of_all(property).properties);
  judge.judge(history());
  RunView view;
  view.scenario = &scenario;
  view.history = &history();
  view.lanes = &judge.lanes();
  view.findings = judge.findings();
  view.choices = choices();
  view.digest = digest();
  view.token = token();
  if (!token().empty()) view.replay = testkit::replay_command(token());
  return testkit::told_run(view);
}

std::ostream& operator<<(std::ostream& out, const TestRun& run) {
  if (!run.problem().empty()) return out << run.problem();
  return out << "the run " << run.token() << " of " << run.history().records().size() << " events";
}

}  // namespace locklab
