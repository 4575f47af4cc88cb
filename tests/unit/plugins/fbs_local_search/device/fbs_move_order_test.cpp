// SPDX-License-Identifier: Apache-2.0
#include "plugins/fbs_local_search/device/fbs_move_order.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <tuple>
#include <vector>

using namespace qapfw::kernels;

TEST_CASE("a random order visits every index once") {
    for (const std::uint64_t size : {1u, 2u, 3u, 4u, 12u, 97u, 360u}) {
        for (std::uint32_t word = 0; word < 20; ++word) {
            FbsCyclicOrder order = fbs_random_order(size, draw4(1, 0, word, 0, 0));
            const std::uint64_t first = order.at;
            std::vector<int> seen(size, 0);
            for (std::uint64_t step = 0; step < size; ++step, order.advance()) ++seen[order.at];
            CHECK(order.at == first);
            CHECK(std::count(seen.begin(), seen.end(), 1) == static_cast<std::ptrdiff_t>(size));
        }
    }
}

TEST_CASE("a range holds every move of its kinds once") {
    const FbsMoveRange range{6, 3, {kFbsMoveInsert, kFbsMoveFlipBit, kFbsMoveSwap}};
    std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>> seen;
    for (std::uint64_t index = 0; index < fbs_range_size(range); ++index) {
        const FbsMove move = fbs_range_move(range, index);
        seen.insert({move.kind, move.first, move.second, move.variant});
    }
    CHECK(seen.size() == fbs_range_size(range));
    CHECK(seen.size() == 108 + 5 + 15);
}
