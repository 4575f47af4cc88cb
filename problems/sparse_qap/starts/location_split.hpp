// SPDX-License-Identifier: Apache-2.0
// Halves sets of locations: boxes and points are cut across their longest side, trees between groups, tables between
// two locations that are far apart.
#pragma once

#include <cstdint>
#include <vector>

#include "problems/sparse_qap/targets/target.hpp"

namespace qapfw::sparse {

class LocationSplit {
  public:
    explicit LocationSplit(const Target& target);

    /// All locations. halve() reorders parts of this list.
    const std::vector<std::uint32_t>& order() const { return order_; }
    /// Result of one cut.
    struct Cut {
        std::uint32_t middle;     ///< index in order() at which the second half begins
        std::uint32_t dimension;  ///< the dimension that was cut, if locations have coordinates
    };
    /// Cuts [begin, end) into two halves. The range must have at least two locations.
    Cut halve(std::uint32_t begin, std::uint32_t end);

    /// The middle of a set of locations: its coordinates or, if there are none, one of the locations.
    struct Centre {
        std::vector<float> at;
        std::uint32_t location = 0;
    };
    Centre centre(std::uint32_t begin, std::uint32_t end) const;
    double distance(const Centre& a, const Centre& b) const;

  private:
    Cut halve_box(std::uint32_t begin, std::uint32_t end);
    std::uint32_t halve_tree(std::uint32_t begin, std::uint32_t end) const;
    std::uint32_t halve_table(std::uint32_t begin, std::uint32_t end);

    const Target& target_;
    std::vector<std::uint32_t> order_;
    std::vector<std::int64_t> key_;
};

}  // namespace qapfw::sparse
