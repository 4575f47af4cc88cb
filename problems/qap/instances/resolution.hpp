// SPDX-License-Identifier: Apache-2.0
// From the owner's numbers to the integers that searches work with (docs/decisions/0014-the-general-model.md).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "problems/qap/costs/exact_cost.hpp"
#include "problems/qap/costs/owner_cost.hpp"
#include "problems/qap/instances/matrix_entry.hpp"
#include "problems/qap/matrices.hpp"

namespace qapfw::qap {

/// An instance as its owner has it.
struct OwnerModel {
    NumberMatrix a;                       ///< between facilities
    NumberMatrix b;                       ///< between locations, at least as many
    NumberMatrix linear = {};             ///< facilities x locations, or empty
    std::vector<uint8_t> forbidden = {};  ///< facilities x locations, 1 where the pair is forbidden, or empty
    double constant = 0;
    bool maximize = false;
};

/// Meaning of one unit of an integer cost: the owner's cost is sense * cost * unit / divisor + constant.
struct Resolution {
    bool exact = true;                        ///< integers are the owner's numbers times a power of ten
    int64_t divisor = 1;                      ///< this power of ten for costs; 1 if they are not exact
    uint32_t decimals_a = 0, decimals_b = 0;  ///< its shares: the exponents of a and b
    double unit = 1;      ///< a power of two; where costs are exact 1 or, with a constant, 1 / divisor
    uint32_t bits = 0;    ///< most bits of an entry of a or b; 0 where costs are exact
    double error = 0;     ///< measured error of costs, relative to their spread; 0 where costs are exact
    double rounding = 0;  ///< a bound of the error of every cost, in units; 0 where costs are exact

    /// Half a sentence for the summary; empty for integers as they are.
    std::string describe() const;
};

/// The integers of an instance, dummies included.
struct IntegerModel {
    QapMatrices matrices;
    Resolution resolution;
    CostBounds bounds;  ///< of costs without penalties
    /// The owner's numbers where integers are not exact, or leave a constant out, or have penalties; else null.
    std::shared_ptr<const OwnerNumbers> owner;
};

/// Finds the scale from all numbers. Decimals of few digits are multiplied by one power of ten for each matrix, so that
/// costs are exact. Others are multiplied by powers of two and rounded, to as few bits as keep the error of a cost
/// below 1e-6 of the spread of costs, or else to as many as are safe in 64 bits. Throws Error(kInput), which names
/// `source`, where costs would leave the range of doubles.
IntegerModel to_integers(const OwnerModel& owner, const std::string& source);

}  // namespace qapfw::qap
