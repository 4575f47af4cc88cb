// SPDX-License-Identifier: Apache-2.0
// Instances and an oracle for the tests of the generalised QAP.
#pragma once

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "problems/gqap/generator.hpp"
#include "problems/gqap/readers.hpp"
#include "qapfw/error.hpp"

namespace qapfw::gqap::test {

/// Four items, two locations, unit cost 2, names, distances that are not symmetric.
inline constexpr const char* kSmall = R"(# a comment
4 2 2
0 3 0 1
2 0 0 0
0 5 1 0
0 0 0 0
1 4
6 0
7 1
2 2
3 9
8 0
5 6 2 7
12 9
items Press, Lathe, Paint, Saw
locations Hall A, Hall B
)";

/// The cost by its definition, from the numbers of kSmall.
inline std::int64_t cost_of_small(const std::vector<std::uint32_t>& at) {
    constexpr std::int64_t flow[4][4] = {{0, 3, 0, 1}, {2, 0, 0, 0}, {0, 5, 1, 0}, {0, 0, 0, 0}};
    constexpr std::int64_t distance[2][2] = {{1, 4}, {6, 0}};
    constexpr std::int64_t linear[4][2] = {{7, 1}, {2, 2}, {3, 9}, {8, 0}};
    std::int64_t cost = 0;
    for (int i = 0; i < 4; ++i) {
        cost += linear[i][at[static_cast<std::size_t>(i)]];
        for (int j = 0; j < 4; ++j) {
            cost += 2 * flow[i][j] * distance[at[static_cast<std::size_t>(i)]][at[static_cast<std::size_t>(j)]];
        }
    }
    return cost;
}

/// Calls `visit` with all assignments of `items` items to `locations` locations.
inline void for_all_assignments(std::uint32_t items, std::uint32_t locations,
                                const std::function<void(const std::vector<std::uint32_t>&)>& visit) {
    std::vector<std::uint32_t> at(items, 0);
    for (bool more = true; more;) {
        visit(at);
        std::uint32_t k = 0;
        while (k < items && ++at[k] == locations) at[k++] = 0;
        more = k < items;
    }
}

/// The message of what throws; empty where nothing does.
template <class Call>
std::string message_of(const Call& call) {
    try {
        call();
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

}  // namespace qapfw::gqap::test
