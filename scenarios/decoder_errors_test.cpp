// Errors of scenario files: the first line of each, and what is shown below it.
// SPDX-License-Identifier: Apache-2.0

#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "scenarios/decoder.h"
#include "scenarios/decoder_testing.h"

namespace locklab {
namespace {

using testing_samples::file_with;
using testing_samples::kVocabulary;

std::string first_error(const std::string& text) {
  const DecodeResult result = decode_scenario(text, "x.json", &kVocabulary);
  return result.errors.empty() ? "none" : result.errors.front().headline();
}

struct Broken {
  std::string text;
  std::string error;
};

void expect_errors(const std::vector<Broken>& table) {
  for (const Broken& row : table)
    EXPECT_EQ(first_error(row.text), row.error) << row.text;
}

TEST(DecoderErrors, SaysWhereTextIsNotJson) {
  expect_errors({
      {"", "x.json:1:1: error: not JSON: the text is empty"},
      {" \n ", "x.json:1:1: error: not JSON: the text is empty"},
      {"{", "x.json:1:2: error: not JSON: unexpected end of input; expected string literal"},
      {"{\"schema\": 1", "x.json:1:13: error: not JSON: unexpected end of input; expected '}'"},
      {"{\"schema\": 1,}", "x.json:1:13: error: not JSON: unexpected '}'; expected string literal"},
      {"{\"clients\": [1,\n2,]}",
       "x.json:2:2: error: not JSON: unexpected ']'; expected '[', '{', or a literal"},
      {"{'schema': 1}", "x.json:1:2: error: not JSON: invalid literal"},
      {"{schema: 1}", "x.json:1:2: error: not JSON: invalid literal"},
      {"{\"schema\" 1}", "x.json:1:11: error: not JSON: unexpected number literal; expected ':'"},
      {"{\"schema\":}",
       "x.json:1:11: error: not JSON: unexpected '}'; expected '[', '{', or a literal"},
      {"{\"schema\": 1 \"name\": 2}",
       "x.json:1:14: error: not JSON: unexpected string literal; expected '}'"},
      {"{\"name\": \"a\nb\"}",
       "x.json:1:12: error: not JSON: invalid string: control character U+000A (LF) must be "
       "escaped to \\u000A or \\n"},
      {"{\"name\": \"\xff\"}",
       "x.json:1:11: error: not JSON: invalid string: ill-formed UTF-8 byte"},
      {"{\"name\": \"\\q\"}",
       "x.json:1:12: error: not JSON: invalid string: forbidden character after backslash"},
      {"{\"name\": tru}", "x.json:1:13: error: not JSON: invalid literal"},
      {"{\"name\": 1e999}", "x.json:1:10: error: not JSON: a number out of range"},
      {"{} {}", "x.json:1:4: error: not JSON: unexpected '{'; expected end of input"},
      {"{ /* no end", "x.json:1:12: error: not JSON: invalid comment; missing closing '*/'"},
      {"[]", "x.json:1:1: error: expected an object, found a list"},
      {"\"text\"", "x.json:1:1: error: expected an object, found a string"},
      {std::string(65, '['), "x.json:1:65: error: nested deeper than 64 levels"},
      {std::string((1U << 20) + 1, ' '), "x.json:1:1: error: larger than 1048576 bytes"},
  });
}

TEST(DecoderErrors, SaysWhichKeyIsWrong) {
  expect_errors({
      {"{}", "x.json:1:1: error: missing key \"schema\""},
      {"{\"schema\": 1, \"schema\": 1}", "x.json:1:15: error: this key is here twice"},
      {file_with("\"limits\": {\"steps\": 5, \"x-a\": 1, \"steps\": 6}"),
       "x.json:3:34: error: this key is here twice"},
      {file_with("\"fault\": []"), "x.json:3:1: error: unknown key \"fault\""},
      {file_with("\"topology\": {\"network\": {\"latancy\": \"1ms\"}}"),
       "x.json:3:26: error: unknown key \"latancy\""},
      {file_with("\"resource\": {\"\x1b[2J\": 1}"),
       "x.json:3:15: error: not JSON: invalid string: control character U+001B (ESC) must be "
       "escaped to \\u001B"},
      {file_with("\"resource\": {\"\\u001b[2J\": 1}"), "x.json:3:14: error: unknown key \"?[2J\""},
      {"{\"schema\": 2, \"name\": \"x\", \"clients\": [{\"algorithm\": \"fenced\"}]}",
       "x.json:1:12: error: this is not version 1 of the scenario file, the only one that can be "
       "read"},
      {"{\"schema\": \"1\", \"name\": \"x\", \"clients\": [{\"algorithm\": \"fenced\"}]}",
       "x.json:1:12: error: this is not version 1 of the scenario file, the only one that can be "
       "read"},
      {"{\"schema\": 1, \"clients\": [{\"algorithm\": \"fenced\"}]}",
       "x.json:1:1: error: missing key \"name\""},
      {"{\"schema\": 1, \"name\": \"x\"}", "x.json:1:1: error: missing key \"clients\""},
      {"{\"schema\": 1, \"name\": \"x\", \"clients\": []}",
       "x.json:1:39: error: needs at least 1 entry"},
      {"{\"schema\": 1, \"name\": \"x\", \"clients\": {}}",
       "x.json:1:39: error: expected a list, found an object"},
      {"{\"schema\": 1, \"name\": \"x\", \"clients\": [{}]}",
       "x.json:1:40: error: missing key \"algorithm\""},
      {"{\"schema\": 1, \"name\": \"x\", \"clients\": [7]}",
       "x.json:1:40: error: expected an object, found an integer"},
      {"{\"schema\": 1, \"name\": \"X\", \"clients\": [{\"algorithm\": \"fenced\"}]}",
       "x.json:1:23: error: \"X\" has a character that is not allowed here"},
      {"{\"schema\": 1, \"name\": \"\", \"clients\": [{\"algorithm\": \"fenced\"}]}",
       "x.json:1:23: error: must not be empty"},
      {"{\"schema\": 1, \"name\": \"" + std::string(65, 'a') + "\"}",
       "x.json:1:1: error: missing key \"clients\""},
  });
}

TEST(DecoderErrors, SaysWhichValueIsWrong) {
  expect_errors({
      {file_with("\"limits\": {\"virtual\": 8000}"), "x.json:3:23: error: a duration needs a unit"},
      {file_with("\"limits\": {\"virtual\": 1.5}"), "x.json:3:23: error: a duration needs a unit"},
      {file_with("\"limits\": {\"virtual\": \"8\"}"),
       "x.json:3:23: error: a duration needs a unit"},
      {file_with("\"limits\": {\"virtual\": \"8 s\"}"),
       "x.json:3:23: error: \"8 s\" is not a duration"},
      {file_with("\"limits\": {\"virtual\": \"forever\"}"),
       "x.json:3:23: error: \"forever\" is not a duration"},
      {file_with("\"limits\": {\"virtual\": true}"),
       "x.json:3:23: error: expected a duration, found true or false"},
      {file_with("\"limits\": {\"virtual\": \"0s\"}"),
       "x.json:3:23: error: must be longer than zero"},
      {file_with("\"limits\": {\"virtual\": \"25h\"}"),
       "x.json:3:23: error: out of range: \"1ns\" to \"24h\""},
      {file_with("\"workload\": {\"work\": \"-1ms\"}"),
       "x.json:3:22: error: a duration must not be negative"},
      {file_with("\"limits\": {\"steps\": 10000001}"),
       "x.json:3:21: error: out of range: 1 to 10000000"},
      {file_with("\"limits\": {\"steps\": 1e3}"),
       "x.json:3:21: error: expected an integer from 1 to 10000000"},
      {file_with("\"limits\": {\"steps\": 99999999999999999999}"),
       "x.json:3:21: error: expected an integer from 1 to 10000000"},
      {file_with("\"limits\": {\"steps\": \"5\"}"),
       "x.json:3:21: error: expected an integer, found a string"},
      {file_with("\"workload\": {\"rounds\": 0}"), "x.json:3:24: error: out of range: 1 to 1000"},
      {file_with("\"workload\": {\"read_only\": 1}"),
       "x.json:3:27: error: expected true or false, found an integer"},
      {file_with("\"resource\": {\"mode\": \"ge-rw\"}"),
       "x.json:3:22: error: no resource mode is named \"ge-rw\""},
      {file_with("\"resource\": null"), "x.json:3:13: error: expected an object, found null"},
      {file_with("\"title\": \"a\\u001b[2Jb\""),
       "x.json:3:10: error: \"a?[2Jb\" has a character that is not allowed here"},
      {file_with("\"tags\": [\"a b\"]"),
       "x.json:3:10: error: \"a b\" has a character that is not allowed here"},
      {file_with("\"tags\": [\"a\", \"a\"]"), "x.json:3:15: error: \"a\" is here twice"},
      {file_with("\"expect\": {\"double-ownership\": \"violate\"}"),
       "x.json:3:32: error: no verdict is named \"violate\""},
      {file_with("\"expect\": {\"Double\": \"holds\"}"),
       "x.json:3:12: error: \"Double\" cannot be a property's name"},
      {file_with("\"search\": {\"faults\": {\"of\": [\"puase\"], \"max\": 1}}"),
       "x.json:3:30: error: no fault is named \"puase\""},
      {file_with("\"search\": {\"faults\": {\"of\": [\"pause\", \"pause\"], \"max\": 1}}"),
       "x.json:3:39: error: \"pause\" is here twice"},
      {file_with("\"search\": {\"faults\": {\"of\": [\"pause\"]}}"),
       "x.json:3:22: error: missing key \"max\""},
      {file_with("\"search\": {\"faults\": {\"of\": [], \"max\": 1}}"),
       "x.json:3:29: error: no kind is listed: nothing can be drawn"},
      {file_with(
           "\"search\": {\"faults\": {\"of\": [\"pause\"], \"at\": [\"acq.send\"], \"max\": 1}}"),
       "x.json:3:47: error: no label is named \"acq.send\""},
  });
}

TEST(DecoderErrors, SaysWhatDoesNotFitTogether) {
  const std::string client = "{\"schema\": 1, \"name\": \"x\", \"clients\": [";
  expect_errors({
      {file_with("\"topology\": {\"nodes\": 3, \"replicas\": 1}"),
       "x.json:3:38: error: only a single node can have replicas"},
      {file_with("\"topology\": {\"replicas\": 1, \"min_replicas\": 2}"),
       "x.json:3:45: error: more than there are replicas: every write is refused"},
      {file_with("\"topology\": {\"min_replicas_max_lag\": \"1500ms\"}"),
       "x.json:3:38: error: a lag is whole seconds, as Redis' min-replicas-max-lag takes it"},
      {file_with("\"topology\": {\"persistence\": \"rdb\"}"),
       "x.json:3:29: error: no persistence is named \"rdb\""},
      {client +
           "{\"algorithm\": \"fenced\", \"count\": 9}, {\"algorithm\": \"fenced\", \"count\": 8}]}",
       "x.json:1:39: error: more than 16 clients in all"},
      {client + "{\"algorithm\": \"fenced\", \"ttl\": \"1.0001s\"}]}",
       "x.json:1:71: error: a ttl is whole milliseconds, as Redis' PX takes it"},
      {client + "{\"algorithm\": \"fenced\", \"ttl\": \"10ms\"}]}",
       "x.json:1:71: error: the margin (20ms) must be shorter than the ttl (10ms)"},
      {client + "{\"algorithm\": \"fenced\", \"margin\": \"1s\"}]}",
       "x.json:1:74: error: the margin (1s) must be shorter than the ttl (1s)"},
      {client + "{\"algorithm\": \"fenced\", \"retries\": 11}]}",
       "x.json:1:75: error: out of range: 0 to 10"},
      {client + "{\"algorithm\": \"fenced\", \"pool\": \"keep\"}]}",
       "x.json:1:72: error: no pool is named \"keep\""},
      {file_with("\"workload\": {\"nested\": true, \"nested_ttl\": \"1500us\"}"),
       "x.json:3:44: error: a ttl is whole milliseconds, as Redis' PX takes it"},
      {file_with("\"workload\": {\"nested\": true, \"nested_ttl\": \"20ms\"}"),
       "x.json:3:44: error: the margin (20ms) must be shorter than the ttl (20ms)"},
      {file_with("\"workload\": {\"nested_effects\": true}"),
       "x.json:3:32: error: there is no nested call"},
      {client + "{\"algorithm\": \"set-nx-xp\"}]}",
       "x.json:1:54: error: no lock is named \"set-nx-xp\""},
      {client + "{\"algorithm\": \"set-nx-px\"}], \"resource\": {\"mode\": \"ge_rw\"}}",
       "x.json:1:54: error: \"set-nx-px\" issues no fences, but the resource's mode ge_rw looks at "
       "them"},
      {file_with("\"hosts\": [{\"name\": \"vm\", \"actors\": [\"client-2\"]}]"),
       "x.json:3:37: error: no actor is named \"client-2\""},
      {file_with("\"hosts\": [{\"name\": \"vm\", \"actors\": []}]"),
       "x.json:3:36: error: needs at least 1 entry"},
      {file_with("\"hosts\": [{\"name\": \"redis-1\", \"actors\": [\"client-1\"]}]"),
       "x.json:3:20: error: \"redis-1\" is taken by another host or actor"},
      {file_with("\"hosts\": [{\"name\": \"a\", \"actors\": [\"client-1\"]},"
                 " {\"name\": \"b\", \"actors\": [\"client-1\"]}]"),
       "x.json:3:75: error: \"client-1\" already lives on a host"},
      {file_with("\"properties\": [\"double-owner\"]"),
       "x.json:3:16: error: no property is named \"double-owner\""},
      {file_with(
           "\"properties\": [\"no-stale-write\"], \"expect\": {\"double-ownership\": \"holds\"}"),
       "x.json:3:66: error: \"double-ownership\" is not among the properties to judge"},
      {file_with("\"expect\": {\"double-ownership\": \"holds\"}, \"tell\": \"double-ownership\""),
       "x.json:3:50: error: \"double-ownership\" is not expected to be violated"},
      {file_with("\"tell\": \"no-stale-write\""),
       "x.json:3:9: error: \"no-stale-write\" is not expected to be violated"},
      {file_with("\"sometimes\": [\"key-lost\"]"),
       "x.json:3:15: error: no event is named \"key-lost\""},
  });
}

std::string fault(const std::string& members) {
  return file_with("\"topology\": {\"replicas\": 1},\n\"faults\": [{" + members + "}]");
}

TEST(DecoderErrors, SaysWhatIsWrongWithAFault) {
  const std::string kill = "\"kind\": \"kill\", \"target\": \"client-1\"";
  expect_errors({
      {fault(kill + ", \"restarts\": false"),
       "x.json:4:12: error: a fault needs \"at\" or \"label\""},
      {fault("\"at\": \"1s\", \"label\": \"acq.sent\", \"kind\": \"cancel\""),
       "x.json:4:34: error: a fault strikes at a time or at a label, not both"},
      {fault("\"at\": \"1s\", " + kill),
       "x.json:4:12: error: kill needs \"length\", the time to its restart"},
      {fault("\"at\": \"1s\", \"length\": \"1s\", \"restarts\": false, " + kill),
       "x.json:4:35: error: what never restarts has no \"length\""},
      {fault("\"at\": \"1s\", \"length\": \"1s\", \"ppb\": 0, " + kill),
       "x.json:4:48: error: kill does not use \"ppb\""},
      {fault("\"at\": \"1s\", \"length\": \"1s\", \"dies\": \"os\", " + kill),
       "x.json:4:49: error: kill does not use \"dies\""},
      {fault("\"at\": \"1s\", \"length\": \"1s\", \"nth\": 2, " + kill),
       "x.json:4:48: error: only a fault at a label has this key"},
      {fault("\"at\": \"1s\", \"kind\": \"cancel\""),
       "x.json:4:12: error: cancel at a time needs a target"},
      {fault("\"at\": \"1s\", \"kind\": \"kil\""), "x.json:4:33: error: no fault is named \"kil\""},
      {fault("\"at\": \"1s\", \"kind\": \"none\""),
       "x.json:4:33: error: no fault is named \"none\""},
      {fault("\"at\": \"1s\", \"kind\": \"cancel\", \"target\": \"redis-1\""),
       "x.json:4:53: error: \"redis-1\" is not a process"},
      {fault("\"at\": \"1s\", \"kind\": \"cancel\", \"target\": \"client-2\""),
       "x.json:4:53: error: no actor is named \"client-2\""},
      {fault("\"at\": \"1s\", \"kind\": \"lag\", \"target\": \"redis-1\", \"length\": \"1s\""),
       "x.json:4:50: error: \"redis-1\" is not a replica"},
      {fault("\"at\": \"1s\", \"kind\": \"lag\", \"target\": \"replica-1\""),
       "x.json:4:12: error: lag needs \"length\" (hold the effects), \"offset\" (delay them) or "
       "both"},
      {fault("\"at\": \"1s\", \"kind\": \"cut\", \"target\": \"redis-1\""),
       "x.json:4:12: error: cut at a time needs a peer"},
      {fault("\"at\": \"1s\", \"kind\": \"cut\", \"target\": \"redis-1\", \"peer\": \"redis-1\""),
       "x.json:4:69: error: the peer is the target itself"},
      {fault("\"at\": \"1s\", \"kind\": \"jump\", \"target\": \"client-1\""),
       "x.json:4:12: error: jump needs \"offset\""},
      {fault("\"at\": \"1s\", \"kind\": \"pause\", \"target\": \"client-1\", \"length\": \"0s\""),
       "x.json:4:74: error: a fault of no length does nothing"},
      {fault("\"at\": \"-1s\", \"kind\": \"cancel\", \"target\": \"client-1\""),
       "x.json:4:19: error: a duration must not be negative"},
      {fault("\"label\": \"srv.applied\", \"actor\": \"client-1\", \"kind\": \"cancel\""),
       "x.json:4:46: error: \"client-1\" is not a node"},
      {fault("\"label\": \"acq.sent\", \"command\": \"set\", \"kind\": \"cancel\""),
       "x.json:4:45: error: \"set\" has a character that is not allowed here"},
      {fault("\"label\": \"acq.sent\", \"client\": \"redis-1\", \"kind\": \"cancel\""),
       "x.json:4:44: error: \"redis-1\" is not a process"},
      {fault("\"label\": \"acq.sent\", \"kind\": \"slow\", \"offset\": \"-1s\""),
       "x.json:4:60: error: a delay must not be negative"},
  });
}

TEST(DecoderErrors, ReportsAllErrorsInOrderOfTheText) {
  const DecodeResult result = decode_scenario(
      file_with("\"limits\": {\"virtual\": 1, \"step\": 2},\n\"tags\": 3"), "x.json", &kVocabulary);

  ASSERT_EQ(result.errors.size(), 3U);
  EXPECT_EQ(result.errors[0].line, 3U);
  EXPECT_EQ(result.errors[1].line, 3U);
  EXPECT_LT(result.errors[0].column, result.errors[1].column);
  EXPECT_EQ(result.errors[2].line, 4U);
  EXPECT_FALSE(result.scenario);
}

TEST(DecoderErrors, NeverReportsMoreThanAScreen) {
  std::string tags = "1";
  for (int i = 0; i < 63; ++i)
    tags += ",1";

  const DecodeResult result = decode_scenario(file_with("\"tags\": [" + tags + "]"), "x.json");

  EXPECT_EQ(result.errors.size(), 20U);
}

TEST(DecoderErrors, ShowsTheLineTheCaretAndASuggestion) {
  const std::string text =
      "{\n  \"schema\": 1, \"name\": \"x\",\n\t\"clients\": [{\"algorithm\": \"ä\", \"ttl\": "
      "8000}]\n}";

  const DecodeResult result = decode_scenario(text, "dir/x.json");

  EXPECT_EQ(
      render(result.errors),
      "dir/x.json:3:28: error: \"ä\" has a character that is not allowed here\n"
      "    3 |  \"clients\": [{\"algorithm\": \"ä\", \"ttl\": 8000}]\n"
      "      |                            ^^^ use a-z, 0-9 and -\n"
      "dir/x.json:3:40: error: a duration needs a unit\n"
      "    3 |  \"clients\": [{\"algorithm\": \"ä\", \"ttl\": 8000}]\n"
      "      |                                        ^^^^ did you mean \"8000ms\" or \"8s\"?\n");
}

TEST(DecoderErrors, ShowsOnlyAWindowOfALongLine) {
  const std::string text = file_with("\"notes\": \"" + std::string(500, 'n') + "\", \"limits\": 1");

  const DecodeResult result = decode_scenario(text, "x.json");

  ASSERT_EQ(result.errors.size(), 1U);
  EXPECT_LE(result.errors[0].excerpt.size(), 100U);
  EXPECT_EQ(result.errors[0].excerpt.substr(result.errors[0].caret, 1), "1");
}

}  // namespace
}  // namespace locklab
