// SPDX-License-Identifier: Apache-2.0
// Solutions as people keep them: QAPLIB's solution files ("n cost" and a permutation), a permutation alone, several of
// them, and lines "facility,location" by name or number, of all facilities or of some.
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
    kAssumed,             ///< no cost decides, or none that fits: the list was taken as p
};

/// Instance data that a solution is read for.
struct SolutionFrame {
    uint32_t locations = 0;
    uint32_t facilities = 0;                                   ///< at most `locations`; the others are dummies
    const std::vector<std::string>* facility_names = nullptr;  ///< null or empty: they have none
    const std::vector<std::string>* location_names = nullptr;
    /// The cost of a permutation in the owner's units.
    std::function<double(const uint16_t*)> cost;
    /// The same as searches count it, which files of earlier versions state; may be empty.
    std::function<double(const uint16_t*)> raw_cost = {};
    /// Completes a solution: of each facility its location, or kOpen. Empty: free locations in their order.
    std::function<void(std::vector<uint32_t>&)> complete = {};

    bool maximises = false;  ///< greater costs are better

    static constexpr uint32_t kOpen = ~uint32_t{0};
};

/// A solution in this program's convention: p[i] is the location of facility i.
struct QapSolution {
    std::vector<uint16_t> p;
    double cost = 0;
    SolutionConvention convention = SolutionConvention::kLocationOfFacility;
    std::string remark;   ///< the way in which the text was read, where that is no matter of course
    std::string warning;  ///< what is odd about it; empty: nothing
};

/// Reads a solution. A list of numbers is "n cost p", "n" alone on its line and p, or p alone, counted from 1 or, where
/// a 0 occurs, from 0. A stated cost decides whether the list or its inverse is meant; one that fits neither is warned
/// of. Of several permutations, one a line, the best is taken. Where lines name facilities and locations, those that
/// are not named are completed. Fails with the place of what is wrong.
QapSolution read_solution_text(std::string_view text, const std::string& source, const SolutionFrame& frame);
/// The same of an instance without names, dummies or decimals.
QapSolution read_solution_text(std::string_view text, const std::string& source, const QapMatrices& matrices);

/// "n cost" and p counted from 1; the cost in the owner's units.
std::string to_solution_text(const std::string& cost, const std::vector<uint16_t>& p);
inline std::string to_solution_text(int64_t cost, const std::vector<uint16_t>& p) {
    return to_solution_text(std::to_string(cost), p);
}

}  // namespace qapfw::qap
