// SPDX-License-Identifier: Apache-2.0
#include "qapfw/kernels/operators/selection.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <vector>

using namespace qapfw::kernels;

TEST_CASE("every individual is drawn once as an opponent, and the best one survives a round of binary tournaments") {
    for (const std::uint32_t size : {1u, 2u, 9u, 64u}) {
        for (std::uint64_t generation = 0; generation < 20; ++generation) {
            std::vector<std::uint32_t> opponents(size);
            draw_opponents(opponents.data(), size, 3, generation, 1, 2);
            std::vector<std::int64_t> costs(size);
            for (std::uint32_t k = 0; k < size; ++k) costs[k] = draw(4, generation, k, 1, 0) % 10;
            const std::int64_t best = *std::min_element(costs.begin(), costs.end());
            bool survives = false;
            for (std::uint32_t k = 0; k < size; ++k) {
                const std::uint32_t winner = binary_tournament_winner(costs.data(), std::less<>(), k, opponents[k]);
                CHECK((winner == k || winner == opponents[k]));
                CHECK(costs[winner] == std::min(costs[k], costs[opponents[k]]));
                if (costs[k] == costs[opponents[k]]) CHECK(winner == k);
                survives = survives || costs[winner] == best;
            }
            CHECK(survives);
            std::sort(opponents.begin(), opponents.end());
            for (std::uint32_t k = 0; k < size; ++k) CHECK(opponents[k] == k);
        }
    }
}

TEST_CASE("the best neighbour is the cheapest, the first of equal ones") {
    const std::vector<std::int64_t> costs = {5, 3, 9, 3, 1};
    const std::vector<std::uint32_t> neighbours = {0, 1, 3};
    CHECK(best_neighbour(costs.data(), std::less<>(), neighbours.data(), 3) == 1);
    CHECK(best_neighbour(costs.data(), std::less<>(), neighbours.data(), 1) == 0);
    CHECK(best_neighbour(costs.data(), std::greater<>(), neighbours.data(), 3) == 0);
}
