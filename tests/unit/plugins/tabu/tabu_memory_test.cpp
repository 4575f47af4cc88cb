// SPDX-License-Identifier: Apache-2.0
// Compares the tabu memory's table of pairs with its definition, a plain table of (position, value).
#include "plugins/tabu/tabu_memory.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

using qapfw::tabu::TabuMemory;

TEST_CASE("the pair table is the minimum of both returns, also after rebasing and after a new solution") {
    for (const uint32_t n : {2u, 9u, 33u}) {
        std::mt19937 random(n);
        std::vector<uint16_t> p(n);
        std::iota(p.begin(), p.end(), uint16_t{0});
        std::shuffle(p.begin(), p.end(), random);
        TabuMemory memory(n);
        memory.reset(p.data());
        std::vector<int32_t> expiry(size_t{n} * n);  // [position][value]
        for (uint32_t i = 0; i < n; ++i)
            for (uint32_t v = 0; v < n; ++v) expiry[size_t{i} * n + v] = qapfw::kernels::tabu_first_expiry(n, i, v);
        for (int32_t step = 0; step < 300; ++step) {
            auto r = static_cast<uint32_t>(random() % n);
            auto s = static_cast<uint32_t>((r + 1 + random() % (n - 1)) % n);
            if (r > s) std::swap(r, s);
            expiry[size_t{r} * n + p[r]] = step + 7;
            expiry[size_t{s} * n + p[s]] = step + 11;
            memory.record_swap(r, s, step + 7, step + 11);
            std::swap(p[r], p[s]);
            if (step % 50 == 49) {
                memory.rebase(40);
                for (auto& e : expiry) e -= 40;
                std::shuffle(p.begin(), p.end(), random);
                memory.place(p.data());
            }
            for (uint32_t i = 0; i < n; ++i)
                for (uint32_t j = i + 1; j < n; ++j) {
                    const int32_t one = expiry[size_t{i} * n + p[j]], other = expiry[size_t{j} * n + p[i]];
                    REQUIRE(memory.pair_expiry()[size_t{i} * memory.stride() + j] == std::min(one, other));
                }
        }
        std::vector<uint16_t> positions(n);
        std::iota(positions.begin(), positions.end(), uint16_t{0});
        const auto saved = [&](const TabuMemory& of) {
            std::vector<int32_t> table(size_t{n} * n);
            of.save(positions, table.data());
            return table;
        };
        CHECK(saved(memory) == expiry);
        TabuMemory restored(n);
        restored.restore(positions, expiry.data(), p.data());
        CHECK(saved(restored) == expiry);
    }
}

TEST_CASE("rebasing past the oldest expiry clamps instead of wrapping") {
    const uint16_t p[] = {0, 1};
    TabuMemory memory(2);
    memory.reset(p);
    memory.rebase(int64_t{1} << 40);
    CHECK(memory.pair_expiry()[1] == qapfw::kernels::kOldestExpiry);
}
