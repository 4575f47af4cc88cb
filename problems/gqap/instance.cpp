// SPDX-License-Identifier: Apache-2.0
#include "problems/gqap/instance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "qapfw/error.hpp"
#include "qapfw/sdk/available_memory.hpp"

namespace qapfw::gqap {
namespace {

/// No assignment may cost this much. With W as the sum of the items' largest weights, and c as the cost of one unit of
/// weight above a capacity, (W + 1) * c must not exceed this limit. The limit is well below the largest 64-bit integer.
constexpr Wide kMostCost = Wide{1} << 61;

Wide absolute(std::int64_t value) {
    return value < 0 ? -Wide{value} : Wide{value};
}

std::int64_t sum_of(std::int64_t a, std::int64_t b) {
    std::int64_t sum = 0;
    if (__builtin_add_overflow(a, b, &sum)) {
        throw Error(ErrorKind::kInput,
                    "sums of flows exceed 64 bits; divide all flows and assignment costs by the same number");
    }
    return sum;
}

/// An upper bound of the absolute cost of solutions within the capacities.
Wide greatest_cost(const Instance& instance) {
    Wide most = 0, flows = 0, all = 0;
    for (const std::int64_t d : instance.distance) most = std::max(most, absolute(d));
    for (const Flow& flow : instance.flows) flows += absolute(flow.out);
    all = flows > kMostCost ? kMostCost : most > kMostCost / std::max<Wide>(flows, 1) ? kMostCost : flows * most;
    for (std::uint32_t i = 0; i < instance.items; ++i) {
        instance.set_up_row();
        Wide greatest = 0;
        for (std::uint32_t k = 0; k < instance.locations; ++k) {
            greatest = std::max(greatest, absolute(instance.linear[std::size_t{i} * instance.locations + k]));
        }
        all += greatest;
    }
    return all;
}

std::string name_at(const std::vector<std::string>& names, std::uint32_t index) {
    return index < names.size() ? fmt::format("\"{}\"", names[index]) : std::to_string(index + 1);
}

void check_capacities(const Instance& instance) {
    for (std::uint32_t k = 0; k < instance.locations; ++k) {
        if (instance.capacity[k] >= 0) continue;
        throw Error(ErrorKind::kInput, fmt::format("the capacity of location {} is {}; 0 or more was wanted",
                                                   instance.location_name(k), instance.capacity[k]));
    }
    for (std::uint32_t i = 0; i < instance.items; ++i) {
        for (std::uint32_t k = 0; k < instance.locations; ++k) {
            if (instance.w(i, k) >= 0) continue;
            throw Error(ErrorKind::kInput, fmt::format("the weight of item {} is {}; 0 or more was wanted",
                                                       instance.item_name(i), instance.w(i, k)));
        }
    }
}

}  // namespace

bool Instance::weighs_the_same_everywhere() const {
    for (std::uint32_t i = 0; i < items; ++i) {
        for (std::uint32_t k = 1; k < locations; ++k) {
            if (w(i, k) != w(i, 0)) return false;
        }
    }
    return true;
}

std::string Instance::item_name(std::uint32_t item) const {
    return name_at(item_names, item);
}
std::string Instance::location_name(std::uint32_t location) const {
    return name_at(location_names, location);
}

void Instance::set_flows(std::vector<Triple> triples) {
    std::erase_if(triples, [&](const Triple& t) {
        if (t.from != t.to) return t.value == 0;
        for (std::uint32_t k = 0; k < locations && t.value != 0; ++k) {
            std::int64_t cost = 0;
            if (__builtin_mul_overflow(t.value, d(k, k), &cost)) {
                throw Error(ErrorKind::kInput,
                            "a flow times a distance exceeds 64 bits; divide all flows and assignment costs by the "
                            "same number");
            }
            std::int64_t& to = linear[std::size_t{t.from} * locations + k];
            to = sum_of(to, cost);
        }
        return true;
    });
    struct Half {
        std::uint32_t item;
        Flow flow;
    };
    std::vector<Half> halves;
    halves.reserve(2 * triples.size());
    for (const Triple& t : triples) {
        halves.push_back({t.from, {t.to, t.value, 0}});
        halves.push_back({t.to, {t.from, 0, t.value}});
    }
    std::sort(halves.begin(), halves.end(), [](const Half& a, const Half& b) {
        return a.item != b.item ? a.item < b.item : a.flow.other < b.flow.other;
    });
    first.assign(std::size_t{items} + 1, 0);
    flows.clear();
    for (std::size_t k = 0; k < halves.size(); ++k) {
        const bool again =
            k > 0 && halves[k].item == halves[k - 1].item && halves[k].flow.other == halves[k - 1].flow.other;
        if (again) {
            flows.back().out = sum_of(flows.back().out, halves[k].flow.out);
            flows.back().in = sum_of(flows.back().in, halves[k].flow.in);
        } else {
            flows.push_back(halves[k].flow);
        }
        first[std::size_t{halves[k].item} + 1] = flows.size();
    }
    for (std::size_t i = 0; i < items; ++i) first[i + 1] = std::max(first[i + 1], first[i]);
}

void check_instance(const Instance& instance) {
    const auto refuse = [](const std::string& what) { throw Error(ErrorKind::kInput, what); };
    if (instance.items < 1 || instance.items > 65535) {
        refuse(fmt::format("there are {} items; 1 to 65535 were wanted", instance.items));
    }
    if (instance.locations < 1 || instance.locations > 65536) {
        refuse(fmt::format("there are {} locations; 1 to 65536 were wanted", instance.locations));
    }
    if (!instance.capacity.empty()) check_capacities(instance);
    if (greatest_cost(instance) >= kMostCost) {
        refuse("costs can exceed 61 bits; divide all flows and assignment costs by the same number");
    }
}

std::int64_t excess_cost(const Instance& instance) {
    if (instance.capacity.empty()) return 0;
    const Wide factor = 2 * greatest_cost(instance) + 1;
    Wide weights = 0;
    for (std::uint32_t i = 0; i < instance.items; ++i) {
        std::int64_t most = 0;
        for (std::uint32_t k = 0; k < instance.locations; ++k) most = std::max(most, instance.w(i, k));
        weights += most;
    }
    if (weights > 0 && factor > (kMostCost - factor) / weights) {
        throw Error(
            ErrorKind::kInput,
            "costs times weights can exceed 61 bits; divide all weights and capacities, or all flows and assignment "
            "costs, by the same number");
    }
    return static_cast<std::int64_t>(factor);
}

void require_tables(std::uint64_t items, std::uint64_t locations, std::uint64_t listed, const std::string& source) {
    // Three tables of items x locations: the assignment costs, the weights, and the table of one search
    // (AssignmentMoves). Two tables of locations x locations: the distances and the transposed distances.
    const std::uint64_t bytes = 8 * (3 * items * locations + 2 * locations * locations) + listed;
    sdk::require_memory(bytes, fmt::format("{}: {} items, {} locations", source, items, locations));
}

std::uint32_t find_name(const std::vector<std::string>& names, std::uint32_t count, const std::string& text) {
    const auto named = std::find(names.begin(), names.end(), text);
    if (named != names.end()) return static_cast<std::uint32_t>(named - names.begin());
    std::uint32_t number = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool whole = read.ec == std::errc() && read.ptr == text.data() + text.size();
    return whole && number >= 1 && number <= count ? number - 1 : Instance::kFree;
}

}  // namespace qapfw::gqap
