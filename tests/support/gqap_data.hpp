// SPDX-License-Identifier: Apache-2.0
// A small instance of the generalised QAP, and its costs by the definition, computed from the numbers of the file.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

namespace qapfw::gqap::test {

/// An instance with four items, two locations, unit cost 2, names, and distances that are not symmetric.
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

/// The numbers of a file, read without the reader under test. The file may begin with lines that begin with #.
class PlainInstance {
  public:
    explicit PlainInstance(const std::string& text) {
        std::istringstream file(text);
        while ((file >> std::ws).peek() == '#') file.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
        file >> items >> locations >> unit_;
        flow_.resize(items * items);
        distance_.resize(locations * locations);
        linear_.resize(items * locations);
        weight_.resize(items);
        capacity_.resize(locations);
        for (auto* const table : {&flow_, &distance_, &linear_, &weight_, &capacity_}) {
            for (std::int64_t& value : *table) file >> value;
        }
        is_whole = !file.fail();
    }

    std::int64_t cost(const std::vector<std::uint32_t>& at) const {
        std::int64_t cost = 0;
        for (std::size_t i = 0; i < items; ++i) {
            cost += linear_[i * locations + at[i]];
            for (std::size_t j = 0; j < items; ++j)
                cost += unit_ * flow_[i * items + j] * distance_[at[i] * locations + at[j]];
        }
        return cost;
    }
    bool keeps_capacities(const std::vector<std::uint32_t>& at) const {
        std::vector<std::int64_t> left = capacity_;
        bool keeps = true;
        for (std::size_t i = 0; i < items; ++i) keeps = (left[at[i]] -= weight_[i]) >= 0 && keeps;
        return keeps;
    }

    std::size_t items = 0, locations = 0;
    bool is_whole = false;  ///< the file has all numbers, also the weights and the capacities

  private:
    std::int64_t unit_ = 0;
    std::vector<std::int64_t> flow_, distance_, linear_, weight_, capacity_;
};

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

/// The least cost of all assignments that keep the capacities.
inline std::int64_t least_by_trying(const PlainInstance& instance) {
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for_all_assignments(static_cast<std::uint32_t>(instance.items), static_cast<std::uint32_t>(instance.locations),
                        [&](const std::vector<std::uint32_t>& at) {
                            if (instance.keeps_capacities(at)) least = std::min(least, instance.cost(at));
                        });
    return least;
}

}  // namespace qapfw::gqap::test
