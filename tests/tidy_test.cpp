// The style rules: each accepts good text and rejects bad text, and this repository obeys them.
// SPDX-License-Identifier: Apache-2.0

#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tidy/rules.h"
#include "tests/tidy/source.h"

namespace locklab::tidy {

// For GoogleTest's messages.
void PrintTo(const Complaint& complaint, std::ostream* out) {
  *out << to_string(complaint);
}

namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

const std::string kOpening =
    "// What this is, in one sentence.\n// SPDX-License-Identifier: Apache-2.0\n";

const std::vector<Source>& tree() {
  static const std::vector<Source> kTree = read_tree(LOCKLAB_SOURCE_DIR);
  return kTree;
}

/// One line per complaint.
std::string listed(const Complaints& complaints) {
  std::string lines;
  for (const Complaint& complaint : complaints)
    lines += to_string(complaint) + "\n";
  return lines;
}

template <class Rule>
std::string everywhere(Rule rule) {
  std::string lines;
  for (const Source& source : tree())
    lines += listed(rule(source));
  return lines;
}

Complaints bans(const std::string& path, const std::string& text) {
  return check_bans({path, text}, {});
}

/// The names of the bans that a line of simulation code breaks.
std::vector<std::string> broken(const std::string& line) {
  std::vector<std::string> names;
  for (const Complaint& complaint : bans("sim/world.cpp", line + "\n")) {
    names.push_back(complaint.what.substr(0, complaint.what.find(':')));
  }
  return names;
}

std::string function_of(std::size_t lines) {
  std::string text = "int f(int a) {\n";
  for (std::size_t i = 2; i < lines; ++i)
    text += "  ++a;\n";
  return text + "}\n";
}

TEST(TidyTree, IsReadWhole) {
  const auto has = [](const std::string& path) {
    for (const Source& source : tree()) {
      if (source.path == path) return true;
    }
    return false;
  };

  EXPECT_TRUE(has("tests/tidy_test.cpp"));
  EXPECT_TRUE(has("sim/CMakeLists.txt"));
  EXPECT_TRUE(has(".ci/setup.sh"));
  EXPECT_TRUE(has("locklab"));
  EXPECT_FALSE(has("LICENSE"));
}

TEST(TidyCode, BlanksCommentsAndLiteralsButKeepsLines) {
  EXPECT_EQ(code_of("a; // b\nc"), "a;     \nc");
  EXPECT_EQ(code_of("a /* b\nc */ d"), "a     \n     d");
  EXPECT_EQ(code_of(R"(f("a\"b", 'c'))"), R"(f("    ", ' '))");
  EXPECT_EQ(code_of("f(R\"x(a)\"\n{ )x\") + g"), "f(R      \n    \") + g");
}

TEST(TidyCode, KeepsIncludesAndDigitSeparators) {
  EXPECT_EQ(code_of("#include \"sim/time.h\"\n"), "#include \"sim/time.h\"\n");
  EXPECT_EQ(code_of("x = 1'000'000; // y"), "x = 1'000'000;     ");
}

TEST(TidyLayers, AcceptWhatStandsToTheLeft) {
  EXPECT_THAT(check_layers({"search/pct.cpp", "#include <map>\n#include \"sim/choice.h\"\n"}),
              IsEmpty());
  EXPECT_THAT(check_layers({"testkit/world.cpp", "#include \"reports/bench.h\"\n"}), IsEmpty());
  EXPECT_THAT(check_layers({"sim/redis/node.cpp", "#include \"sim/world.h\"\n"}), IsEmpty());
  EXPECT_THAT(check_layers({"bench/world.cpp", "#include \"cli/main.h\"\n"}), IsEmpty());
  EXPECT_THAT(check_layers({"sim/time.h", "// #include \"cli/main.h\"\n"}), IsEmpty());
}

TEST(TidyLayers, RejectWhatStandsToTheRightOrNowhere) {
  EXPECT_THAT(check_layers({"sim/world.cpp", "\n#include \"models/lock.h\"\n"}),
              ElementsAre(Complaint{"sim/world.cpp", 2, "models/lock.h stands to the right"}));
  EXPECT_THAT(check_layers({"properties/judge.cpp", "#include \"search/token.h\"\n"}), SizeIs(1));
  EXPECT_THAT(check_layers({"sim/world.cpp", "#include \"world.h\"\n"}), SizeIs(1));
  EXPECT_THAT(check_layers({"sim/world.cpp", "#include \"tests/fake.h\"\n"}), SizeIs(1));
  EXPECT_THAT(check_layers({"cli/check.cpp", "#include \"testkit/world.h\"\n"}), SizeIs(1));
  EXPECT_THAT(check_layers({"testkit/world.cpp", "#include \"cli/lab.h\"\n"}), SizeIs(1));
}

TEST(TidyLayers, AreKept) {
  EXPECT_EQ(everywhere(check_layers), "");
}

TEST(TidyModels, AcceptWhatAClientCouldKnow) {
  const std::string text = "#include \"models/lock.h\"\n#include \"sim/time.h\"\n#include <map>\n";

  EXPECT_THAT(check_model_includes({"models/redlock.cpp", text}), IsEmpty());
  EXPECT_THAT(check_model_includes({"models/lock_test.cpp", "#include \"sim/world.h\"\n"}),
              IsEmpty());
  EXPECT_THAT(check_model_includes({"scenarios/run.cpp", "#include \"sim/world.h\"\n"}), IsEmpty());
}

TEST(TidyModels, RejectTheTruth) {
  EXPECT_THAT(check_model_includes({"models/redlock.cpp", "#include \"sim/world.h\"\n"}),
              ElementsAre(Complaint{"models/redlock.cpp", 1, "sim/world.h is hidden from locks"}));
  // Client gives out references to these; without the headers nothing can be asked of them.
  for (const std::string header : {"stage", "process", "clock", "simulation"}) {
    EXPECT_THAT(check_model_includes({"models/a.cpp", "#include \"sim/" + header + ".h\"\n"}),
                SizeIs(1));
    EXPECT_THAT(check_model_includes({"models/a.h", "#include <sim/" + header + ".h>\n"}),
                SizeIs(1));
  }
}

TEST(TidyModels, SeeOnlyWhatAClientCouldKnow) {
  EXPECT_EQ(everywhere(check_model_includes), "");
}

TEST(TidyModels, AreShownOnlyFilesThatExist) {
  EXPECT_EQ(listed(check_visible_files(tree())), "");
  EXPECT_THAT(check_visible_files(std::vector<Source>{{"sim/time.h", ""}}),
              Contains(Field(&Complaint::path, "sim/client.h")));
}

TEST(TidyLibraries, AcceptBoostInSourcesAndTestLibrariesInTests) {
  EXPECT_THAT(check_private_libraries({"sim/process.cpp", "#include <boost/fiber/all.hpp>\n"}),
              IsEmpty());
  EXPECT_THAT(check_private_libraries({"sim/time_test.cpp", "#include <gtest/gtest.h>\n"}),
              IsEmpty());
  EXPECT_THAT(check_private_libraries({"sim/testing.h", "#include <rapidcheck.h>\n"}), IsEmpty());
  EXPECT_THAT(check_private_libraries({"testkit/gtest.h", "#include <gtest/gtest.h>\n"}),
              IsEmpty());
}

TEST(TidyLibraries, RejectBoostInHeadersAndTestLibrariesElsewhere) {
  EXPECT_THAT(check_private_libraries({"sim/process.h", "#include <boost/fiber/all.hpp>\n"}),
              SizeIs(1));
  EXPECT_THAT(check_private_libraries({"search/hunt.cpp", "#include <rapidcheck.h>\n"}), SizeIs(1));
}

TEST(TidyLibraries, AreKeptPrivate) {
  EXPECT_EQ(everywhere(check_private_libraries), "");
}

TEST(TidyBans, AcceptHarmlessCode) {
  EXPECT_THAT(broken("  std::map<std::string, int*> by_name;  // unordered_map"), IsEmpty());
  EXPECT_THAT(broken("  static constexpr int kMax = 3;"), IsEmpty());
  EXPECT_THAT(broken("  static Duration nanoseconds(std::int64_t n) { return Duration(n); }"),
              IsEmpty());
  EXPECT_THAT(broken("constexpr std::array<Unit, 6> kUnits = {{{\"h\", 3}}};"), IsEmpty());
  EXPECT_THAT(broken("const std::string kName = \"float\";"), IsEmpty());
  EXPECT_THAT(broken("const Node* const kNone = nullptr;"), IsEmpty());
  EXPECT_THAT(broken("using Text = std::string;"), IsEmpty());
  EXPECT_THAT(broken("int f(int a);"), IsEmpty());
  EXPECT_THAT(broken("std::uint64_t random(const Address& address);"), IsEmpty());
  EXPECT_THAT(broken("  if (set.count(key) > 0) world.time();"), IsEmpty());
}

TEST(TidyBans, RejectEachSourceOfNondeterminism) {
  EXPECT_THAT(broken("  auto t = std::time(nullptr);"), ElementsAre("wall-clock"));
  EXPECT_THAT(broken("  clock_gettime(CLOCK_REALTIME, &t);"), ElementsAre("wall-clock"));
  EXPECT_THAT(broken("  f(std::chrono::steady_clock::now());"),
              ElementsAre("wall-clock", "chrono"));
  EXPECT_THAT(broken("  return d.count();"), ElementsAre("chrono"));
  EXPECT_THAT(broken("  return std::rand();"), ElementsAre("rand"));
  EXPECT_THAT(broken("  std::random_device device;"), ElementsAre("rand"));
  EXPECT_THAT(broken("  std::uniform_int_distribution<int> die;"), ElementsAre("distribution"));
  EXPECT_THAT(broken("  std::shuffle(a, b, rng);"), ElementsAre("shuffle"));
  EXPECT_THAT(broken("  std::hash<int> h;"), ElementsAre("std-hash"));
  EXPECT_THAT(broken("#include <unordered_map>"), ElementsAre("unordered"));
  EXPECT_THAT(broken("  std::set<const Node*> nodes;"), ElementsAre("pointer-order"));
  EXPECT_THAT(broken("  double share = 0.5;"), ElementsAre("floating-point"));
  EXPECT_THAT(broken("  std::atomic<int> count;"), ElementsAre("thread"));
  EXPECT_THAT(broken("  thread_local int depth = 0;"), ElementsAre("thread"));
  EXPECT_THAT(broken("  f(std::getenv(\"HOME\"));"), ElementsAre("environment"));
  EXPECT_THAT(broken("  setlocale(LC_ALL, \"\");"), ElementsAre("locale"));
  EXPECT_THAT(broken("  try { f(); } catch (...) {"), ElementsAre("catch-all"));
  EXPECT_THAT(broken("  std::cerr << 1;"), ElementsAre("print"));
}

TEST(TidyBans, RejectMutableStatics) {
  EXPECT_THAT(broken("  static int calls = 0;"), ElementsAre("mutable-static"));
  EXPECT_THAT(broken("  static std::vector<int> cache;"), ElementsAre("mutable-static"));
  EXPECT_THAT(broken("  static Pool pool{};"), ElementsAre("mutable-static"));
  EXPECT_THAT(broken("int calls = 0;"), ElementsAre("mutable-static"));
  EXPECT_THAT(broken("const Node* current = nullptr;"), ElementsAre("mutable-static"));
  EXPECT_THAT(broken("std::vector<int> cache;"), ElementsAre("mutable-static"));
}

TEST(TidyBans, HoldOnlyWhereExecutionsAreReproducible) {
  EXPECT_THAT(bans("reports/html.cpp", "double width = 1;\n"), IsEmpty());
  EXPECT_THAT(bans("search/bound.cpp", "  double width = 1;\n"), SizeIs(1));
}

TEST(TidyBans, AreLiftedByAnExceptionOfThatFileOnly) {
  const std::vector<Exception> allowed = {{"sim/a.cpp", "floating-point", "why"},
                                          {"sim/redis/", "floating-point", "why"}};
  const std::string text = "  double score = 0;\n";

  EXPECT_THAT(check_bans({"sim/a.cpp", text}, allowed), IsEmpty());
  EXPECT_THAT(check_bans({"sim/redis/zset.cpp", text}, allowed), IsEmpty());
  EXPECT_THAT(check_bans({"sim/b.cpp", text}, allowed), SizeIs(1));
  EXPECT_THAT(check_bans({"sim/a.cpp", "  std::hash<int> h;\n"}, allowed), SizeIs(1));
}

TEST(TidyBans, ExceptionsThatExcuseNothingAreRejected) {
  const std::vector<Source> sources = {{"sim/a.cpp", "  double score = 0;\n"}};

  EXPECT_THAT(
      check_exceptions(sources, std::vector<Exception>{{"sim/a.cpp", "floating-point", ""}}),
      IsEmpty());
  EXPECT_THAT(check_exceptions(sources, std::vector<Exception>{{"sim/a.cpp", "thread", ""}}),
              SizeIs(1));
}

TEST(TidyBans, AreObeyed) {
  EXPECT_EQ(everywhere([](const Source& source) { return check_bans(source, exceptions()); }), "");
}

TEST(TidyBans, EachExceptionIsNeeded) {
  EXPECT_EQ(listed(check_exceptions(tree(), exceptions())), "");
}

TEST(TidyLengths, CountTheLinesOfAFile) {
  const std::string longest(kFileLinesMax, '\n');

  EXPECT_THAT(check_file_length({"sim/a.cpp", longest}), IsEmpty());
  EXPECT_THAT(check_file_length({"sim/a.cpp", longest + "\n"}), SizeIs(1));
  EXPECT_THAT(check_file_length({"docs/a.md", longest + "\n"}), IsEmpty());
}

TEST(TidyLengths, CountTheLinesOfAFunction) {
  EXPECT_THAT(check_function_lengths({"sim/a.cpp", function_of(kFunctionLinesMax)}), IsEmpty());
  EXPECT_THAT(check_function_lengths({"sim/a.cpp", "\n" + function_of(kFunctionLinesMax + 1)}),
              ElementsAre(Complaint{"sim/a.cpp", 2, "61 lines"}));
}

TEST(TidyLengths, FindFunctionsInNamespacesClassesAndAfterInitialisers) {
  const std::string body = function_of(kFunctionLinesMax + 1);
  const std::string method = "namespace a {\nclass B : public C {\n" + body + "};\n}\n";
  const std::string constructor =
      "A::A(int a) : a_{a}, b_(a) {\n" + std::string(kFunctionLinesMax, '\n') + "}\n";

  EXPECT_THAT(check_function_lengths({"sim/a.h", method}), SizeIs(1));
  EXPECT_THAT(check_function_lengths({"sim/a.cpp", constructor}), SizeIs(1));
}

TEST(TidyLengths, DoNotTakeClassesTablesOrTextForFunctions) {
  const std::string gap(kFunctionLinesMax + 1, '\n');

  EXPECT_THAT(check_function_lengths({"sim/a.h", "class A : B<f()> {" + gap + "};\n"}), IsEmpty());
  EXPECT_THAT(check_function_lengths({"sim/a.cpp", "X<f(1)> x = {" + gap + "};\n"}), IsEmpty());
  EXPECT_THAT(check_function_lengths({"sim/a.cpp", "auto x = \"f() {\";" + gap + "int y;}\n"}),
              IsEmpty());
}

TEST(TidyLengths, AreKept) {
  EXPECT_EQ(everywhere(check_file_length), "");
  EXPECT_EQ(everywhere(check_function_lengths), "");
}

TEST(TidyOpening, AcceptsASentenceAndTheLicence) {
  EXPECT_THAT(check_opening({"sim/a.cpp", kOpening + "#include <map>\n"}), IsEmpty());
  EXPECT_THAT(check_opening({"tests/a.sh",
                             "#!/bin/sh\n# Does one thing.\n"
                             "# SPDX-License-Identifier: Apache-2.0\n"}),
              IsEmpty());
  EXPECT_THAT(check_opening({"scenarios/a.json", "{}\n"}), IsEmpty());
}

TEST(TidyOpening, RejectsAFileWithoutOneOrTheOther) {
  const auto on_line = [](std::size_t line) { return ElementsAre(Field(&Complaint::line, line)); };

  EXPECT_THAT(check_opening({"sim/a.cpp", ""}), on_line(1));
  EXPECT_THAT(check_opening({"sim/a.cpp", "#include <map>\n"}), on_line(1));
  EXPECT_THAT(check_opening({"sim/a.cpp", "// No full stop\n" + kOpening}), on_line(1));
  EXPECT_THAT(check_opening({"sim/a.cpp", "// A sentence that stands alone.\n"}), on_line(2));
  EXPECT_THAT(check_opening({"sim/CMakeLists.txt", "locklab_layer(sim)\n"}), on_line(1));
}

TEST(TidyOpening, StandsInEachFile) {
  EXPECT_EQ(everywhere(check_opening), "");
}

TEST(TidyMarks, AcceptWordsThatOnlyLookAlike) {
  EXPECT_THAT(check_marks({"sim/a.cpp", "SET key owner XX; todos(); hacks();\n"}), IsEmpty());
}

TEST(TidyMarks, RejectWorkLeftOpen) {
  // Split, so that this file obeys its own rule.
  for (const auto& [begin, end] :
       {std::pair("TO", "DO"), {"FIX", "ME"}, {"XX", "X"}, {"HA", "CK"}}) {
    const std::string text = std::string("one\n// ").append(begin).append(end).append(": later\n");
    EXPECT_THAT(check_marks({"a.md", text}), ElementsAre(Field(&Complaint::line, 2))) << text;
  }
}

TEST(TidyMarks, StandNowhere) {
  EXPECT_EQ(everywhere(check_marks), "");
}

TEST(TidyTestNames, AcceptClaims) {
  EXPECT_THAT(check_test_names({"sim/a_test.cpp", "TEST(Keyspace, KeyIsAliveAtItsDeadline) {\n"}),
              IsEmpty());
  EXPECT_THAT(check_test_names({"sim/a_prop.cpp", "RC_GTEST_PROP(Mix, IsABijection, (int a)) {\n"}),
              IsEmpty());
}

TEST(TidyTestNames, RejectUnderscoresAndLowerCase) {
  EXPECT_THAT(check_test_names({"sim/a_test.cpp",
                                "\nTEST(Key"
                                "_Space, Lives) {\n"}),
              ElementsAre(Field(&Complaint::line, 2)));
  EXPECT_THAT(check_test_names({"sim/a_test.cpp", "TEST_P(Claims,\n       lives) {\n"}),
              ElementsAre(Field(&Complaint::what, HasSubstr("lives"))));
  EXPECT_THAT(check_test_names({"testkit/a_test.cpp", "LOCKLAB_TEST(Lock, is_held) {\n"}),
              SizeIs(1));
  EXPECT_THAT(check_test_names({"sim/a_test.cpp", "TEST(Keyspace, DISABLED_Lives) {\n"}),
              SizeIs(1));
}

TEST(TidyTestNames, AreClaims) {
  EXPECT_EQ(everywhere(check_test_names), "");
}

TEST(TidyPaths, AcceptRelativeAndSystemPaths) {
  EXPECT_THAT(check_machine_paths({"a.md",
                                   "docs/"
                                   "work/a, /usr/bin/env, https://x.org/"
                                   "home/a\n"}),
              IsEmpty());
}

TEST(TidyPaths, RejectPathsOfOneMachine) {
  EXPECT_THAT(check_machine_paths({"a.md",
                                   "see /"
                                   "home/me/locklab\n"}),
              SizeIs(1));
  EXPECT_THAT(check_machine_paths({"a.sh",
                                   "cd \"/"
                                   "root/locklab\"\n"}),
              SizeIs(1));
}

TEST(TidyPaths, AreNotOfOneMachine) {
  EXPECT_EQ(everywhere(check_machine_paths), "");
}

TEST(TidyDeadFiles, AcceptFilesThatAListOfTheirFolderOrAboveNames) {
  const std::vector<Source> sources = {
      {"models/CMakeLists.txt", "locklab_catalogue(NAMES\n  setnx\n  zookeeper/lock\n)\n"},
      {"models/setnx.cpp", ""},
      {"models/zookeeper/lock.cpp", ""},
      {"sim/net/CMakeLists.txt", "target_sources(locklab_sim PRIVATE link.cpp)\n"},
      {"sim/net/link.cpp", ""}};

  EXPECT_THAT(check_dead_files(sources), IsEmpty());
}

TEST(TidyDeadFiles, RejectFilesThatNoListNames) {
  const std::vector<Source> sources = {
      {"models/CMakeLists.txt", "locklab_layer(models SOURCES setnx_expire.cpp) # setnx.cpp\n"},
      {"models/setnx.cpp", ""},
      {"sim/CMakeLists.txt", "locklab_layer(sim SOURCES lock.cpp)\n"},
      {"models/lock.cpp", ""}};

  EXPECT_THAT(check_dead_files(sources), ElementsAre(Field(&Complaint::path, "models/setnx.cpp"),
                                                     Field(&Complaint::path, "models/lock.cpp")));
}

TEST(TidyDeadFiles, DoNotExist) {
  EXPECT_EQ(listed(check_dead_files(tree())), "");
}

}  // namespace
}  // namespace locklab::tidy
