// SPDX-License-Identifier: Apache-2.0
// An instance of the generalised quadratic assignment problem: items with weights go to locations with capacities.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "qapfw/sdk/host.hpp"

namespace qapfw::gqap {

/// Holds sums and products of 64-bit numbers.
__extension__ typedef __int128 Wide;

/// The flow between an item and another one, from either of them.
struct Flow {
    std::uint32_t other;
    std::int64_t out, in;  ///< flows to the other item, and from it; not both 0
};

/// One flow of a list.
struct Triple {
    std::uint32_t from, to;
    std::int64_t value;
};

struct Instance {
    std::string name;  ///< a short one
    std::uint32_t items = 0, locations = 0;
    std::vector<std::uint64_t> first;    ///< of each item its first flow, and the end
    std::vector<Flow> flows;             ///< each pair at both of its items, ascending by the other one
    std::vector<std::int64_t> distance;  ///< locations x locations
    std::vector<std::int64_t> linear;    ///< items x locations: assignment costs, with flows of items to themselves
    std::vector<std::int64_t> weight;    ///< items x locations
    std::vector<std::int64_t> capacity;  ///< of each location; empty: there are none
    std::vector<std::string> item_names, location_names;  ///< empty: people see numbers from 1
    std::vector<std::uint32_t> fixed;                     ///< the location of each item, kFree; empty: all are free
    bool maximise = false;                                ///< linear and flows are worths, negated
    sdk::StopQuestion stop;                               ///< asked while tables are filled: whether the run is to end

    static constexpr std::uint32_t kFree = ~std::uint32_t{0};

    std::int64_t d(std::uint32_t a, std::uint32_t b) const { return distance[std::size_t{a} * locations + b]; }
    std::int64_t w(std::uint32_t item, std::uint32_t location) const {
        return weight[std::size_t{item} * locations + location];
    }
    bool is_fixed(std::uint32_t item) const { return !fixed.empty() && fixed[item] != kFree; }
    bool weighs_the_same_everywhere() const;
    /// Called for each row of a table that is filled; throws sdk::Stopped where the run is to end.
    void set_up_row() const {
        if (stop()) throw sdk::Stopped();
    }
    /// The name, or the number from 1, as messages have it.
    std::string item_name(std::uint32_t item) const;
    std::string location_name(std::uint32_t location) const;
    /// Sorts a list of flows into `flows`; those of an item to itself become linear costs. Sums are exact. Throws
    /// Error(kInput) where one exceeds 64 bits.
    void set_flows(std::vector<Triple> triples);
};

/// Throws Error(kInput) with one sentence where numbers are out of range, or cannot be summed up in 64 bits.
void check_instance(const Instance& instance);

/// The factor that makes one unit beyond a capacity cost more than all else can. 0: there are no capacities. Throws
/// Error(kInput) where that does not fit 64 bits.
std::int64_t excess_cost(const Instance& instance);

/// Throws Error(kMemory) if there is too little memory for the tables of `items` items and `locations` locations,
/// before any of it is taken. `listed`: bytes of what a file with these numbers in its head lists beside the tables.
void require_tables(std::uint64_t items, std::uint64_t locations, std::uint64_t listed, const std::string& source);

/// Names that are listed, or numbers from 1.
std::uint32_t find_name(const std::vector<std::string>& names, std::uint32_t count, const std::string& text);

}  // namespace qapfw::gqap
