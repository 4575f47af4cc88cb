// SPDX-License-Identifier: Apache-2.0
// Tests the generic swap neighbourhood, compiled for the host, with fixed positions. Deltas are compared with
// differences of full costs.
#define QAPFW_MOVABLE_POSITIONS 1, 2, 4, 5, 8,
#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "tests/support/emulated_gpu.hpp"

// Other test files include the same header without fixed positions. So the header's namespace has another name here.
#define kernels kernels_with_fixed_positions
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#include "qapfw/kernels/generic_swap_neighbourhood.hpp"

namespace qapfw {
namespace {

constexpr int kMovable[] = {1, 2, 4, 5, 8};

struct Problem {
    struct View {
        int weight;
    };
    using Cost = int64_t;
    static constexpr int kPositions = 9;
    template <class Group, class Solution>
    static Cost cost(Group group, const View& view, Solution solution) {
        Cost sum = 0;
        for (int k = group.rank(); k < kPositions; k += group.size()) sum += view.weight * (k + 1) * solution(k) % 17;
        return group.sum(sum);
    }
};
using Neighbourhood = kernels::GenericSwapNeighbourhood<Problem, 1>;

/// A search that gives each pair a 32-bit word. The word encodes the pair's positions and their elements.
struct NamingSearch {
    static int32_t word(int i, int value_i, int j, int value_j) {
        if (i > j) return word(j, value_j, i, value_i);
        return ((i * 9 + value_i) * 9 + j) * 9 + value_j;
    }
    int32_t payload(int i, int value_i, int j, int value_j) const { return word(i, value_i, j, value_j); }
    int32_t exchanged_payload() const { return -1; }
};

struct Case {
    std::vector<uint16_t> p{3, 7, 0, 5, 1, 8, 2, 6, 4};
    Problem::View view{11};

    int64_t cost() const {
        int64_t sum = 0;
        for (int k = 0; k < 9; ++k) sum += view.weight * (k + 1) * p[k] % 17;
        return sum;
    }
    /// The delta of swapping the i-th and the j-th movable position.
    int64_t delta(int i, int j) {
        const int64_t before = cost();
        std::swap(p[kMovable[i]], p[kMovable[j]]);
        const int64_t after = cost();
        std::swap(p[kMovable[i]], p[kMovable[j]]);
        return after - before;
    }
};

TEST_CASE("generic neighbourhood on the device: fixed positions are in no pair, and stay") {
    static_assert(Neighbourhood::kMovable == 5 && Neighbourhood::kPairs == 10);
    Case test;
    std::vector<char> workspace(Neighbourhood::kWorkspaceBytes, char(0xA5));
    Neighbourhood::BlockShared block;
    Neighbourhood::TeamShared team;
    std::vector<int64_t> deltas(25), words(25);
    std::vector<int> owners(25);
    const auto look = [&](const Neighbourhood& neighbourhood) {
        for (int slot = 0; slot < Neighbourhood::kSlots; ++slot) {
            if (neighbourhood.delta(slot) == kernels::Nothing<int64_t>::value()) continue;
            const uint32_t pair = neighbourhood.pair_code(slot);
            const int code = kernels::first_of_pair(pair) * 5 + kernels::second_of_pair(pair);
            deltas[code] = neighbourhood.delta(slot);
            words[code] = neighbourhood.word(slot);
            ++owners[code];
        }
    };
    const auto compare = [&](int r, int s) {
        for (int i = 0; i < 5; ++i) {
            for (int j = i + 1; j < 5; ++j) {
                CAPTURE(i);
                CAPTURE(j);
                REQUIRE(owners[i * 5 + j] == 1);
                REQUIRE(deltas[i * 5 + j] == test.delta(i, j));
                const int named = NamingSearch::word(i, test.p[kMovable[i]], j, test.p[kMovable[j]]);
                REQUIRE(words[i * 5 + j] == (i == r && j == s ? -1 : named));
            }
        }
        std::fill(owners.begin(), owners.end(), 0);
    };
    int64_t cost = 0;
    int r = -1, s = -1;
    std::mt19937 random(3);
    const std::vector<uint16_t> before = test.p;
    std::vector<uint16_t> stored(9);
    test::EmulatedBlock::run_grid({1, 1, 1}, {32, 1, 1}, [&] {
        const kernels::Team<1> group;
        Neighbourhood neighbourhood(test.view, block, team, workspace.data());
        neighbourhood.load(test.p.data());
        const int64_t own_cost = neighbourhood.reset();
        neighbourhood.refresh(NamingSearch{});
        look(neighbourhood);
        group.sync();
        if (group.rank() == 0) {
            cost = own_cost;
            compare(-1, -1);
        }
        for (int move = 0; move < 20; ++move) {
            if (group.rank() == 0) {
                r = static_cast<int>(random() % 4);
                s = r + 1 + static_cast<int>(random() % (4 - r));
                std::swap(test.p[kMovable[r]], test.p[kMovable[s]]);
            }
            group.sync();
            neighbourhood.apply(r, s, NamingSearch{});
            look(neighbourhood);
            group.sync();
            if (group.rank() == 0) compare(r, s);
            neighbourhood.refresh(NamingSearch{});
            group.sync();
        }
        neighbourhood.store(stored.data());
    });
    CHECK(cost == Case().cost());
    CHECK(stored == test.p);
    for (const int fixed : {0, 3, 6, 7}) CHECK(stored[fixed] == before[fixed]);
    for (int k = 0; k < 5; ++k) CHECK(Neighbourhood::original_position(test.view, k) == kMovable[k]);
}

}  // namespace
}  // namespace qapfw
