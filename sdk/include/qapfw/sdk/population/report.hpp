// SPDX-License-Identifier: Apache-2.0
// The report of a place about its groups at the end of a round, and the merged report of several places.
#pragma once

#include <cstdint>
#include <vector>

#include "qapfw/kernels/population_report.hpp"
#include "qapfw/sdk/encoding.hpp"
#include "qapfw/sdk/problem_ref.hpp"
#include "qapfw/sdk/solver.hpp"

namespace qapfw::sdk {

/// Report that kernels write at the end of a round.
using PopulationReport = kernels::PopulationReport;

/// The best solution of a population.
struct Leader {
    std::vector<unsigned char> solution;  ///< bytes of the solution; empty: none yet
    qapfw_cost cost{};                    ///< cost of the solution
    std::uint64_t found = 0;              ///< generation that made the solution
    std::uint64_t number = 0;             ///< run-wide number of the individual or group that has the solution

    bool exists() const { return !solution.empty(); }  ///< true if there is a solution
    /// True if this leader is better than `other`: by lower cost, then earlier generation, then lower number. Any
    /// solution is better than none.
    bool leads(const Leader& other, const CostLess& less) const {
        if (!exists() || !other.exists()) return exists();
        if (less(cost, other.cost) || less(other.cost, cost)) return less(cost, other.cost);
        return found != other.found ? found < other.found : number < other.number;
    }

    void save(Writer& writer) const {  ///< Writes the leader for `load`.
        writer.value<std::uint64_t>(exists() ? 1 : 0);
        if (!exists()) return;
        writer.array(solution);
        writer.value(cost);
        writer.value(found);
        writer.value(number);
    }
    /// Reads what `save` wrote. The problem checks the solution.
    void load(Reader& reader, const ProblemRef& problem) {
        *this = {};
        if (reader.value<std::uint64_t>() == 0) return;
        reader.array(solution, problem.solution_bytes());
        problem.evaluate_one(solution.data());
        cost = reader.value<qapfw_cost>();
        found = reader.value<std::uint64_t>();
        number = reader.value<std::uint64_t>();
    }
};

/// The report of one place, or the merged report of several places, at the end of a round.
struct RoundReport {
    Leader leader;                  ///< the best of the places' leaders; may be empty if the round was cut short
    std::uint64_t digest = 0;       ///< digest of all searches, see kernels/digest.hpp; 0 if the round was cut short
    std::uint64_t evaluations = 0;  ///< number of candidates evaluated since the places were made
};

}  // namespace qapfw::sdk
