// SPDX-License-Identifier: Apache-2.0
// Checks the table neighbourhood of the instance that the QAP_... macros state, compiled for the host, against
// textbook deltas. Each case is a file of its own with its own name for the namespace qapfw::qap.
#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include "tests/support/emulated_gpu.hpp"

#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"

#define QAP_ROW ((QAP_N + 15) / 16 * 16)
#define QAP_SHARED_BYTES 20000  // less than the longer tables
#include "problems/qap/device/qap_table_neighbourhood.cuh"

namespace qapfw::qap {

/// A word that tells which pair it was asked for.
struct NamingSearch {
    static int32_t word(int i, int value_i, int j, int value_j) {
        return i < j ? ((i * kN + value_i) * kN + j) * kN + value_j : ((j * kN + value_j) * kN + i) * kN + value_i;
    }
    int32_t payload(int i, int value_i, int j, int value_j) const { return word(i, value_i, j, value_j); }
    int32_t exchanged_payload() const { return -1; }
};

struct TableCase {
    std::vector<Element> a = std::vector<Element>(kN * kN), b = a;
    std::vector<Element> rows_of_a, rows_of_b;  ///< as the device has them
    std::vector<uint16_t> p = std::vector<uint16_t>(kN);

    explicit TableCase(uint32_t seed) {
        std::mt19937 random(seed);
        for (std::vector<Element>* m : {&a, &b}) {
            for (int i = 0; i < kN; ++i) {
                for (int j = 0; j < kN; ++j) {
                    const bool kept = i == j ? kDiagonal : !(kSymmetric && j < i);
                    (*m)[i * kN + j] = kept ? random() % 100 : i == j ? 0 : (*m)[j * kN + i];
                }
            }
        }
        rows_of_a = rows_of(a);
        rows_of_b = rows_of(b);
        for (int i = 0; i < kN; ++i) p[i] = i;
        for (int i = kN - 1; i > 0; --i) std::swap(p[i], p[random() % (i + 1)]);
    }
    static std::vector<Element> rows_of(const std::vector<Element>& m) {
        std::vector<Element> rows(2 * kN * kRow);
        for (int i = 0; i < kN; ++i) {
            for (int j = 0; j < kN; ++j) rows[i * kRow + j] = rows[(kN + j) * kRow + i] = m[i * kN + j];
        }
        return rows;
    }
    int64_t cost() const {
        int64_t sum = 0;
        for (int i = 0; i < kN; ++i) {
            for (int j = 0; j < kN; ++j) sum += int64_t{a[i * kN + j]} * b[p[i] * kN + p[j]];
        }
        return sum;
    }
    int64_t delta(int i, int j) {
        const int64_t before = cost();
        std::swap(p[i], p[j]);
        const int64_t after = cost();
        std::swap(p[i], p[j]);
        return after - before;
    }
};

template <int kWarps, bool kWords>
void check_table_with(uint32_t seed) {
    using Table = TableNeighbourhood<kWarps, kWords>;
    TableCase test(seed);
    const View view{test.rows_of_a.data(), test.rows_of_b.data(), nullptr, 0};
    std::vector<char> workspace(Table::kWorkspaceBytes, char(0xA5));
    typename Table::BlockShared block;
    const auto team = std::make_unique<typename Table::TeamShared>();
    constexpr int64_t kUnit = kHalves ? 2 : 1;
    // What the threads saw: deltas and words by pair code, and the number of owners.
    std::vector<int64_t> deltas(kMovable * kMovable), words(deltas), owners(deltas);
    const auto look = [&](const Table& table) {
        for (int slot = 0; slot < Table::kSlots; ++slot) {
            if (table.delta(slot) == kernels::Nothing<Value>::value()) continue;
            const uint32_t pair = table.pair_code(slot);
            const int code = kernels::first_of_pair(pair) * kMovable + kernels::second_of_pair(pair);
            deltas[code] = static_cast<int64_t>(table.delta(slot)) * kUnit;
            if (kWords) words[code] = table.word(slot);
            ++owners[code];
        }
        const int owner = (kernels::Team<kWarps>{}.warp() * 7 + 3) % 32;
        Value own = kernels::Nothing<Value>::value();
        table.each_pair_of(owner, [&](int, int, Value delta) { own = kernels::least(own, delta); });
        for (int distance = 16; distance > 0; distance /= 2)
            own = kernels::least(own, __shfl_xor_sync(kernels::kAllLanes, own, distance));
        if (static_cast<int>(threadIdx.x % 32) == owner) REQUIRE(own == table.least());
    };
    const auto compare = [&](int r, int s) {
        for (int i = 0; i < kMovable; ++i) {
            for (int j = i + 1; j < kMovable; ++j) {
                CAPTURE(i);
                CAPTURE(j);
                const int code = i * kMovable + j;
                REQUIRE(owners[code] == (2 * (j - i) == kMovable ? 2 : 1));
                REQUIRE(deltas[code] == test.delta(i, j));
                if (kWords)
                    REQUIRE(words[code] == (i == r && j == s ? -1 : NamingSearch::word(i, test.p[i], j, test.p[j])));
            }
        }
        std::fill(owners.begin(), owners.end(), 0);
    };
    std::mt19937 random(seed + 1);
    int64_t cost = 0;
    int r = -1, s = -1;
    const kernels::Team<kWarps> group;
    test::EmulatedBlock::run_grid({1, 1, 1}, {32 * kWarps, 1, 1}, [&] {
        Table table(view, block, *team, workspace.data());
        table.load(test.p.data());
        const int64_t own_cost = table.reset();
        table.refresh(NamingSearch{});
        look(table);
        group.sync();
        if (group.rank() == 0) {
            cost = own_cost;
            compare(-1, -1);
        }
        for (int move = 0; move < (kMovable > 1 ? 25 : 0); ++move) {
            if (group.rank() == 0) {
                r = random() % kMovable;
                s = (r + 1 + random() % std::max(kMovable - 1, 1)) % kMovable;
                std::swap(test.p[r], test.p[s]);
            }
            group.sync();
            table.apply(r, s, NamingSearch{});
            if (move % 8 == 5) {
                table.suspend();
                group.sync();
                if (group.rank() == 0) {
                    std::memset(static_cast<void*>(team.get()), 0x5A, sizeof *team);
                    std::copy(test.p.begin(), test.p.end(), table.solution());
                }
                group.sync();
                table.resume();
            }
            look(table);
            group.sync();
            // The exchanged pair's word is asked for anew when the next exchange touches it, or not at all.
            if (group.rank() == 0) compare(std::min(r, s), std::max(r, s));
            table.refresh(NamingSearch{});
            group.sync();
        }
    });
    CHECK(cost == TableCase(seed).cost() * kDeltaScale / kUnit);
}
template <int kWarps>
void check_table(uint32_t seed) {
    check_table_with<kWarps, true>(seed);
    check_table_with<kWarps, false>(seed);
}

}  // namespace qapfw::qap
