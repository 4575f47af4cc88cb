// SPDX-License-Identifier: Apache-2.0
#include "plugins/memetic/device/heap_sort.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

TEST_CASE("numbers are sorted as the standard library sorts them, whatever their count and with equal keys") {
    std::mt19937 random(7);
    for (std::uint32_t count = 0; count < 200; ++count) {
        std::vector<std::uint32_t> keys(count), numbers(count);
        for (std::uint32_t& key : keys) key = static_cast<std::uint32_t>(random() % (count / 2 + 1));
        std::iota(numbers.begin(), numbers.end(), 0u);
        std::vector<std::uint32_t> wanted = numbers;
        const auto before = [&](std::uint32_t a, std::uint32_t b) {
            return keys[a] < keys[b] || (keys[a] == keys[b] && a < b);
        };
        std::stable_sort(wanted.begin(), wanted.end(), before);
        qapfw::memetic::heap_sort(numbers.data(), count, before);
        CHECK(numbers == wanted);
    }
}
