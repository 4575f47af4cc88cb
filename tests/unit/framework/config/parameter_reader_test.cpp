// SPDX-License-Identifier: Apache-2.0
// Reading single values: which values a plugin may give for "auto", and which texts are paths.
#include "framework/config/parameter_reader.hpp"

#include <doctest/doctest.h>

#include "tests/unit/framework/config/sample_registry.hpp"
#include "tests/unit/framework/plugin/bad_plugins.hpp"
#include "tests/unit/framework/plugin/sample_plugin.hpp"

using namespace qapfw::framework;
using namespace qapfw::framework::testing;

TEST_CASE("the number that a plugin gives for auto must be one that the parameter can hold") {
    ParameterValues::Value value;
    CHECK(set_resolved(sample_parameter("p", QAPFW_PARAMETER_BOOLEAN, "auto"), number_value(1), value));
    CHECK_FALSE(set_resolved(sample_parameter("p", QAPFW_PARAMETER_BOOLEAN, "auto"), number_value(2), value));
    const auto choice = sample_parameter("p", QAPFW_PARAMETER_CHOICE, "auto", 0, 0, QAPFW_PARAMETER_AUTO, "a|b");
    CHECK(set_resolved(choice, number_value(1), value));
    CHECK(value.text == "b");
    CHECK_FALSE(set_resolved(choice, number_value(2), value));
    CHECK_FALSE(set_resolved(choice, number_value(-1), value));
    CHECK(set_resolved(sample_parameter("p", QAPFW_PARAMETER_REAL, "auto", 0, 8), number_value(7), value));
    CHECK(value.real == 7.0);
    CHECK_FALSE(set_resolved(sample_parameter("p", QAPFW_PARAMETER_REAL, "auto", 0, 8), number_value(9), value));
    CHECK_FALSE(set_resolved(sample_parameter("p", QAPFW_PARAMETER_TEXT, "auto"), number_value(1), value));
}

TEST_CASE("only a text that names an existing file becomes a path") {
    const TemporaryFolder folder;
    const auto file = folder.write("a.dat", "x");
    CHECK(existing_path_or_name("a.dat", folder.path()) == file.string());
    CHECK(existing_path_or_name(file.string(), "/") == file.string());
    CHECK(existing_path_or_name("b.dat", folder.path()) == "b.dat");
    CHECK(existing_path_or_name(".", folder.path()) == ".");  // a folder is not an instance
    CHECK(existing_path_or_name("", folder.path()).empty());
    CHECK(existing_path_or_name(std::string(5000, 'x'), folder.path()) == std::string(5000, 'x'));
}
