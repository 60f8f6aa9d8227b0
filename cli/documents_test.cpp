// Tests of the documents: what they say of the program is what the program says.
// SPDX-License-Identifier: Apache-2.0
#include <fstream>
#include <iterator>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "cli/exit_code.h"
#include "cli/testing.h"
#include "models/lock.h"

namespace locklab::cli {
namespace {

using Json = nlohmann::ordered_json;
using ::testing::HasSubstr;
using testing::lines_in;
using testing::run_program;
using testing::Scratch;

std::string read(const std::string& path) {
  std::ifstream file(LOCKLAB_SOURCE_DIR "/" + path);
  EXPECT_TRUE(file) << path;
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The rows of the table that begins with this heading.
std::vector<std::string> rows_below(const std::string& document, std::string_view heading) {
  std::vector<std::string> rows;
  bool inside = false;
  for (const std::string& line : lines_in(document)) {
    const bool is_row = line.starts_with("|");
    if (inside && !is_row) break;
    if (inside && !line.starts_with("|---")) rows.push_back(line);
    inside = inside || line.starts_with(heading);
  }
  return rows;
}

TEST(Documents, OfClaimsIsTheListOfThem) {
  const std::string listed = run_program({"list", "claims", "--width", "120"}).out;

  EXPECT_THAT(read("docs/claims.md"), HasSubstr("```\n" + listed + "```"))
      << "put `locklab list claims --width 120` there";
}

TEST(Documents, ReadmeShowsTheTableOfClaims) {
  const std::string listed = run_program({"list", "locks"}).out;
  const std::size_t begin = listed.find("list claims says it in words.\n\n");
  ASSERT_NE(begin, std::string::npos);
  const std::string table = listed.substr(listed.find("\n\n", begin) + 2);

  EXPECT_GT(lines_in(table).size(), all_locks().size());
  EXPECT_THAT(read("README.md"), HasSubstr("```text\n" + table + "```"))
      << "put what `locklab list locks` ends with there";
}

TEST(Documents, OfFaultsIsTheListOfThem) {
  std::vector<std::string> listed;
  for (const std::string& line : lines_in(run_program({"list", "faults", "--json"}).out)) {
    const Json fault = Json::parse(line);
    listed.push_back(fmt::format("| `{}` | {} | {} |", fault["name"].get<std::string>(),
                                 fault["strikes"].get<std::string>(),
                                 fault["does"].get<std::string>()));
  }

  EXPECT_GT(listed.size(), 10U);
  EXPECT_EQ(rows_below(read("docs/faults.md"), "| kind"), listed);
}

// --- The scenario file --------------------------------------------------------------------------

Json schema() {
  return Json::parse(read("scenarios/schema/scenario-1.schema.json"));
}

constexpr std::size_t kWordsShown = 10;  // Of faults and labels there are more: lists have them.

std::string value_of(const Json& key) {
  if (key.contains("const")) return fmt::format("`{}`", key["const"].dump());
  if (key.contains("enum")) {
    if (key["enum"].size() > kWordsShown) return "a word";
    std::string words;
    for (const Json& word : key["enum"])
      words += (words.empty() ? "`" : ", `") + word.get<std::string>() + "`";
    return words;
  }
  const std::string type = key["type"];
  if (type == "integer") {
    return fmt::format("{} to {}", key["minimum"].dump(), key["maximum"].dump());
  }
  if (type == "boolean") return "`true`, `false`";
  if (type == "array") return "a list";
  if (type == "object") return "an object";
  return key.value("pattern", "").find("ns|us") != std::string::npos ? "a time" : "a text";
}

std::string default_of(const Json& object, const std::string& name, const Json& key) {
  for (const Json& required : object.value("required", Json::array())) {
    if (required == name) return "required";
  }
  if (!key.contains("default")) return "";
  return key["default"].is_string() ? key["default"].get<std::string>() : key["default"].dump();
}

void add_rows(const Json& object, const std::string& prefix, std::vector<std::string>& rows) {
  if (!object.contains("properties")) return;
  for (const auto& [name, key] : object["properties"].items()) {
    if (name == "$schema") continue;  // For editors.
    const std::string path = prefix + name;
    rows.push_back(fmt::format("| `{}` | {} | {} | {} |", path, value_of(key),
                               default_of(object, name, key), key.value("description", "")));
    add_rows(key, path + ".", rows);
    if (key.contains("items")) add_rows(key["items"], path + "[].", rows);
  }
}

TEST(Documents, OfScenariosHasEveryKeyOfTheSchema) {
  std::vector<std::string> rows;
  add_rows(schema(), "", rows);

  EXPECT_GT(rows.size(), 50U);
  EXPECT_EQ(rows_below(read("docs/scenarios.md"), "| key"), rows);
}

TEST(Documents, OfScenariosHasARowForEachModeOfTheResource) {
  std::string first_cells;
  for (const std::string& row : rows_below(read("docs/scenarios.md"), "| mode"))
    first_cells += row.substr(1, row.find('|', 1) - 1);
  const Json modes = schema()["properties"]["resource"]["properties"]["mode"]["enum"];

  EXPECT_GT(modes.size(), 5U);
  for (const Json& mode : modes)
    EXPECT_THAT(first_cells, HasSubstr("`" + mode.get<std::string>() + "`"));
}

TEST(Documents, TheScenarioThatTheyShowIsOne) {
  const std::string document = read("docs/scenarios.md");
  const std::size_t begin = document.find("```json\n") + 8;
  const Scratch scratch;
  const std::string path =
      scratch.write("my-story.json", document.substr(begin, document.find("```", begin) - begin));

  EXPECT_EQ(run_program({"run", path, "--calm"}).exit_code, kOk);
  EXPECT_EQ(run_program({"check", path}).exit_code, kOk);
  EXPECT_EQ(run_program({"check", path, "--set", "clients.0.ttl=2s", "--set", "resource.mode=none"})
                .exit_code,
            kViolated);
}

}  // namespace
}  // namespace locklab::cli
