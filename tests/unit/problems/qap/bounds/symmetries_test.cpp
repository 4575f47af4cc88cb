// SPDX-License-Identifier: Apache-2.0
#include "problems/qap/bounds/symmetries.hpp"

#include <doctest/doctest.h>

#include <cstdlib>

using namespace qapfw::qap;

namespace {

/// Matrices with the distances of a grid, and with flows that no permutation of the facilities leaves unchanged.
QapMatrices on_grid(uint32_t rows, uint32_t columns) {
    const uint32_t n = rows * columns;
    QapMatrices matrices{n, std::vector<int64_t>(n * n), std::vector<int64_t>(n * n)};
    for (uint32_t i = 0; i < n; ++i) {
        for (uint32_t j = 0; j < n; ++j) {
            matrices.a[i * n + j] = i == j ? 0 : static_cast<int64_t>(i * j + i + j);
            matrices.b[i * n + j] = std::abs(static_cast<int>(i / columns) - static_cast<int>(j / columns)) +
                                    std::abs(static_cast<int>(i % columns) - static_cast<int>(j % columns));
        }
    }
    return matrices;
}

std::size_t class_count(const std::vector<uint16_t>& classes) {
    std::size_t count = 0;
    for (std::size_t k = 0; k < classes.size(); ++k) count += classes[k] == k ? 1u : 0u;
    return count;
}

}  // namespace

TEST_CASE("a grid of locations has its rotations and reflections") {
    std::vector<uint16_t> classes;
    const Symmetries square(BoundTerms(on_grid(4, 4), {}), true);
    CHECK(square.count() == 7);
    square.classes({}, classes);
    CHECK(class_count(classes) == 3);  // corners, other border cells, inner cells
    square.classes({0}, classes);      // only the reflection in the diagonal remains
    CHECK(class_count(classes) == 10);
    CHECK(classes[1] == 1);
    CHECK(classes[4] == 1);
    square.classes({0, 1}, classes);
    CHECK(class_count(classes) == 16);
    const Symmetries oblong(BoundTerms(on_grid(3, 4), {}), true);
    CHECK(oblong.count() == 3);
    CHECK(!Symmetries(BoundTerms(on_grid(3, 4), {}), false).any());
}

TEST_CASE("facilities without flows are alike, and what is fixed tells locations apart") {
    QapMatrices matrices = on_grid(2, 4);
    for (const std::size_t dummy : {5u, 6u, 7u}) {
        for (std::size_t k = 0; k < 8; ++k) matrices.a[dummy * 8 + k] = matrices.a[k * 8 + dummy] = 0;
    }
    std::vector<uint16_t> classes;
    const Symmetries facilities(BoundTerms(matrices, {}), false);
    facilities.classes({}, classes);
    CHECK(classes == std::vector<uint16_t>{0, 1, 2, 3, 4, 5, 5, 5});
    facilities.classes({5}, classes);
    CHECK(classes == std::vector<uint16_t>{0, 1, 2, 3, 4, 5, 6, 6});
    const std::vector<std::string> corner{"1->1"};
    CHECK(!Symmetries(BoundTerms(matrices, parse_fixed_assignments(corner, 8, "fixed")), true).any());
}
