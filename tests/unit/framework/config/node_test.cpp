// SPDX-License-Identifier: Apache-2.0
// Messages about values of the wrong kind.
#include "framework/config/node.hpp"

#include <doctest/doctest.h>

using namespace qapfw::framework;

TEST_CASE("a mismatch says where, what was wanted and what was found") {
    Node node;
    node.type = Node::Type::kReal;
    node.real = 0.5;
    node.where = "f.toml:3:9";
    CHECK(std::string(mismatch(node, "run.runs", "an integer").what()) ==
          "f.toml:3:9: run.runs must be an integer, found the number 0.5");
}

TEST_CASE("long texts are cut between characters") {
    Node node;
    node.type = Node::Type::kText;
    for (int k = 0; k < 100; ++k) node.text += "\xC3\xBC";
    node.text.insert(0, "x");
    const std::string found = found_value(node);
    CHECK(found.size() < 120);
    CHECK(found.ends_with("\xC3\xBC...\""));
}
