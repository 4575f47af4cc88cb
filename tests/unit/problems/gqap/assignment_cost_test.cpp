// SPDX-License-Identifier: Apache-2.0
#include "problems/gqap/assignment_cost.hpp"

#include <doctest/doctest.h>

#include "gqap_test_data.hpp"
#include "problems/gqap/assignment_moves.hpp"

using namespace qapfw;
using namespace qapfw::gqap;
using namespace qapfw::gqap::test;

namespace {

/// An instance with asymmetric distances and flows, and with a flow from an item to itself.
Instance lopsided() {
    Instance instance = generate("gqap:9x4:80:3");
    for (std::size_t k = 0; k < instance.distance.size(); ++k) instance.distance[k] += static_cast<std::int64_t>(k % 7);
    instance.set_flows({{0, 1, 5}, {1, 0, 9}, {2, 2, 11}, {3, 8, -4}, {8, 3, 2}, {0, 5, 1}, {7, 4, 30}});
    return instance;
}

void check_all_deltas(const Instance& instance) {
    const AssignmentCost cost(instance);
    AssignmentMoves moves(cost);
    std::vector<std::uint32_t> at(instance.items);
    for (std::uint32_t i = 0; i < instance.items; ++i) at[i] = (7 * i + 1) % instance.locations;
    std::int64_t now = moves.reset(at);
    REQUIRE(now == cost(at.data()));
    std::uint32_t step = 0;
    for (int round = 0; round < 6; ++round) {
        for (std::uint32_t i = 0; i < instance.items; ++i) {
            for (std::uint32_t to = 0; to < instance.locations; ++to) {
                if (to == at[i]) continue;
                std::vector<std::uint32_t> changed = at;
                changed[i] = to;
                REQUIRE(moves.delta_set(i, to) == cost(changed.data()) - now);
            }
            for (std::uint32_t j = i + 1; j < instance.items; ++j) {
                if (at[i] == at[j]) continue;
                std::vector<std::uint32_t> changed = at;
                std::swap(changed[i], changed[j]);
                REQUIRE(moves.delta_exchange(i, j) == cost(changed.data()) - now);
            }
        }
        const std::uint32_t i = step++ % instance.items, j = (3 * step + 1) % instance.items;
        if (round % 2 == 0 && at[i] != at[j]) {
            now += moves.delta_exchange(i, j);
            moves.exchange(i, j);
            std::swap(at[i], at[j]);
        } else {
            const std::uint32_t to = (at[i] + 1) % instance.locations;
            now += moves.delta_set(i, to);
            moves.set(i, to);
            at[i] = to;
        }
        REQUIRE(moves.location_of() == at);
        REQUIRE(now == cost(at.data()));
    }
}

}  // namespace

TEST_CASE("gqap: costs are flows times distances over ordered pairs and assignment costs, on all assignments") {
    const Instance instance = read_gqap(kSmall, "small");
    const AssignmentCost cost(instance);
    std::int64_t dearest_kept = 0, cheapest_broken = std::numeric_limits<std::int64_t>::max();
    for_all_assignments(4, 2, [&](const std::vector<std::uint32_t>& at) {
        const std::int64_t excess = cost.excess(loads(instance, at));
        CHECK(cost(at.data()) == cost_of_small(at) + cost.factor() * excess);
        if (excess == 0) dearest_kept = std::max(dearest_kept, cost(at.data()));
        if (excess > 0) cheapest_broken = std::min(cheapest_broken, cost(at.data()));
    });
    CHECK(dearest_kept < cheapest_broken);  // breaking a capacity always costs more than keeping all
}

TEST_CASE("gqap: deltas of moves and exchanges are exact after any moves") {
    check_all_deltas(generate("gqap:10x4:70:1"));
    check_all_deltas(generate("gqap:8x3:95:2"));
    check_all_deltas(lopsided());
    Instance free = generate("gqap:7x5:70:4");
    free.capacity.clear();
    check_all_deltas(free);
    check_all_deltas(
        read_gap("1\n3 5\n4 2 6 8 1\n9 9 2 3 3\n1 5 5 2 7\n3 4 5 2 1\n2 2 9 4 4\n1 6 5 3 2\n7 8 6\n", "gap", 1, true));
}

TEST_CASE("gqap: costs that 64 bits cannot hold are refused with a message") {
    Instance instance = read_gqap(kSmall, "small");
    instance.linear[3] = std::int64_t{1} << 61;
    CHECK(message_of([&] { check_instance(instance); }) ==
          "costs can exceed 61 bits; divide all flows and assignment costs by the same number");
    instance.linear[3] = std::int64_t{1} << 50;
    for (std::int64_t& weight : instance.weight) weight = std::int64_t{1} << 20;
    check_instance(instance);
    CHECK(message_of([&] { excess_cost(instance); }) ==
          "costs times weights can exceed 61 bits; divide all weights and capacities, or all flows and assignment "
          "costs, by the same number");
}
