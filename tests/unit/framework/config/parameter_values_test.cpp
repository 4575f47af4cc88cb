// SPDX-License-Identifier: Apache-2.0
// ParameterValues: defaults, sizes, "auto", and their form for plugins.
#include <doctest/doctest.h>

#include "framework/host/host_table.hpp"
#include "qapfw/sdk/host.hpp"
#include "tests/unit/framework/config/sample_registry.hpp"

using namespace qapfw::framework;
using namespace qapfw::framework::testing;

namespace {

ParameterValues tabu_values() {
    return ParameterValues(sample_registry().find(QAPFW_KIND_SOLVER, "tabu").descriptor);
}

}  // namespace

TEST_CASE("without a configuration every parameter has its default") {
    auto values = tabu_values();
    const qapfw_parameters& c = *values.c_values();
    REQUIRE(c.count == 5);
    CHECK(c.values[0].is_auto == 1);
    CHECK(c.values[0].present == 1);
    CHECK(std::string(c.values[2].text) == "best");
    CHECK(c.values[2].integer == 1);
    CHECK(c.values[3].integer == 1);
    CHECK(c.values[4].list_count == 0);
    CHECK(ParameterValues().c_values()->count == 0);
}

TEST_CASE("parameters that are required or optional are absent by default") {
    ParameterValues values(sample_registry().find(QAPFW_KIND_PROBLEM, "qap").descriptor);
    CHECK(values.c_values()->values[0].present == 0);
    CHECK(values.c_values()->values[2].present == 0);
    CHECK(values.c_values()->values[1].real == 1.0);
}

TEST_CASE("a size becomes a number once n is known, and keeps it") {
    auto values = tabu_values();
    values.resolve_sizes(30);
    CHECK(values.c_values()->values[1].integer == 30);
    values.resolve_sizes(60);
    CHECK(values.c_values()->values[1].integer == 30);
}

TEST_CASE("a default that leaves its range at an unusual n is moved to the range's end") {
    auto values = tabu_values();
    values.resolve_sizes(1);
    CHECK(values.values()[1].integer == 2);
    auto large = tabu_values();
    large.resolve_sizes(5000);
    CHECK(large.values()[1].integer == 1000);
}

TEST_CASE("a size that a user wrote must keep to its range") {
    Config config = check_text(after_right("tenure = \"n/4\"\n"));
    CHECK_THROWS_WITH_AS(
        config.resolve_sizes(4),
        "run.toml:6:10: algorithm.tenure must be an integer from 2 to 1000 or a size such as \"4n\" or \"n/2\", "
        "found \"n/4\", which is 1 for n = 4",
        qapfw::Error);
}

TEST_CASE("auto is resolved by the plugin within the declared range") {
    auto values = tabu_values();
    values.resolve("searches", number_value(512));
    CHECK(values.c_values()->values[0].is_auto == 0);
    CHECK(values.c_values()->values[0].integer == 512);
    CHECK_THROWS_WITH_AS(values.resolve("searches", number_value(0)),
                         "the solver \"tabu\" resolved its parameter searches to 0, but it must be an integer from 1 "
                         "to 65536 or \"auto\"",
                         qapfw::Error);
    CHECK_THROWS_AS(values.resolve("nothing", number_value(1)), qapfw::Error);
}

TEST_CASE("auto of every type is resolved to a value of its type, and to no other") {
    static const SampleComponent automatic(
        QAPFW_KIND_SOLVER, "automatic",
        {sample_parameter("rate", QAPFW_PARAMETER_REAL, "auto", 0, 1, QAPFW_PARAMETER_AUTO),
         sample_parameter("robust", QAPFW_PARAMETER_BOOLEAN, "auto", 0, 0, QAPFW_PARAMETER_AUTO),
         sample_parameter("file", QAPFW_PARAMETER_TEXT, "auto", 0, 0, QAPFW_PARAMETER_AUTO),
         sample_parameter("rule", QAPFW_PARAMETER_CHOICE, "auto", 0, 0, QAPFW_PARAMETER_AUTO, "first|best"),
         sample_parameter("moves", QAPFW_PARAMETER_LIST, "auto", 0, 0, QAPFW_PARAMETER_AUTO)});
    ParameterValues values(&automatic.component);
    Host host(1, {});
    const HostTable table(host, "solver automatic",
                          [&](const std::string& name, const qapfw_value& value) { values.resolve(name, value); });
    const qapfw::sdk::Host plugin(table.table());
    plugin.resolve("rate", 0.25);
    plugin.resolve("robust", true);
    plugin.resolve("file", "a.txt");
    plugin.resolve("rule", std::string("best"));
    plugin.resolve("moves", std::vector<std::string>{"swap", "insert"});
    const qapfw_value* c = values.c_values()->values;
    for (int k = 0; k < 5; ++k) CHECK(c[k].is_auto == 0);
    CHECK(c[0].real == 0.25);
    CHECK(c[1].integer == 1);
    CHECK(std::string(c[2].text) == "a.txt");
    CHECK(c[3].integer == 1);
    REQUIRE(c[4].list_count == 2);
    CHECK(std::string(c[4].list[1]) == "insert");
    const auto refused = [&](const char* name, const auto& value) {
        try {
            plugin.resolve(name, value);
        } catch (const qapfw::Error& error) {
            return std::string(error.what());
        }
        return std::string("no error");
    };
    const std::string start = "the solver \"automatic\" resolved its parameter ";
    CHECK(refused("rate", 1.5) == start + "rate to 1.5, but it must be a number from 0 to 1 or \"auto\"");
    CHECK(refused("robust", 0.5) == start + "robust to 0.5, but it must be true or false or \"auto\"");
    CHECK(refused("rule", "third").find(start + "rule to \"third\", but it must be ") == 0);
    CHECK(refused("file", true).find(start + "file to true, but it must be ") == 0);
    CHECK(refused("moves", "swap").find(start + "moves to \"swap\", but it must be ") == 0);
}

TEST_CASE("lists and texts stay valid until the next call") {
    Config config = check_text(after_right("labels = [\"a\", \"b c\"]\n"));
    const qapfw_value& value = config.algorithm.parameters.c_values()->values[4];
    REQUIRE(value.list_count == 2);
    CHECK(std::string(value.list[1]) == "b c");
}

TEST_CASE("sizes in [run] are resolved with the others") {
    Config config = check_text(after_right(
        "[algorithm.improver]\nplugin = \"descent\"\n[run]\niterations = \"100n\"\nstagnation = \"n/2\"\n"));
    CHECK_FALSE(config.run.iterations.has_value());
    config.resolve_sizes(60);
    CHECK(config.run.iterations == 6000U);
    CHECK(config.run.stagnation_iterations == 30U);
    CHECK(config.improver->parameters.values()[0].integer == 960);
    CHECK(config.algorithm.parameters.values()[1].integer == 60);
}
