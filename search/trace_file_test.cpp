// Trace file: reads back exactly, says what is wrong, and notices other bytes.
// SPDX-License-Identifier: Apache-2.0

#include "search/trace_file.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "search/byte_codec.h"
#include "search/token_testing.h"

namespace locklab {
namespace {

using testing_samples::any_deviations;
using testing_samples::three_deviations;

const std::string kStory =
    "{\"schema\": 1, \"name\": \"x\", // \"told\"\n\"clients\": [{\"algorithm\": "
    "\"set-nx-px\"}]}\n";

TraceFile sample() {
  TraceFile trace;
  trace.model_epoch = 1;
  trace.scenario_source = "stories/x.json";
  trace.scenario_text = kStory;
  trace.set = {"clients.0.ttl=2s"};
  Scenario scenario = decode_scenario(kStory, trace.scenario_source).scenario.value();
  EXPECT_TRUE(apply_set(scenario, trace.set).empty());
  trace.scenario_hash = scenario.hash;
  trace.deviations = three_deviations();
  trace.digest = 0x9d41c0aa00000001;
  trace.records = 130;
  trace.checkpoints = {1, 0xffffffffffffffff};
  for (std::uint32_t i = 0; i < trace.records; ++i)
    trace.marks.push_back(i * 0x9e3779b9);
  return trace;
}

void expect_equal(const TraceFile& actual, const TraceFile& expected) {
  EXPECT_EQ(actual.model_epoch, expected.model_epoch);
  EXPECT_EQ(actual.scenario_source, expected.scenario_source);
  EXPECT_EQ(actual.scenario_text, expected.scenario_text);
  EXPECT_EQ(actual.set, expected.set);
  EXPECT_EQ(actual.scenario_hash, expected.scenario_hash);
  EXPECT_EQ(actual.deviations, expected.deviations);
  EXPECT_EQ(actual.digest, expected.digest);
  EXPECT_EQ(actual.records, expected.records);
  EXPECT_EQ(actual.checkpoints, expected.checkpoints);
  EXPECT_EQ(actual.marks, expected.marks);
}

TEST(TraceFile, ReadsBackAsWritten) {
  const std::string text = trace_text(sample());
  const TraceResult result = parse_trace(text, "t.json");

  ASSERT_TRUE(result.trace) << render(result.errors);
  expect_equal(*result.trace, sample());
  EXPECT_EQ(trace_text(*result.trace), text);
}

TEST(TraceFile, GivesItsEffectiveScenario) {
  const DecodeResult result = scenario_of(sample());

  ASSERT_TRUE(result.scenario) << render(result.errors);
  EXPECT_EQ(result.scenario->clients.at(0).ttl, seconds(2));
  EXPECT_EQ(result.scenario->hash, sample().scenario_hash);
}

TEST(TraceFile, NoticesAnotherScenario) {
  TraceFile edited = sample();
  edited.set = {"clients.0.ttl=3s"};
  TraceFile broken = sample();
  broken.set = {"clients.0.ttl=3"};

  EXPECT_EQ(scenario_of(edited).errors.at(0).headline(),
            "stories/x.json: error: is not the scenario that the trace was recorded with");
  EXPECT_FALSE(scenario_of(edited).scenario);
  EXPECT_EQ(scenario_of(broken).errors.at(0).message, "a duration needs a unit");
}

/// The first error of the sample's text with one piece replaced.
std::string error_after(const std::string& piece, const std::string& other) {
  std::string text = trace_text(sample());
  const std::size_t at = text.find(piece);
  EXPECT_NE(at, std::string::npos) << piece;
  text.replace(at, piece.size(), other);
  const TraceResult result = parse_trace(text, "t");
  EXPECT_EQ(result.status == LoadStatus::bad_data, !result.trace.has_value());
  return result.errors.empty() ? "none" : result.errors.front().message;
}

TEST(TraceFile, SaysWhatIsWrong) {
  const std::string order = "deviations stand in the order of their addresses, each once";
  const std::string hash = "expected 16 digits of 0-9 and a-f in quotes";
  EXPECT_EQ(error_after("\"trace\": 1", "\"trace\": 2"),
            "this is not version 1 of the trace file, the only one that can be read");
  EXPECT_EQ(error_after("\"epoch\": 1", "\"epoch\": -1"), "out of range: 0 to 4294967295");
  EXPECT_EQ(error_after("\"epoch\"", "\"epuch\""), "missing key \"epoch\"");
  EXPECT_EQ(error_after("\"records\": 130", "\"records\": 128.5"),
            "expected an integer from 0 to 2147483647");
  EXPECT_EQ(error_after("\"records\": 130", "\"records\": 192"),
            "there must be one checkpoint for every 64 records");
  EXPECT_EQ(error_after("9d41c0aa00000001", "9D41c0aa00000001"), hash);
  EXPECT_EQ(error_after("\"9d41c0aa00000001\"", "1"), hash);
  EXPECT_EQ(error_after("[1, 0, 3, 2]", "[1, 0, 3]"),
            "a span is [process, fiber, operation, attempt]");
  EXPECT_EQ(error_after("[1, 0, 3, 2]", "[1, 256, 3, 2]"), "out of range: 0 to 255");
  EXPECT_EQ(error_after("[1, 0, 3, 2]", "[3, 0, 3, 2]"), order);
  EXPECT_EQ(error_after("fault@label", "fault@lable"), "no choice has this name");
  EXPECT_EQ(error_after("res.before_send", "res.before"), "no label has this name");
  EXPECT_EQ(error_after("\"label\": \"res.before_send\"", "\"label\": 7"),
            "expected a string, found an integer");
  EXPECT_EQ(error_after("\"witness\": ", "\"witness\": 9"), "out of range: 0 to 4294967295");
  EXPECT_EQ(error_after("\"set\": [", "\"set\": [1,"), "expected a string, found an integer");
  EXPECT_EQ(error_after("\"deviations\": [", "\"deviations\": [{},"), "missing key \"span\"");
  EXPECT_EQ(error_after("\n}\n", ""), "not JSON: unexpected end of input; expected '}'");
}

TEST(TraceFile, OfADefaultValueIsRefused) {
  const std::string value = hex(three_deviations()[0].value, 16);

  EXPECT_EQ(error_after(value, std::string(16, '0')), "the default value is no deviation");
}

TEST(TraceFile, HasTheNameOfItsBytes) {
  std::string folder = (std::filesystem::temp_directory_path() / "locklab-XXXXXX").string();
  ASSERT_NE(::mkdtemp(folder.data()), nullptr);
  const std::string text = trace_text(sample());
  const std::string path = folder + "/" + hex(trace_name(text), 16) + ".json";
  std::ofstream(path) << text;

  const TraceResult right = load_trace(path, trace_name(text));
  const TraceResult other = load_trace(path, trace_name(text) + 1);
  const TraceResult none = load_trace(folder + "/none.json");
  std::filesystem::remove_all(folder);

  EXPECT_TRUE(right.trace);
  EXPECT_EQ(other.status, LoadStatus::bad_data);
  EXPECT_EQ(other.errors.at(0).message,
            "was changed since it was written: its name is that of other bytes");
  EXPECT_EQ(none.status, LoadStatus::no_input);
}

RC_GTEST_PROP(TraceFileProperty, ReadsBackAnyDeviations, ()) {
  TraceFile trace = sample();
  trace.deviations = *any_deviations();
  trace.scenario_text = *rc::gen::container<std::string>(rc::gen::inRange<char>(0, 127));
  const TraceResult result = parse_trace(trace_text(trace), "t");

  RC_ASSERT(result.trace.has_value());
  RC_ASSERT(result.trace->deviations == trace.deviations);
  RC_ASSERT(result.trace->scenario_text == trace.scenario_text);
}

}  // namespace
}  // namespace locklab
