// SPDX-License-Identifier: Apache-2.0
// Compares every kind of move with a plain definition on lists of bays. The moves of all indices must lead to exactly
// the neighbours that the definition gives.
#include "plugins/fbs_local_search/device/fbs_neighbourhood.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "tests/unit/kernels/fbs_individual.hpp"

using namespace qapfw::kernels;
using namespace qapfw::kernels::test;

namespace {

using Bay = std::vector<std::uint16_t>;
using Layout = std::vector<Bay>;
using Layouts = std::set<Layout>;

/// All layouts that moves of one kind make from `s`.
Layouts reached(Individual s, std::uint32_t kind) {
    Layouts layouts;
    const std::uint32_t n = s.size();
    const FbsBorders borders = fbs_borders(s.view(), n);
    for (std::uint32_t index = 0; index < fbs_move_count(kind, n); ++index) {
        const FbsMove move = fbs_move_at(kind, index, n);
        if (!fbs_is_move(s.view(), n, borders, move)) continue;
        Individual neighbour = s;
        fbs_apply_move(neighbour.view(), n, move);
        CHECK(std::all_of(neighbour.bits.begin(), neighbour.bits.end(), [](std::uint8_t bit) { return bit <= 1; }));
        layouts.insert(bays_of(neighbour));
    }
    return layouts;
}

void drop_empty(Layout& layout) {
    std::erase_if(layout, [](const Bay& bay) { return bay.empty(); });
}

Layouts all_swaps(const Layout& layout) {
    Layouts layouts;
    std::vector<std::uint16_t> departments;
    for (const Bay& bay : layout) departments.insert(departments.end(), bay.begin(), bay.end());
    for (const std::uint16_t a : departments) {
        for (const std::uint16_t b : departments) {
            if (a >= b) continue;
            Layout swapped = layout;
            for (Bay& bay : swapped) {
                for (std::uint16_t& d : bay) d = d == a ? b : d == b ? a : d;
            }
            layouts.insert(swapped);
        }
    }
    return layouts;
}

Layouts all_insertions(const Layout& layout) {
    Layouts layouts;
    for (std::size_t from = 0; from < layout.size(); ++from) {
        for (std::size_t k = 0; k < layout[from].size(); ++k) {
            Layout rest = layout;
            const std::uint16_t department = rest[from][k];
            rest[from].erase(rest[from].begin() + static_cast<std::ptrdiff_t>(k));
            drop_empty(rest);
            for (std::size_t b = 0; b <= rest.size(); ++b) {
                Layout alone = rest;
                alone.insert(alone.begin() + static_cast<std::ptrdiff_t>(b), Bay{department});
                layouts.insert(alone);
                for (std::size_t place = 0; b < rest.size() && place <= rest[b].size(); ++place) {
                    Layout joined = rest;
                    joined[b].insert(joined[b].begin() + static_cast<std::ptrdiff_t>(place), department);
                    layouts.insert(joined);
                }
            }
        }
    }
    layouts.erase(layout);
    return layouts;
}

/// Joins bays b and b + 1, if b is not the last bay. Splits the result after `length` departments if it has more.
Layout split_again(const Layout& layout, std::size_t b, std::size_t length) {
    Layout result = layout;
    Bay joined = layout[b];
    if (b + 1 < layout.size()) {
        joined.insert(joined.end(), layout[b + 1].begin(), layout[b + 1].end());
        result.erase(result.begin() + static_cast<std::ptrdiff_t>(b + 1));
    }
    const auto cut = joined.begin() + static_cast<std::ptrdiff_t>(length);
    result[b] = Bay(joined.begin(), cut);
    result.insert(result.begin() + static_cast<std::ptrdiff_t>(b + 1), Bay(cut, joined.end()));
    drop_empty(result);
    return result;
}

Layouts all_shifts(const Layout& layout) {
    Layouts layouts;
    for (std::size_t b = 0; b + 1 < layout.size(); ++b) {
        for (std::size_t length = 1; length < layout[b].size() + layout[b + 1].size(); ++length) {
            layouts.insert(split_again(layout, b, length));
        }
    }
    layouts.erase(layout);
    return layouts;
}

Layouts all_flips(const Layout& layout) {
    Layouts layouts;
    for (std::size_t b = 0; b < layout.size(); ++b) {
        for (std::size_t length = 1; length < layout[b].size(); ++length) {
            Layout split = layout;
            const auto cut = layout[b].begin() + static_cast<std::ptrdiff_t>(length);
            split[b] = Bay(layout[b].begin(), cut);
            split.insert(split.begin() + static_cast<std::ptrdiff_t>(b + 1), Bay(cut, layout[b].end()));
            layouts.insert(split);
        }
        if (b + 1 < layout.size()) layouts.insert(split_again(layout, b, 0));
    }
    return layouts;
}

Layouts all_bay_swaps(const Layout& layout) {
    Layouts layouts;
    for (std::size_t a = 0; a < layout.size(); ++a) {
        for (std::size_t b = a + 1; b < layout.size(); ++b) {
            Layout swapped = layout;
            std::swap(swapped[a], swapped[b]);
            layouts.insert(swapped);
        }
    }
    return layouts;
}

}  // namespace

TEST_CASE("the indices of each kind of move reach exactly the neighbours that its definition gives") {
    for (const std::uint32_t n : {2u, 3u, 5u, 8u}) {
        for (std::uint32_t index = 0; index < 12; ++index) {
            const Individual s = random_individual(n, index, 1 + index % 5);
            const Layout layout = bays_of(s);
            CAPTURE(n);
            CAPTURE(index);
            CHECK(reached(s, kFbsMoveSwap) == all_swaps(layout));
            CHECK(reached(s, kFbsMoveInsert) == all_insertions(layout));
            CHECK(reached(s, kFbsMoveShiftBorder) == all_shifts(layout));
            CHECK(reached(s, kFbsMoveFlipBit) == all_flips(layout));
            CHECK(reached(s, kFbsMoveSwapBays) == all_bay_swaps(layout));
        }
    }
}

TEST_CASE("a single department has no neighbours") {
    const Individual s{{0}, {}};
    for (std::uint32_t kind = 0; kind < kFbsMoveKinds; ++kind) CHECK(reached(s, kind).empty());
}

TEST_CASE("pairs are numbered without gaps up to the largest instances") {
    std::uint32_t index = 0;
    for (std::uint32_t second = 1; second < 4096; ++second) {
        for (std::uint32_t first = 0; first < second; first += std::max(1u, second - 1)) {
            std::uint32_t i = 0, j = 0;
            fbs_pair_at(index + first, i, j);
            CHECK((i == first && j == second));
        }
        index += second;
    }
    CHECK(index == fbs_move_count(kFbsMoveSwap, 4096));
}
