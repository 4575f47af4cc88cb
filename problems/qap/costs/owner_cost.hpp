// SPDX-License-Identifier: Apache-2.0
// Costs in double, computed from the numbers that the instance's owner wrote. Searches work with integers that may be
// rounded (instances/resolution.hpp); answers, targets and ranks then use these costs.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "qapfw/sdk/host.hpp"

namespace qapfw::qap {

/// The numbers of an instance as its owner wrote them. The instance has n facilities and m locations, n <= m.
struct OwnerNumbers {
    uint32_t facilities = 0, locations = 0;
    std::vector<double> a;       ///< flows between facilities, n * n
    std::vector<double> b;       ///< distances between locations, m * m
    std::vector<double> linear;  ///< linear costs, n * m, or empty
    double constant = 0;
    /// A power of ten; every cost times this power is a whole number. 0 if a number of the instance has too many
    /// decimal digits, or if costs would have too many.
    double decimals = 0;

    /// The cost of p, where p[i] is the location of facility i; elements from p[facilities] on are ignored. Products
    /// and sums are compensated: the result is as accurate as if computed with twice the digits and rounded once. If
    /// `decimals` is not 0, the result is the double nearest to the exact decimal. O(n^2).
    double cost(const uint16_t* p) const;
    /// Change of the cost by swapping positions i and j of p, in double. Positions from `facilities` on are dummies.
    /// O(n).
    double change(const uint16_t* p, uint32_t i, uint32_t j) const;
};

/// Makes each swap of positions of p that `may_swap` allows and that lowers sense * cost, until no such swap is left.
/// `sense`: 1 to minimise costs, -1 to maximise them. Also ends soon after `stop` becomes true, and after about a tenth
/// of a second.
void descend(const OwnerNumbers& numbers, int sense, std::span<uint16_t> p,
             const std::function<bool(uint32_t, uint32_t)>& may_swap, const sdk::StopQuestion& stop);

}  // namespace qapfw::qap
