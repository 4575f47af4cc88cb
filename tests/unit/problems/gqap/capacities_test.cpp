// SPDX-License-Identifier: Apache-2.0
#include "problems/gqap/capacities.hpp"

#include <doctest/doctest.h>

#include "gqap_test_data.hpp"

using namespace qapfw;
using namespace qapfw::gqap;
using namespace qapfw::gqap::test;

namespace {

Instance of_weights(const std::vector<std::int64_t>& weights, const std::vector<std::int64_t>& capacities) {
    Instance instance;
    instance.items = static_cast<std::uint32_t>(weights.size());
    instance.locations = static_cast<std::uint32_t>(capacities.size());
    instance.capacity = capacities;
    for (const std::int64_t weight : weights) {
        for (std::size_t k = 0; k < capacities.size(); ++k) instance.weight.push_back(weight);
    }
    return instance;
}

bool some_assignment_fits(const Instance& instance) {
    bool fits = false;
    for_all_assignments(instance.items, instance.locations, [&](const auto& at) {
        const auto load = loads(instance, at);
        bool kept = true;
        for (std::uint32_t k = 0; k < instance.locations; ++k) kept = kept && load[k] <= instance.capacity[k];
        fits = fits || kept;
    });
    return fits;
}

}  // namespace

TEST_CASE(
    "gqap: an assignment that keeps the capacities is found where there is one, and refused where there is none") {
    for (std::int64_t seed = 1; seed <= 40; ++seed) {
        std::vector<std::int64_t> weights, capacities;
        for (std::int64_t k = 0; k < 7; ++k) weights.push_back(1 + (seed * 37 + k * k * 11) % 9);
        for (std::int64_t k = 0; k < 3; ++k) capacities.push_back(9 + (seed * 5 + k * 3) % 6);
        const Instance instance = of_weights(weights, capacities);
        CAPTURE(seed);
        const bool fits = some_assignment_fits(instance);
        FeasibleStart start;
        const std::string message = message_of([&] { start = find_feasible(instance); });
        CHECK(message.empty() == fits);
        if (!fits) continue;
        REQUIRE(start.feasibility == Feasibility::kFound);
        const auto load = loads(instance, start.location_of);
        for (std::uint32_t k = 0; k < 3; ++k) CHECK(load[k] <= instance.capacity[k]);
    }
}

TEST_CASE("gqap: capacities that no assignment keeps are named") {
    const auto why = [](const Instance& instance) { return message_of([&] { find_feasible(instance); }); };
    CHECK(why(of_weights({5, 9, 2}, {8, 8})) ==
          "no assignment keeps the capacities: item 2 fits nowhere: at each location its weight (at least 9) is above "
          "the capacity; location 1 has the largest capacity, 8");
    CHECK(why(of_weights({5, 5, 7}, {8, 8})) ==
          "no assignment keeps the capacities: the items weigh 17 in all, but the capacities sum up to 16");
    CHECK(why(of_weights({5, 5, 5}, {8, 8})) ==
          "no assignment keeps the capacities: all ways to place the 3 items were tried; the heaviest item that is not "
          "fixed is item 1, of weight 5 or more; raise a capacity");
    Instance fixed = of_weights({5, 5, 2}, {8, 8});
    fixed.fixed = {1, 1, Instance::kFree};
    fixed.location_names = {"Hall A", "Hall B"};
    CHECK(why(fixed) ==
          "no assignment keeps the capacities: the items that are fixed to location \"Hall B\" weigh 10, but its "
          "capacity is 8");
}

TEST_CASE("gqap: generated instances have an assignment that fills the capacities as wanted") {
    for (const char* name : {"gqap:30x8:95:1", "gqap:100x30:90:4", "gqap:20x15:35:2"}) {
        CHECK(find_feasible(generate(name)).feasibility == Feasibility::kFound);
    }
}
