// JSON schema: the file for editors is what the table of keys says.
// SPDX-License-Identifier: Apache-2.0

#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>

#include "scenarios/decoder.h"
#include "scenarios/json_reader.h"

namespace locklab {
namespace {

TEST(ScenarioSchema, IsTheFileInTheRepository) {
  std::ifstream in(LOCKLAB_SOURCE_DIR "/scenarios/schema/scenario-1.schema.json");
  const std::string file(std::istreambuf_iterator<char>(in), {});

  EXPECT_EQ(file, scenario_schema())
      << "locklab list schema > " LOCKLAB_SOURCE_DIR "/scenarios/schema/scenario-1.schema.json";
}

TEST(ScenarioSchema, IsJsonThatNamesEveryKey) {
  const JsonResult schema = read_json(scenario_schema());
  ASSERT_TRUE(schema.root) << schema.message;
  const JsonValue& keys = schema.root->find("properties")->value;

  EXPECT_NE(keys.find("clients"), nullptr);
  const JsonValue& client = keys.find("clients")->value.find("items")->value;
  const JsonMember* ttl = client.find("properties")->value.find("ttl");
  ASSERT_NE(ttl, nullptr);
  EXPECT_EQ(ttl->value.find("default")->value.text, "1s");
  EXPECT_EQ(ttl->value.find("pattern")->value.text, "^[0-9]+(\\.[0-9]+)?(ns|us|ms|s|m|h)$");
  EXPECT_EQ(client.find("required")->value.elements.at(0).text, "algorithm");
  EXPECT_FALSE(client.find("additionalProperties")->value.boolean);
}

}  // namespace
}  // namespace locklab
