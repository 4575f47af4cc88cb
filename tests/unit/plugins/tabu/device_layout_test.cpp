// SPDX-License-Identifier: Apache-2.0
// Tests device code for the neighbourhood of layouts with fixed positions. The code is compiled for the host. Deltas
// are compared with differences of full costs.
#define QAPFW_MOVABLE_POSITIONS 1, 2, 3, 4, 5, 7, 8,
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <random>
#include <vector>

#include "tests/support/emulated_gpu.hpp"

// Other test files include the same header without fixed positions. So the header's namespaces have other names here.
#define kernels kernels_of_fixed_layouts
#define tabu tabu_of_fixed_layouts
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#include "plugins/tabu/device/tabu_layout_neighbourhood.cuh"

namespace qapfw {
namespace {

constexpr int kN = 9;
constexpr int kOffset = 32;  ///< bytes from the start of a solution to its bits

double cost_of(const uint16_t* p, const uint8_t* bits) {
    double sum = 0;
    for (int k = 0, bay = 0; k < kN; ++k) {
        sum += (p[k] + 1) * (k + 0.5) / 3 + bay * (p[k] % 4) * 1.7;
        if (k + 1 < kN && bits[k] != 0) ++bay;
    }
    return sum;
}

struct Problem {
    struct View {};
    using Cost = double;
    static constexpr int kPositions = kN, kBits = kN - 1, kBitsOffset = kOffset;
    template <class Group, class Solution>
    static Cost cost(Group, const View&, Solution solution) {
        uint16_t p[kN];
        uint8_t bits[kN];
        for (int k = 0; k < kN; ++k) p[k] = static_cast<uint16_t>(solution(k));
        for (int k = 0; k < kBits; ++k) bits[k] = static_cast<uint8_t>(solution.bit(k));
        return cost_of(p, bits);
    }
};
using Neighbourhood = tabu::LayoutNeighbourhood<Problem, 1>;

struct NoMemory {
    int32_t expiry(tabu::TabuEntry entry) const { return entry.row * 100 + entry.column; }
};

struct Layout {
    uint16_t row[24] = {3, 7, 0, 5, 1, 8, 2, 6, 4};
    uint16_t* p() { return row; }
    uint8_t* bits() { return reinterpret_cast<uint8_t*>(row) + kOffset; }
    double cost() { return cost_of(p(), bits()); }
};

/// All neighbours whose cost differs from the cost of `layout`. The key of a neighbour is the pair of numbers that
/// stands for its move.
std::map<std::pair<int, int>, Layout> neighbours(Layout layout) {
    const bool fixed[kN] = {true, false, false, false, false, false, true, false, false};
    std::map<std::pair<int, int>, Layout> all;
    for (int i = 0; i < kN; ++i) {
        for (int j = i + 1; j < kN; ++j) {
            Layout other = layout;
            std::swap(other.p()[i], other.p()[j]);
            if (!fixed[i] && !fixed[j]) all[{i, j}] = other;
        }
    }
    for (int b = 0; b + 1 < kN; ++b) {
        Layout other = layout;
        other.bits()[b] ^= 1;
        all[{kN + b, kN + b}] = other;
        if (b + 2 < kN && layout.bits()[b] != layout.bits()[b + 1]) {
            other.bits()[b + 1] ^= 1;
            all[{kN + b, kN + b + 1}] = other;
        }
        if (layout.bits()[b] == 0) continue;
        int begin = b, end = b + 2;
        while (begin > 0 && layout.bits()[begin - 1] == 0) --begin;
        while (end < kN && layout.bits()[end - 1] == 0) ++end;
        if (std::any_of(fixed + begin, fixed + end, [](bool is) { return is; })) continue;
        Layout exchanged = layout;
        std::rotate(exchanged.p() + begin, exchanged.p() + b + 1, exchanged.p() + end);
        exchanged.bits()[b] = 0;
        exchanged.bits()[begin + end - b - 2] = 1;
        all[{2 * kN - 1 + b, 2 * kN - 1 + b}] = exchanged;
    }
    std::erase_if(
        all, [&](auto one) { return one.second.cost() == layout.cost(); });  // moves that keep the cost do not count
    return all;
}

TEST_CASE("neighbourhood of layouts on the device: all deltas are exact, and fixed positions stay") {
    static_assert(Neighbourhood::kMovable == 7);
    const int original[] = {1, 2, 3, 4, 5, 7, 8, 0, 6};
    Layout layout, stored;
    layout.bits()[2] = layout.bits()[4] = layout.bits()[6] = 1;
    std::vector<char> workspace(Neighbourhood::kWorkspaceBytes, char(0xA5));
    Neighbourhood::BlockShared block;
    Neighbourhood::TeamShared team;
    const Problem::View view;
    std::map<std::pair<int, int>, double> deltas;
    const auto place = [&](int k) { return k < kN ? original[k] : k; };
    const auto look = [&](const Neighbourhood& neighbourhood) {
        for (int slot = 0; slot < Neighbourhood::kSlots; ++slot) {
            if (neighbourhood.delta(slot) == kernels::Nothing<double>::value()) continue;
            const uint32_t code = neighbourhood.pair_code(slot);
            deltas[{place(kernels::first_of_pair(code)), place(kernels::second_of_pair(code))}] =
                neighbourhood.delta(slot);
        }
    };
    std::map<int, int> made;  // kind of move -> number of moves made
    std::pair<int, int> next;
    std::mt19937 random(4);
    test::EmulatedBlock::run_grid({1, 1, 1}, {32, 1, 1}, [&] {
        const kernels::Team<1> group;
        Neighbourhood neighbourhood(view, block, team, workspace.data());
        neighbourhood.load(layout.p());
        neighbourhood.reset();
        neighbourhood.refresh(NoMemory{});
        for (int move = 0; move < 60; ++move) {
            look(neighbourhood);
            group.sync();
            if (group.rank() == 0) {
                const auto all = neighbours(layout);
                CHECK(neighbourhood.known_cost() == layout.cost());
                REQUIRE(deltas.size() == all.size());
                for (auto [places, neighbour] : all) {
                    REQUIRE(deltas.count(places) == 1);
                    REQUIRE(deltas[places] == neighbour.cost() - layout.cost());
                }
                deltas.clear();
                auto chosen = all.begin();
                std::advance(chosen, static_cast<int>(random() % all.size()));
                if (move % 2 == 0 && all.rbegin()->first.first >= 2 * kN - 1) chosen = std::prev(all.end());
                layout = chosen->second;
                next = chosen->first;
                ++made[next.first < kN ? 0 : next.first >= 2 * kN - 1 ? 3 : next.first == next.second ? 1 : 2];
            }
            group.sync();
            const auto number = [&](int k) {
                return k < kN ? static_cast<int>(std::find(original, original + kN, k) - original) : k;
            };
            neighbourhood.apply(number(next.first), number(next.second), NoMemory{});
        }
        neighbourhood.store(stored.p());
    });
    CHECK(std::equal(stored.p(), stored.p() + kN, layout.p()));
    CHECK(std::equal(stored.bits(), stored.bits() + kN - 1, layout.bits()));
    CHECK(stored.p()[0] == 3);
    CHECK(stored.p()[6] == 2);
    for (int kind = 0; kind < 4; ++kind) CHECK(made[kind] > 2);
}

}  // namespace
}  // namespace qapfw
