// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <vector>

#include "plugins/ga_distributed/device/ga_exchange.hpp"

namespace {

using namespace qapfw::kernels;

/// The individual at each position after an exchange that moves `moved` of `count` individuals.
std::vector<std::uint32_t> exchanged(std::uint32_t count, std::uint32_t moved, std::uint64_t iteration) {
    const RandomBijection places = random_bijection(5, iteration, kGaExchangeStream, count);
    std::vector<std::uint32_t> now(count);
    std::iota(now.begin(), now.end(), 0u);
    std::vector<std::uint32_t> next = now;
    for (std::uint32_t k = 0; k < moved; ++k) {
        const GaMove move = ga_move(places, k, moved);
        next[move.to] = now[move.from];
    }
    return next;
}

}  // namespace

TEST_CASE("a shuffle is a permutation of all individuals, for all counts") {
    for (const std::uint32_t count : {1u, 2u, 3u, 4u, 5u, 15u, 16u, 17u, 255u, 256u, 257u, 3840u}) {
        for (std::uint64_t iteration = 0; iteration < 4; ++iteration) {
            std::vector<std::uint32_t> order = exchanged(count, count, iteration);
            if (count >= 255) {
                CHECK(order != exchanged(count, count, iteration + 1));
                CHECK_FALSE(std::is_sorted(order.begin(), order.end()));
            }
            std::sort(order.begin(), order.end());
            for (std::uint32_t k = 0; k < count; ++k) CHECK(order[k] == k);
        }
    }
}

TEST_CASE("a shuffle takes every pair of individuals to every pair of places about as often") {
    for (const std::uint32_t count : {2u, 3u, 4u, 5u, 7u}) {
        std::vector<double> seen(count * count, 0);  // how often individuals 0 and 1 went to each pair of positions
        const int repetitions = 2000 * static_cast<int>(count * (count - 1));
        for (int iteration = 0; iteration < repetitions; ++iteration) {
            const RandomBijection places =
                random_bijection(11, static_cast<std::uint64_t>(iteration), kGaExchangeStream, count);
            seen[image(places, 0) * count + image(places, 1)] += 1;
        }
        for (std::uint32_t a = 0; a < count; ++a) {
            for (std::uint32_t b = 0; b < count; ++b) {
                if (a == b)
                    CHECK(seen[a * count + b] == 0);
                else  // expected 2000, standard deviation at most 45
                    CHECK(std::abs(seen[a * count + b] - 2000) < 225);
            }
        }
    }
}

TEST_CASE("an exchange moves exactly the stated number of individuals, others each time") {
    std::set<std::uint32_t> ever;
    for (const std::uint32_t moved : {2u, 3u, 192u}) {
        for (std::uint64_t iteration = 0; iteration < 30; ++iteration) {
            std::vector<std::uint32_t> next = exchanged(3840, moved, iteration);
            std::uint32_t different = 0;
            for (std::uint32_t k = 0; k < 3840; ++k) {
                if (next[k] == k) continue;
                ++different;
                ever.insert(k);
            }
            CHECK(different == moved);
            std::sort(next.begin(), next.end());
            for (std::uint32_t k = 0; k < 3840; ++k) REQUIRE(next[k] == k);
        }
    }
    // If an exchange moves 192 individuals, it moves 5 % of all 3840. So 30 such exchanges alone move about
    // 3840 (1 - 0.95^30) = 3016 different individuals.
    CHECK(ever.size() > 2500);
}
