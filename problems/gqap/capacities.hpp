// SPDX-License-Identifier: Apache-2.0
// Searches for an assignment that keeps all capacities, and adds up loads.
#pragma once

#include <cstdint>
#include <vector>

#include "problems/gqap/instance.hpp"

namespace qapfw::gqap {

enum class Feasibility { kFound, kNotFound };

/// The result of a search for an assignment that keeps the capacities.
struct FeasibleStart {
    Feasibility feasibility = Feasibility::kNotFound;
    /// Location of each item. Empty if no assignment was found or there are no capacities.
    std::vector<std::uint32_t> location_of;
};

/// Tries two greedy assignments; then, with at most 1000 items, an exhaustive search of at most 300,000 placements.
/// Throws Error(kInput) with the reason if it is proven that no assignment keeps the capacities.
FeasibleStart find_feasible(const Instance& instance);

/// The part of a location's load that exceeds the location's capacity.
inline std::int64_t excess_of(std::int64_t load, std::int64_t capacity) {
    return load > capacity ? load - capacity : 0;
}
/// The load of each location: the sum of its items' weights at this location. `location_of`: location of each item.
std::vector<std::int64_t> loads(const Instance& instance, const std::vector<std::uint32_t>& location_of);

}  // namespace qapfw::gqap
