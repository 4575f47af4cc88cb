// SPDX-License-Identifier: Apache-2.0
#include "qapfw/kernels/fbs_repair.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "qapfw/kernels/fbs_cost.hpp"
#include "qapfw/kernels/fbs_operators.hpp"

using namespace qapfw::kernels;

namespace {

/// n departments with areas from 1 to 8. The area of a bay must be from `low` to `high`.
struct RandomPlant {
    std::vector<double> area, least, greatest;
    FbsView<double> view{};
    RandomPlant(std::uint32_t n, double low, double high) : area(n), least(n, low), greatest(n, high) {
        for (std::uint32_t d = 0; d < n; ++d) area[d] = 1 + below(draw(3, 0, d, 0, 0), 8);
        view.departments = n;
        view.area = area.data();
        view.orientation[0] = {10, 0.1, least.data(), greatest.data()};
        view.orientation[1] = {10, 0.1, least.data(), greatest.data()};
    }
    std::uint32_t violations(const std::vector<std::uint16_t>& perm, const std::vector<std::uint8_t>& bits) const {
        std::vector<double> x(area.size()), y(area.size());
        std::uint32_t count[2];
        fbs_decode(view, fbs_solution(perm.data(), bits.data()), x.data(), y.data(), count);
        return count[0];
    }
};

}  // namespace

TEST_CASE("a bay that is too wide is split near its middle, one too narrow is merged") {
    RandomPlant example(6, 0, 100);
    example.area = {4, 4, 4, 4, 4, 4};
    example.view.area = example.area.data();
    example.greatest.assign(6, 12);
    const std::vector<std::uint16_t> perm{0, 1, 2, 3, 4, 5};
    std::vector<std::uint8_t> bits{0, 0, 0, 0, 0};
    CHECK(fbs_repair(example.view, fbs_solution(perm.data(), bits.data()), 0) == 1);
    CHECK(bits == std::vector<std::uint8_t>{0, 0, 1, 0, 0});
    example.least.assign(6, 8);
    bits = {1, 1, 1, 1, 1};
    CHECK(fbs_repair(example.view, fbs_solution(perm.data(), bits.data()), 0) == 3);
    CHECK(bits == std::vector<std::uint8_t>{0, 1, 0, 1, 0});
    bits = {0, 0, 0, 1, 0};  // the first bay, of area 16, is too wide
    fbs_repair(example.view, fbs_solution(perm.data(), bits.data()), 0);
    CHECK(example.violations(perm, bits) == 0);
    bits = {0, 0, 1, 0, 1};  // the last bay is merged with the bay to its left
    fbs_repair(example.view, fbs_solution(perm.data(), bits.data()), 0);
    CHECK(bits == std::vector<std::uint8_t>{0, 0, 1, 0, 0});
}

TEST_CASE("repair ends, leaves a feasible layout alone and mends nearly all layouts that can be") {
    std::uint32_t before = 0;
    std::uint32_t after = 0;
    for (std::uint32_t trial = 0; trial < 300; ++trial) {
        const std::uint32_t n = 1 + trial % 60;
        const RandomPlant example(n, 10, 40);
        std::vector<std::uint16_t> perm(n);
        std::vector<std::uint8_t> bits(n - 1);
        fbs_randomize(fbs_solution(perm.data(), bits.data()), n, 0, 1, 0, trial, 1);
        const std::vector<std::uint16_t> same = perm;
        const std::uint32_t violations = example.violations(perm, bits);
        const std::uint32_t changes = fbs_repair(example.view, fbs_solution(perm.data(), bits.data()), 0);
        CHECK(perm == same);
        if (violations == 0) CHECK(changes == 0);
        before += violations;
        after += example.violations(perm, bits);
    }
    CHECK(before > 1000);
    CHECK(after * 20 < before);
}
