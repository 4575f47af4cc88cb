// SPDX-License-Identifier: Apache-2.0
// Solutions in common forms: QAPLIB's solution files ("n cost" and a permutation), one or several permutations, and
// lines "facility,location" by name or number, of all facilities or of some.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "problems/qap/matrices.hpp"

namespace qapfw::qap {

enum class SolutionConvention {
    kLocationOfFacility,  ///< the list is p: its i-th element is the location of facility i
    kFacilityAtLocation,  ///< the list is the inverse of p
    kAssumed,  ///< the list was taken as p: no cost is stated, or the stated cost fits neither p nor its inverse
};

/// Data of the instance whose solution is read.
struct SolutionFrame {
    uint32_t locations = 0;
    uint32_t facilities = 0;  ///< number of real facilities; `locations` - `facilities` dummies follow
    const std::vector<std::string>* facility_names = nullptr;  ///< names of facilities; null or empty: none
    const std::vector<std::string>* location_names = nullptr;
    /// Returns the cost of a permutation, computed from the numbers that the user gave.
    std::function<double(const uint16_t*)> cost;
    /// The cost as searches compute it, in integers. Files of earlier versions state this cost. May be empty.
    std::function<double(const uint16_t*)> raw_cost = {};
    /// Completes a solution: replaces each kOpen in the list by a free location. If there is no such function, the
    /// reader gives out the free locations in ascending order.
    std::function<void(std::vector<uint32_t>&)> complete = {};

    bool maximises = false;  ///< true if larger costs are better

    static constexpr uint32_t kOpen = ~uint32_t{0};  ///< in a list of locations: the facility has no location yet
};

/// A solution in this program's convention: p[i] is the location of facility i.
struct QapSolution {
    std::vector<uint16_t> p;
    double cost = 0;
    SolutionConvention convention = SolutionConvention::kLocationOfFacility;
    std::string remark;   ///< note for the user on how the text was read; empty: none
    std::string warning;  ///< warning for the user about the text; empty: none
};

/// Reads a solution, either a list of numbers or lines "facility,location". Errors are reported with their position.
/// - A list of numbers is "n cost p", or "n" on a line of its own and then p, or p alone. p counts from 1, or from 0 if
///   it contains a 0. If a cost is stated, the list is taken as p or as the inverse of p, whichever has this cost. If
///   neither has it, the list is taken as p, with a warning.
/// - A list may also hold several permutations, one per line; the best is taken.
/// - Lines "facility,location" may name only some facilities; the others get free locations.
QapSolution read_solution_text(std::string_view text, const std::string& source, const SolutionFrame& frame);
/// Reads a solution of an instance without names, dummies or decimals.
QapSolution read_solution_text(std::string_view text, const std::string& source, const QapMatrices& matrices);

/// Returns a solution as text: "n cost", then p counted from 1. `cost`: the cost in the owner's numbers (those that
/// the user gave).
std::string to_solution_text(const std::string& cost, const std::vector<uint16_t>& p);
inline std::string to_solution_text(int64_t cost, const std::vector<uint16_t>& p) {
    return to_solution_text(std::to_string(cost), p);
}

}  // namespace qapfw::qap
