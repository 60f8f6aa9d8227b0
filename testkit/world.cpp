// Test world: gathers what a test says, and has it checked as a scenario file is.
// SPDX-License-Identifier: Apache-2.0
#include "testkit/world.h"

#include <algorithm>
#include <utility>

#include "reports/bench.h"
#include "scenarios/decoder.h"
#include "scenarios/loader.h"
#include "scenarios/suggest.h"
#include "search/compare.h"
#include "sim/sources.h"
#include "testkit/environment.h"
#include "testkit/replayed.h"
#include "testkit/running.h"
#include "testkit/words.h"

namespace locklab {
namespace {

/// `"count":` before the place of an error, if that is the value of a key; `json` has no blanks.
std::string key_at(std::string_view json, const Diagnostic& error) {
  const std::size_t at = error.column - 1;
  if (error.line != 1 || at < 4 || at > json.size() || json.substr(at - 2, 2) != "\":") return {};
  const std::size_t quote = json.rfind('"', at - 3);
  return std::string(json.substr(quote + 1, at - quote - 3)) + ": ";
}

std::string text_of(const std::vector<Diagnostic>& errors, std::string_view json = {}) {
  std::string text;
  for (const Diagnostic& error : errors) {
    text += (text.empty() ? "" : "; ") + key_at(json, error) + error.message;
    if (!error.hint.empty()) text += " (" + error.hint + ")";
  }
  return text;
}

Vocabulary vocabulary_of(const testkit::Setting& setting) {
  Vocabulary words;
  for (const testkit::OwnLock& own : setting.locks)
    words.locks.push_back({own.name, own.info.fenced});
  for (const LockInfo& lock : all_locks())
    words.locks.push_back({std::string(lock.name), lock.fenced});
  for (const Property& property : all_properties())
    words.properties.emplace_back(property.name);
  return words;
}

/// Through its text and back: everything that a file is checked for.
std::string check(Scenario& scenario, const std::vector<std::string>& assignments,
                  const testkit::Setting& setting) {
  if (scenario.clients.empty())
    return "this world has no clients: say clients<YourLock>(2), or begin with a story";
  const Vocabulary words = vocabulary_of(setting);
  const std::vector<Diagnostic> wrong = apply_set(scenario, assignments, &words);
  if (!wrong.empty()) return "set(): " + text_of(wrong);
  const std::string json = canonical_json(scenario);
  DecodeResult decoded = decode_scenario(json, scenario.name, &words);
  if (!decoded.scenario) return "this world cannot be: " + text_of(decoded.errors, json);
  scenario = *std::move(decoded.scenario);
  const std::string objection =
      check_locks(scenario, [&setting](std::string_view name) { return setting.find(name); });
  // The hash is of the whole; what is judged is the question's.
  scenario.properties.clear();
  scenario.sometimes.clear();
  return objection.empty() ? "" : "this world cannot be: " + objection;
}

TestRun not_run(testkit::SharedSetting setting, std::string problem) {
  return TestRun({std::move(setting), {}, {}, 0, {}, std::move(problem)});
}

TestRun kept(testkit::SharedSetting setting, const Execution& execution, std::string token) {
  return TestRun({std::move(setting),
                  *execution.history,
                  {execution.choices.begin(), execution.choices.end()},
                  execution.digest,
                  std::move(token),
                  {}});
}

TestRun rerun(const testkit::SharedSetting& setting, const Token& token, std::string_view text) {
  const std::string objection = testkit::unfit(token, *setting);
  if (!objection.empty()) return not_run(setting, objection);
  Bench bench(setting->scenario, setting->laboratory_of(nullptr));
  RunView view;
  const std::string diverged = testkit::run_again(token, bench, view);
  if (!diverged.empty()) return not_run(setting, diverged);
  return kept(setting, bench.execution(), std::string(text));
}

/// The run of LOCKLAB_REPLAY, where it is of this world; else `run` decides.
template <class F>
TestRun run_guarded(const testkit::SharedSetting& setting, F run) {
  testkit::begin_watching();
  if (!setting->problem.empty()) return not_run(setting, setting->problem);
  const testkit::Environment now = testkit::environment();
  if (!now.problem.empty()) return not_run(setting, now.problem);
  try {
    if (now.replay && testkit::is_world_of(*now.replay, *setting))
      return rerun(setting, *now.replay, now.replay_text);
    return run();
  } catch (const std::exception& failure) {
    return not_run(setting, std::string("the run threw: ") + failure.what());
  }
}

/// Its token is of the seed, or else of its choices; empty if they are too many.
TestRun run_with(const testkit::SharedSetting& setting, ChoiceSource& source,
                 std::optional<std::uint64_t> seed = {}) {
  const Scenario& scenario = setting->scenario;
  Bench bench(scenario, setting->laboratory_of(nullptr));
  bench.run(source);
  const Execution& execution = bench.execution();
  return kept(setting, execution,
              seed ? seed_token(scenario, *seed, execution.digest)
                   : choice_token(scenario, execution.choices, execution.digest).value_or(""));
}

}  // namespace

TestWorld::TestWorld() : TestWorld(testkit::running_test()) {}

TestWorld::TestWorld(std::string_view name) {
  scenario_.name = testkit::word_in(name);
  if (scenario_.name.empty()) scenario_.name = "world";
}

void TestWorld::complain(const std::string& problem) {
  if (problem_.empty()) problem_ = problem;
}

TestWorld& TestWorld::story(std::string_view name_or_path) {
  LoadResult loaded = load_scenario(name_or_path);
  if (!loaded.scenario) {
    complain("story(" + quoted(name_or_path) + "): " + text_of(loaded.errors));
    return *this;
  }
  std::string name = std::move(scenario_.name);
  scenario_ = *std::move(loaded.scenario);
  scenario_.name = std::move(name);
  scenario_.notes.clear();
  scenario_.expect.clear();
  scenario_.tell.clear();
  usual_ = scenario_.clients.front();
  of_story_ = true;
  return *this;
}

TestWorld& TestWorld::topology(const TopologyConfig& topology) {
  scenario_.world.topology = topology;
  return *this;
}

std::string TestWorld::place(LockInfo lock) {
  const std::string word(lock.name);
  for (unsigned number = 1;; ++number) {
    const std::string name = number == 1 ? word : word + "-" + std::to_string(number);
    const auto own = std::find_if(locks_.begin(), locks_.end(),
                                  [&name](const Own& other) { return other.name == name; });
    if (own != locks_.end()) {
      if (own->info.make == lock.make) return name;
      continue;
    }
    const LockInfo* const listed = find_lock(name);
    if (listed != nullptr && listed->make == lock.make) return name;
    if (listed != nullptr) continue;
    locks_.push_back({name, lock});
    return name;
  }
}

TestWorld& TestWorld::seat(std::uint32_t count, LockInfo lock, std::string_view spelled_type) {
  if (lock.make == nullptr) {
    complain("clients(): the lock's LockInfo has no .make");
    return *this;
  }
  const std::string word =
      lock.name.empty() ? testkit::word_of(spelled_type) : testkit::word_in(lock.name);
  lock.name = word;
  ClientConfig config = usual_;
  config.count = count;
  config.algorithm = place(lock);
  if (std::exchange(of_story_, false)) scenario_.clients.clear();
  scenario_.clients.push_back(std::move(config));
  return *this;
}

TestWorld& TestWorld::clients(std::uint32_t count, std::string_view lock) {
  const LockInfo* const listed = find_lock(lock);
  if (listed != nullptr) return seat(count, *listed, {});
  std::vector<std::string_view> names;
  const std::vector<LockInfo> all = all_locks();
  for (const LockInfo& other : all)
    names.push_back(other.name);
  const std::string hint = suggestion(lock, names);
  complain("clients(): no lock is named " + quoted(lock) + (hint.empty() ? "" : "; " + hint));
  return *this;
}

TestWorld& TestWorld::ttl(Duration ttl) {
  usual_.ttl = ttl;
  for (ClientConfig& client : scenario_.clients)
    client.ttl = ttl;
  return *this;
}

TestWorld& TestWorld::margin(Duration margin) {
  usual_.margin = margin;
  for (ClientConfig& client : scenario_.clients)
    client.margin = margin;
  return *this;
}

TestWorld& TestWorld::workload(const WorkloadConfig& workload) {
  scenario_.workload = workload;
  return *this;
}

TestWorld& TestWorld::resource(ResourceMode mode) {
  scenario_.world.resource = mode;
  return *this;
}

TestWorld& TestWorld::fault(const PlannedFault& fault) {
  scenario_.world.faults.push_back(fault);
  return *this;
}

TestWorld& TestWorld::set(const std::string& assignment) {
  assignments_.push_back(assignment);
  return *this;
}

TestWorld& TestWorld::with(const FaultPlan& faults) {
  scenario_.world.search = faults.search.max == 0 ? FaultSearch{} : faults.search;
  return *this;
}

TestWorld& TestWorld::with(const LockParams& params) {
  scenario_.workload.work = params.work;
  scenario_.workload.poll = params.poll;
  return ttl(params.ttl).margin(params.margin);
}

TestWorld& TestWorld::with(const Deployment& deployment) {
  count_ = deployment.clients;
  scenario_.world.topology.replicas = deployment.replicas;
  scenario_.workload.rounds = deployment.rounds;
  scenario_.workload.effects = deployment.effects;
  return *this;
}

TestWorld& TestWorld::with(Seed seed) {
  first_seed_ = seed.value;
  return *this;
}

TestWorld& TestWorld::with(const Plan& plan) {
  return with(plan.faults).with(plan.deployment).with(plan.lock).with(plan.seed);
}

testkit::SharedSetting TestWorld::setting() const {
  auto setting = std::make_shared<testkit::Setting>();
  for (const Own& own : locks_) {
    testkit::OwnLock& lock = setting->locks.emplace_back(testkit::OwnLock{own.name, own.info});
    lock.info.name = lock.name;
  }
  setting->scenario = scenario_;
  setting->problem = problem_.empty() ? check(setting->scenario, assignments_, *setting) : problem_;
  return setting;
}

Judgement TestWorld::holds(PropertyMaker property, std::optional<Runs> runs) const {
  return testkit::ask(setting(), property, testkit::Wanted::holds, range_of(runs));
}

Judgement TestWorld::violates(PropertyMaker property, std::optional<Runs> runs) const {
  return testkit::ask(setting(), property, testkit::Wanted::violated, range_of(runs));
}

Judgement TestWorld::reaches(std::string_view event, std::optional<Runs> runs) const {
  return testkit::ask_for_event(setting(), event, range_of(runs));
}

TestRun TestWorld::run() const {
  const testkit::SharedSetting setting = this->setting();
  return run_guarded(setting, [&] {
    ZeroSource calm;
    return run_with(setting, calm);
  });
}

TestRun TestWorld::run(Seed seed) const {
  const testkit::SharedSetting setting = this->setting();
  return run_guarded(setting, [&] {
    SeededSource source(seed.value);
    return run_with(setting, source, seed.value);
  });
}

TestRun TestWorld::run(const TestRun& like) const {
  const testkit::SharedSetting setting = this->setting();
  if (!like.problem().empty()) return not_run(setting, like.problem());
  return run_guarded(setting, [&] {
    ReplaySource source;
    source.load(fit(setting->scenario, like.choices(), setting->laboratory_of(nullptr)).choices);
    return run_with(setting, source);
  });
}

TestRun TestWorld::replay(std::string_view token) const {
  const testkit::SharedSetting setting = this->setting();
  return run_guarded(setting, [&] {
    const TokenResult parsed = parse_token(token);
    if (parsed.error.empty()) return rerun(setting, parsed.token, token);
    return not_run(setting, quoted(token) + " is no token: " + parsed.error);
  });
}

}  // namespace locklab
