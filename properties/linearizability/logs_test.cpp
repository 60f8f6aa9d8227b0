// Tests of the logs: what each format says, and one clear line for what it cannot say.
// SPDX-License-Identifier: Apache-2.0

#include "properties/linearizability/logs.h"

#include <string>
#include <string_view>

#include <gmock/gmock.h>

#include "properties/linearizability/checker.h"

namespace locklab::linearizability::testing {
namespace {

using ::testing::HasSubstr;

Log read(std::string_view text, const std::optional<Spec>& wanted = {}) {
  const SourceText source{"log", text};
  LogResult result = parse_log(source, wanted);
  EXPECT_TRUE(result.log) << (result.errors.empty() ? "" : result.errors[0].headline());
  return result.log.value_or(Log{});
}

std::string error_of(std::string_view text, const LogLimits& limits = {}) {
  const SourceText source{"log", text};
  const LogResult result = parse_log(source, {}, limits);
  EXPECT_FALSE(result.log);
  EXPECT_EQ(result.errors.size(), 1U);
  return result.errors.empty() ? "" : result.errors[0].headline();
}

Verdict verdict_of(const Log& log) {
  return check_history(log.history, log.spec, log.names, {}).verdict;
}

constexpr std::string_view kEtcd =
    "INFO  jepsen.core - Worker 1 starting\n"
    "INFO  jepsen.util - 0\t:invoke\t:write\t3\n"
    "INFO  jepsen.util - 1\t:invoke\t:cas\t[3 4]\n"
    "INFO  jepsen.util - :nemesis\t:info\t:start\tnil\n"
    "INFO  jepsen.util - 0\t:ok\t:write\t3\n"
    "INFO  jepsen.util - 1\t:fail\t:cas\t[3 4]\n"
    "INFO  jepsen.util - 2\t:invoke\t:write\t9\n"
    "INFO  jepsen.util - 2\t:info\t:write\t:timed-out\n"
    "INFO  jepsen.util - 0\t:invoke\t:read\tnil\n"
    "INFO  jepsen.util - 0\t:fail\t:read\t:timed-out\n"
    "INFO  jepsen.util - 0\t:invoke\t:read\tnil\n"
    "INFO  jepsen.util - 0\t:ok\t:read\t9\n";

TEST(Logs, OfEtcdHaveTheFourOutcomes) {
  const Log log = read(kEtcd);

  ASSERT_EQ(log.history.operations.size(), 4U);  // The read that failed told nothing.
  EXPECT_EQ(log.spec, (Spec{Kind::reg}));
  EXPECT_TRUE(log.spec_is_guess);
  EXPECT_EQ(log.history.operations[1].result, Result::refused);
  EXPECT_EQ(log.history.operations[2].result, Result::unknown);
  EXPECT_EQ(log.names.values[log.history.operations[3].output], "9");
  EXPECT_EQ(log.lines, (std::vector<std::uint32_t>{2, 3, 7, 11}));
  EXPECT_EQ(verdict_of(log), Verdict::holds);
}

TEST(Logs, OfKeysAndValuesAreMapsInEdn) {
  const std::string text = R"({:process 0, :type :invoke, :f :append, :key "a", :value "x y"})"
                           "\n"
                           R"({:process 0, :type :ok, :f :append, :key "a", :value "x y"})"
                           "\n"
                           R"({:process 1, :type :invoke, :f :get, :key "a", :value nil})"
                           "\n"
                           R"({:process 1, :type :ok, :f :get, :key "a", :value "x y"})"
                           "\n";
  std::string stale = text;
  stale.replace(stale.rfind("x y"), 3, "x z");

  EXPECT_EQ(read(text).spec, (Spec{Kind::key_value}));
  EXPECT_EQ(verdict_of(read(text)), Verdict::holds);
  EXPECT_EQ(verdict_of(read(stale)), Verdict::violated);
}

constexpr std::string_view kJson = R"({"schema":"locklab.history/1","model":"reentrant-mutex:3"})"
                                   "\n"
                                   R"({"type":"invoke","client":"A","f":"acquire","key":"k"})"
                                   "\n"
                                   R"({"type":"ok","client":"A","f":"acquire","key":"k","fence":7})"
                                   "\n"
                                   R"({"type":"invoke","client":2,"f":"acquire","key":"k"})"
                                   "\n"
                                   R"({"type":"ok","client":2,"f":"acquire","key":"k","held":true})"
                                   "\n";

TEST(Logs, InJsonNameTheirModel) {
  const Log log = read(kJson);

  EXPECT_EQ(log.spec, (Spec{Kind::reentrant_mutex, 3}));
  EXPECT_FALSE(log.spec_is_guess);
  EXPECT_EQ(log.history.operations[0].fence, 7);
  EXPECT_EQ(log.history.operations[1].result, Result::refused);
  EXPECT_EQ(read(kJson, Spec{Kind::semaphore, 1}).spec, (Spec{Kind::semaphore, 1}));
}

TEST(Logs, InJsonHaveValuesOfEachSort) {
  const Log log = read(R"({"type":"invoke","client":1,"f":"cas","value":[null,"3"]})"
                       "\n"
                       R"({"type":"ok","client":1,"f":"cas","value":[null,"3"]})"
                       "\n"
                       R"({"type":"invoke","client":1,"f":"read","value":null})"
                       "\n"
                       R"({"type":"ok","client":1,"f":"read","value":3})"
                       "\n");

  EXPECT_EQ(log.spec, (Spec{Kind::reg}));
  ASSERT_EQ(log.history.operations.size(), 2U);
  EXPECT_EQ(log.names.values[log.history.operations[1].output], "3");
  EXPECT_EQ(verdict_of(log), Verdict::holds);
  EXPECT_NE(error_of(R"({"type":"invoke","client":1,"f":"cas","value":[1,[2,3]]})"), "");
  EXPECT_NE(error_of(R"({"type":"invoke","client":1,"f":"cas","value":[1,2,3]})"), "");
}

TEST(Logs, OneFunctionSuggestsItsModel) {
  const auto guess = [](const std::string& function, const std::string& value) {
    return read(R"({"type":"invoke","client":1,"f":")" + function + R"(","value":)" + value + "}\n")
        .spec.kind;
  };
  EXPECT_EQ(guess("enqueue", "1"), Kind::queue);
  EXPECT_EQ(guess("dequeue", "null"), Kind::queue);
  EXPECT_EQ(guess("acquire", "null"), Kind::owner_aware_mutex);
  EXPECT_EQ(guess("release", "null"), Kind::owner_aware_mutex);
}

TEST(Logs, RecordsOfARunAreItsCalls) {
  const auto record = [](const std::string& actor, const std::string& kind,
                         const std::string& operation, const std::string& outcome) {
    return R"({"schema":"locklab.event/1","seq":1,"actor":")" + actor + R"(","kind":")" + kind +
           R"(","lock":"l","fence":0,"operation":")" + operation + R"(","outcome":")" + outcome +
           "\"}\n";
  };
  const std::string first = record("a", "op_begin", "acquire", "") + record("a", "sent", "", "") +
                            record("a", "op_return", "acquire", "acquired");
  const std::string refused =
      record("b", "op_begin", "acquire", "") + record("b", "op_return", "acquire", "refused");
  const std::string second =
      record("b", "op_begin", "acquire", "") + record("b", "op_return", "acquire", "acquired");

  EXPECT_EQ(read(first + refused).history.operations.size(), 1U);
  EXPECT_EQ(verdict_of(read(first + refused)), Verdict::holds);
  EXPECT_EQ(verdict_of(read(first + second)), Verdict::violated);
}

TEST(Logs, EmptyFileHasNoOperations) {
  EXPECT_TRUE(read("").history.operations.empty());
  EXPECT_TRUE(read("\n \n").history.operations.empty());
}

TEST(Logs, ErrorsNameTheirPlace) {
  EXPECT_THAT(error_of("hello\n"), HasSubstr("log:1:1: error: neither"));
  EXPECT_THAT(error_of("{\"type\":\"invoke\"}\n"), HasSubstr("log:1:1: error: missing key"));
  EXPECT_THAT(error_of("{\"typ\":\"invoke\"}\n"), HasSubstr("log:1:2: error: unknown key"));
  EXPECT_THAT(error_of("\n{\"type\":\"invoke\",\"client\":1,\"f\":\"fly\"}\n"),
              HasSubstr("log:2:33: error: no operation"));
  EXPECT_THAT(error_of("{:process 0, :type :invoke, :f :get"), HasSubstr("expected }"));
  EXPECT_THAT(error_of("{:process 0, :type :invoke, :f :get, :value \"\\q\"}"),
              HasSubstr("expected nil"));
  EXPECT_THAT(error_of("INFO jepsen.util - 0 :invoke :write 1 2"),
              HasSubstr("expected the end of the line"));
  EXPECT_THAT(error_of("INFO jepsen.util - 0 :invoke :cas 1"), HasSubstr("needs two values"));
  EXPECT_THAT(error_of("INFO jepsen.util - 0 :ok :read 1"), HasSubstr("nothing under way"));
  EXPECT_THAT(error_of("INFO jepsen.util - 0 :invoke :read nil\n"
                       "INFO jepsen.util - 0 :invoke :read nil\n"),
              HasSubstr("log:2:1: error: client \"0\" begins while its read of line 1"));
  EXPECT_THAT(error_of("{\"schema\":\"locklab.history/1\",\"model\":\"mutexx\"}\n"),
              HasSubstr("there is no model"));
  EXPECT_THAT(error_of("{\"schema\":\"locklab.history/1\",\"model\":\"queue\"}\n"
                       "{\"type\":\"invoke\",\"client\":1,\"f\":\"read\"}\n"),
              HasSubstr("log:2:1: error: the model queue has no read"));
}

TEST(Logs, ALineThatFitsNoModelIsPointedAtAndNotUnderlined) {
  const std::string text =
      "{\"schema\":\"locklab.history/1\",\"model\":\"queue\"}\n"
      "{\"type\":\"invoke\",\"client\":1,\"f\":\"read\"}\n";
  const SourceText source{"log", text};
  EXPECT_EQ(parse_log(source, {}).errors.at(0).width, 1U);
}

TEST(Logs, ThatContradictThemselvesAreNotGuessedAt) {
  // A pair may be a key and a value, as in Jepsen's independent tests.
  EXPECT_THAT(error_of("INFO jepsen.util - 0 :invoke :read nil\n"
                       "INFO jepsen.util - 0 :ok :read [1 2]\n"),
              HasSubstr("log:2:1: error: read returns one value"));
  EXPECT_THAT(error_of("{\"type\":\"invoke\",\"client\":1,\"f\":\"write\",\"value\":[1]}\n"),
              HasSubstr("log:1:49: error: expected null"));
  EXPECT_THAT(error_of("INFO jepsen.util - 0 :invoke :write [1]\n"), HasSubstr("expected nil"));
  EXPECT_THAT(error_of("INFO jepsen.util - 0 :invoke :cas [1 2]\n"
                       "INFO jepsen.util - 0 :ok :cas [1 3]\n"),
              HasSubstr("log:2:1: error: client \"0\" ends its cas with another value"));
  EXPECT_THAT(error_of("{\"type\":\"invoke\",\"client\":1,\"f\":\"acquire\",\"fence\":1}\n"),
              HasSubstr("only an acquire that got the lock has a fence"));
  const std::string header = R"({"schema":"locklab.history/1","model":")";
  EXPECT_THAT(error_of(header + "mutex\"}\n" + header + "queue\"}\n"),
              HasSubstr("log:2:1: error: a header before has said \"mutex\""));
}

TEST(Logs, SizesAreBounded) {
  EXPECT_THAT(error_of(kEtcd, {.bytes = 100}), HasSubstr("more than 100 bytes"));
  EXPECT_THAT(error_of(kEtcd, {.line = 10}), HasSubstr("more than 10 bytes"));
  EXPECT_THAT(error_of(kEtcd, {.operations = 2}), HasSubstr("more than 2 operations"));
}

TEST(Logs, NoMutilationDoesHarm) {
  for (const std::string_view whole : {kEtcd, kJson}) {
    for (std::size_t i = 0; i < whole.size(); ++i) {
      for (const char c : {'\0', '"', '[', '}', '\n', ':', '9', '\\'}) {
        std::string text(whole);
        text[i] = c;
        const SourceText source{"log", text};
        const LogResult result = parse_log(source);
        EXPECT_NE(result.log.has_value(), result.errors.size() == 1);
      }
      const SourceText source{"log", whole.substr(0, i)};
      const LogResult result = parse_log(source);
      EXPECT_NE(result.log.has_value(), result.errors.size() == 1);
    }
  }
}

}  // namespace
}  // namespace locklab::linearizability::testing
