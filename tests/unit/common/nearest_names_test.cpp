// SPDX-License-Identifier: Apache-2.0
// nearest_names: the proposals after "did you mean".
#include <doctest/doctest.h>

#include "common/nearest_names.hpp"

using qapfw::common::nearest_names;
using Names = std::vector<std::string>;

TEST_CASE("a name with one slip finds the name that was meant") {
    const Names known{"tenure", "iterations", "ants", "rho"};
    CHECK(nearest_names("tenuer", known) == Names{"tenure"});   // two letters swapped
    CHECK(nearest_names("tenur", known) == Names{"tenure"});    // a letter left out
    CHECK(nearest_names("tenuree", known) == Names{"tenure"});  // a letter twice
    CHECK(nearest_names("iter", known) == Names{"iterations"});
    CHECK(nearest_names("rhx", known) == Names{"rho"});
}

TEST_CASE("a name that resembles no other finds none") {
    CHECK(nearest_names("population", {"tenure", "ants"}).empty());
    CHECK(nearest_names("", {"tenure"}).empty());
    CHECK(nearest_names("ants", {}).empty());
    CHECK(nearest_names(std::string(100000, 'x'), {"tenure"}).empty());
}

TEST_CASE("at most three names come back, nearest first and each once") {
    CHECK(nearest_names("abcdef", {"abcxyz", "abcdeg", "abcdef", "abcdxg", "abcdef", "abcdfe"}) ==
          Names{"abcdef", "abcdeg", "abcdfe"});
}
