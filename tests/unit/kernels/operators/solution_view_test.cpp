// SPDX-License-Identifier: Apache-2.0
#include "qapfw/kernels/operators/solution_view.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "tests/unit/kernels/fbs_individual.hpp"

using namespace qapfw::kernels;
using namespace qapfw::kernels::test;

TEST_CASE("views say whether there are bay bits") {
    std::vector<std::uint16_t> perm = {2, 0, 1}, positions = {0, 2};
    std::vector<std::uint8_t> bits = {1, 0};
    CHECK(HasBits<decltype(solution_view(perm.data(), bits.data()))>::value);
    CHECK_FALSE(HasBits<decltype(solution_view(perm.data()))>::value);
    CHECK_FALSE(HasBits<decltype(movable_view(perm.data(), positions.data()))>::value);
}

TEST_CASE("a view of the movable positions reaches these alone") {
    std::vector<std::uint16_t> perm = {2, 0, 1, 3};
    const std::vector<std::uint16_t> positions = {0, 3};
    const auto view = movable_view(perm.data(), positions.data());
    view.perm[1] = 9;
    CHECK(perm == std::vector<std::uint16_t>{2, 0, 1, 9});
    CHECK(view.perm[0] == 2);
}

TEST_CASE("fixed elements go back to their positions by swaps, bits stay, and nothing is lost") {
    for (const std::uint32_t n : {1u, 2u, 3u, 12u, 100u, 300u}) {
        std::vector<std::uint16_t> positions, base(n), where(n);
        for (std::uint32_t k = 0; k < n; ++k) {
            base[k] = static_cast<std::uint16_t>((k + 3) % n);
            if (k % 4 == 2) positions.push_back(static_cast<std::uint16_t>(k));
        }
        const FixedElements fixed{static_cast<std::uint32_t>(positions.size()), positions.data(), base.data()};
        for (std::uint32_t trial = 0; trial < 20; ++trial) {
            const Individual before = random_individual(n, trial);
            Individual after = before;
            restore_fixed(fixed, after.view(), where.data(), n);
            CHECK(after.valid());
            CHECK(after.bits == before.bits);
            std::size_t moved = 0;
            for (std::uint32_t k = 0; k < n; ++k) moved += after.perm[k] != before.perm[k] ? 1u : 0u;
            CHECK(moved <= 2 * positions.size());
            for (const std::uint16_t p : positions) CHECK(after.perm[p] == base[p]);
        }
    }
}
