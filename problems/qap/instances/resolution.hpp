// SPDX-License-Identifier: Apache-2.0
// Converts the owner's numbers (those that the user gave) to the integers that searches use, see
// docs/decisions/0014-the-general-model.md.
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

/// An instance in its owner's numbers: those that the user gave, before they become integers.
struct OwnerModel {
    NumberMatrix a;                       ///< matrix A, between facilities
    NumberMatrix b;                       ///< matrix B, between locations, with at least as many rows as `a`
    NumberMatrix linear = {};             ///< linear costs, facilities x locations, or empty
    std::vector<uint8_t> forbidden = {};  ///< facilities x locations, 1 if the pair is forbidden; may be empty
    double constant = 0;
    bool maximize = false;
};

/// Meaning of an integer cost. The owner's cost is sense * cost / divisor + constant if `exact`, otherwise sense * cost
/// * unit + constant.
struct Resolution {
    bool exact = true;                        ///< true if integers are the owner's numbers times a power of ten
    int64_t divisor = 1;                      ///< power of ten by which costs are multiplied; 1 if costs are not exact
    uint32_t decimals_a = 0, decimals_b = 0;  ///< exponents of ten for a and b: divisor = 10^(decimals_a + decimals_b)
    double unit = 1;                          ///< the owner's cost per unit of integer cost, a power of two; 1 if exact
    uint32_t bits = 0;                        ///< number of bits of the largest entries of a and b; 0 for exact costs
    double error = 0;                         ///< measured error of costs, relative to their spread; 0 for exact costs
    double rounding = 0;                      ///< bound of every cost's error, in units of integer cost; 0 if exact

    /// The factor from an integer cost to the owner's cost, apart from the sense and the constant.
    double owner_unit() const { return exact ? 1 / static_cast<double>(divisor) : unit; }
    /// Describes units and rounding, for the summary of the instance; empty if the owner's numbers are integers.
    std::string describe() const;
};

/// An instance as integers. Dummy facilities fill the locations that the owner's facilities leave empty.
struct IntegerModel {
    QapMatrices matrices;
    Resolution resolution;
    CostBounds bounds;  ///< bounds of every permutation's cost, without the penalties of forbidden pairs
    /// The owner's numbers. Null if the integers are exact, no constant is left out and no pair is forbidden.
    std::shared_ptr<const OwnerNumbers> owner;
};

/// Converts the owner's numbers to integers. Decimals of few digits are multiplied by one power of ten per matrix, so
/// that costs are exact. Other numbers are multiplied by powers of two and rounded to 8 to 28 bits. The fewest bits are
/// used that keep the measured error of costs within 1e-6 of the costs' spread, or 28 if no number of bits keeps it so
/// small. If 64-bit arithmetic could overflow, numbers get fewer bits. Throws Error(kInput), naming `source`, if costs
/// would leave the range of doubles or linear costs do not fit 64 bits.
IntegerModel to_integers(const OwnerModel& owner, const std::string& source);

}  // namespace qapfw::qap
