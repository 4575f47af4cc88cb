// SPDX-License-Identifier: Apache-2.0
// An instance of the generalised quadratic assignment problem: items with weights go to locations with capacities.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "qapfw/sdk/host.hpp"

namespace qapfw::gqap {

/// Wide enough for sums and products of 64-bit numbers.
__extension__ typedef __int128 Wide;

/// The flows between an item and another item.
struct Flow {
    std::uint32_t other;
    std::int64_t out, in;  ///< flows to the other item, and from it
};

/// One flow of a list, from one item to another item or to itself.
struct Triple {
    std::uint32_t from, to;
    std::int64_t value;
};

struct Instance {
    std::string name;  ///< short name of the instance
    std::uint32_t items = 0, locations = 0;
    std::vector<std::uint64_t> first;  ///< for each item, the index of its first entry in `flows`; last, flows.size()
    std::vector<Flow> flows;  ///< the flows of item 0, then of item 1, and so on; for each item ascending by `other`
    std::vector<std::int64_t> distance;  ///< distances, locations x locations
    std::vector<std::int64_t> linear;  ///< items x locations: assignment costs, including flows of items to themselves
    std::vector<std::int64_t> weight;  ///< weights, items x locations
    std::vector<std::int64_t> capacity;                   ///< capacity of each location; empty: there are no capacities
    std::vector<std::string> item_names, location_names;  ///< empty: displayed as numbers from 1
    std::vector<std::uint32_t> fixed;                     ///< the location of each item, or kFree; empty: all are free
    bool maximise = false;                                ///< true: linear and flows are profits, stored negated
    sdk::StopQuestion stop;                               ///< true if the run must end; asked while tables are filled

    static constexpr std::uint32_t kFree = ~std::uint32_t{0};

    std::int64_t d(std::uint32_t a, std::uint32_t b) const { return distance[std::size_t{a} * locations + b]; }
    std::int64_t w(std::uint32_t item, std::uint32_t location) const {
        return weight[std::size_t{item} * locations + location];
    }
    bool is_fixed(std::uint32_t item) const { return !fixed.empty() && fixed[item] != kFree; }
    bool weighs_the_same_everywhere() const;
    /// Throws sdk::Stopped if the run must end. Must be called for each table row that is filled.
    void set_up_row() const {
        if (stop()) throw sdk::Stopped();
    }
    /// The name of an item or location for messages, in quotes. Without a name: the number, counted from 1.
    std::string item_name(std::uint32_t item) const;
    std::string location_name(std::uint32_t location) const;
    /// Sorts a list of flows into `first` and `flows`. Adds up flows between the same two items, each direction by
    /// itself. Flows of an item to itself become linear costs. Throws Error(kInput) if a sum, or a flow times a
    /// distance, exceeds 64 bits.
    void set_flows(std::vector<Triple> triples);
};

/// Throws Error(kInput) if there are no or too many items or locations, if a weight or capacity is negative, or if
/// costs can reach 2^61.
void check_instance(const Instance& instance);

/// Cost of one unit of weight beyond a capacity. It is more than all other costs together, or 0 if there are no
/// capacities. Throws Error(kInput) if the cost of all weights beyond capacities can exceed 61 bits.
std::int64_t excess_cost(const Instance& instance);

/// Throws Error(kMemory) if there is too little memory for the tables of `items` items and `locations` locations. Call
/// it before the first table is allocated. `listed`: bytes that the reader needs in addition.
void require_tables(std::uint64_t items, std::uint64_t locations, std::uint64_t listed, const std::string& source);

/// The index that `text` stands for, by name or by number from 1; Instance::kFree if there is none.
std::uint32_t find_name(const std::vector<std::string>& names, std::uint32_t count, const std::string& text);

}  // namespace qapfw::gqap
