// SPDX-License-Identifier: Apache-2.0
#include "problems/qap/instances/nearest_names.hpp"

#include "tests/unit/problems/qap/support.hpp"

using qapfw::qap::nearest_names;

TEST_CASE("the nearest names come first and far ones not at all") {
    const std::vector<std::string> names{"nug12", "tai40a", "tai40b", "tai45a", "bur26a"};
    CHECK(nearest_names("tai40", names, 2) == std::vector<std::string>{"tai40a", "tai40b"});
    CHECK(nearest_names("ta40b", names, 1) == std::vector<std::string>{"tai40b"});
    CHECK(nearest_names("completely different", names, 3).empty());
    CHECK(nearest_names("", names, 3).empty());
    CHECK(nearest_names(std::string(1000, 'x'), names, 3).empty());
}
