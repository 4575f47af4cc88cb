// SPDX-License-Identifier: Apache-2.0
#include "problems/qap/costs/interchangeable.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "problems/qap/costs/exact_cost.hpp"
#include "problems/qap/instances/generators.hpp"
#include "tests/unit/problems/qap/equal_elements.hpp"

namespace {

using namespace qapfw::qap;

/// True if swapping two facilities (or locations) changes the cost of no solution. Tries all solutions.
bool by_all_solutions(const QapMatrices& m, std::uint16_t i, std::uint16_t j, bool facilities) {
    std::vector<std::uint16_t> p(m.n);
    std::iota(p.begin(), p.end(), std::uint16_t{0});
    do {
        std::vector<std::uint16_t> q = p;
        if (facilities)
            std::swap(q[i], q[j]);
        else
            for (std::uint16_t& location : q) location = location == i ? j : location == j ? i : location;
        if (evaluate(m, p.data()) != evaluate(m, q.data())) return false;
    } while (std::next_permutation(p.begin(), p.end()));
    return true;
}

void check_classes(const QapMatrices& m) {
    const Interchangeable equals(m);
    for (const bool facilities : {true, false}) {
        const std::vector<std::uint16_t>& classes = facilities ? equals.facilities : equals.locations;
        for (std::uint16_t i = 0; i < m.n; ++i) {
            for (std::uint16_t j = 0; j < i; ++j) {
                const bool same = !classes.empty() && classes[i] == classes[j];
                CAPTURE(i);
                CAPTURE(j);
                if (same) CHECK(by_all_solutions(m, i, j, facilities));
            }
        }
    }
}

}  // namespace

TEST_CASE("interchangeable elements are those that were made equal, and no solution tells them apart") {
    std::mt19937_64 random(5);
    for (const test::MatrixForm& form : test::kMatrixForms) {
        CAPTURE(form.name);
        for (int k = 0; k < 5; ++k) {
            QapMatrices m = test::draw(form, 6, random);
            CHECK(!Interchangeable(m).any());
            test::make_equal(m.a, m.n, {1, 4});
            check_classes(m);
            CHECK(Interchangeable(m).facilities == std::vector<std::uint16_t>{0, 1, 2, 3, 1, 5});
            CHECK(Interchangeable(m).locations.empty());
            test::make_equal(m.a, m.n, {1, 4, 5});
            test::make_equal(m.b, m.n, {0, 3});
            check_classes(m);
            CHECK(Interchangeable(m).facilities == std::vector<std::uint16_t>{0, 1, 2, 3, 1, 1});
            CHECK(Interchangeable(m).locations == std::vector<std::uint16_t>{0, 1, 2, 0, 4, 5});
        }
    }
}

TEST_CASE("one entry more in a row, column or diagonal that counts tells two facilities apart") {
    std::mt19937_64 random(7);
    QapMatrices m = test::draw(test::kMatrixForms[2], 6, random);
    test::make_equal(m.a, m.n, {2, 3});
    REQUIRE(Interchangeable(m).facilities == std::vector<std::uint16_t>{0, 1, 2, 2, 4, 5});
    for (const std::size_t cell : {2u * 6 + 5, 5u * 6 + 3, 2u * 6 + 3, 2u * 6 + 2}) {
        QapMatrices other = m;
        ++other.a[cell];
        CHECK(Interchangeable(other).facilities.empty());
    }
}

TEST_CASE("beside a symmetric matrix only the sum of both directions counts") {
    QapMatrices m{3, {0, 1, 4, 3, 0, 7, 5, 2, 0}, {0, 1, 2, 1, 0, 3, 2, 3, 0}};
    // With facility 2, facility 0 has the flows 4 and 5 (to and fro), and facility 1 has 7 and 2. Both sums are 9.
    CHECK(Interchangeable(m).facilities == std::vector<std::uint16_t>{0, 0, 2});
    m.b[1] = 2;
    CHECK(Interchangeable(m).facilities.empty());
}

TEST_CASE("grey patterns have two classes, and the message for the log counts them") {
    const auto grey = generate_instance("tai64c");
    REQUIRE(grey.has_value());
    CHECK(Interchangeable(*grey).describe() ==
          "2 classes of interchangeable facilities (51 and 13): swaps within a class change no cost, so searches skip "
          "them");
    const auto uniform = generate_instance("tai20a");
    REQUIRE(uniform.has_value());
    CHECK(Interchangeable(*uniform).describe().empty());
    CHECK(!Interchangeable(QapMatrices{1, {3}, {4}}).any());
    CHECK(!Interchangeable(QapMatrices{}).any());
}
