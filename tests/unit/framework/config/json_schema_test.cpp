// SPDX-License-Identifier: Apache-2.0
// json_schema: valid JSON that holds every parameter and setting with its range, choices and default.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "framework/config/settings.hpp"
#include "tests/unit/framework/config/sample_registry.hpp"

using namespace qapfw::framework;
using namespace qapfw::framework::testing;
using Json = nlohmann::json;

TEST_CASE("the schema has one alternative per plugin of a kind, with its parameters") {
    const Json schema = Json::parse(json_schema(sample_registry()));
    const Json& solvers = schema["properties"]["algorithm"]["oneOf"];
    REQUIRE(solvers.size() == 3);
    const Json& tabu = solvers[0]["properties"];
    CHECK(tabu["plugin"]["const"] == "tabu");
    CHECK(tabu["searches"]["anyOf"][0]["minimum"] == 1);
    CHECK(tabu["searches"]["anyOf"][1]["const"] == "auto");
    CHECK(tabu["accept"]["enum"] == Json({"first", "best"}));
    CHECK(tabu["robust"]["default"] == true);
    CHECK(tabu["tenure"]["default"] == "n");
    CHECK(tabu["labels"]["default"] == Json::array());
    CHECK(solvers[0]["additionalProperties"] == false);
}

TEST_CASE("required parameters and improvers are required in the schema") {
    const Json schema = Json::parse(json_schema(sample_registry()));
    CHECK(schema["required"] == Json({"problem"}));
    CHECK(schema["properties"]["problem"]["anyOf"][0]["required"] ==
          Json({"instance"}));  // `plugin` is not required: it follows from the instance
    const Json& solvers = schema["properties"]["algorithm"]["oneOf"];
    CHECK(solvers[1]["required"] == Json({"plugin", "improver"}));
    CHECK_FALSE(solvers[2]["properties"].contains("improver"));
    CHECK(solvers[1]["properties"]["improver"]["oneOf"][0]["properties"]["plugin"]["const"] == "descent");
}

TEST_CASE("every setting is in the schema with its sentence") {
    const Json schema = Json::parse(json_schema(sample_registry()));
    for (const Setting& setting : settings()) {
        CAPTURE(setting.key);
        CHECK(schema["properties"][setting.table]["properties"][setting.key]["description"] == setting.summary);
    }
}

TEST_CASE("a registry without plugins gives a schema that allows any") {
    const Json schema = Json::parse(json_schema(Registry{}));
    CHECK(schema["properties"]["problem"] == Json({{"type", "object"}}));
}
