// SPDX-License-Identifier: Apache-2.0
// The parameters of a colony, as integers with which host and device compute. Everything that needs pow is computed
// here, once, on the host.
#pragma once

#include <cstdint>
#include <vector>

#include "plugins/cas/device/ant_trails.hpp"
#include "qapfw/kernels/operators/compiled_operators.hpp"
#include "qapfw/sdk/solver.hpp"

namespace qapfw::cas {

/// Range of deposits: the largest deposit is this many times the deposit of the reference solution. No solution
/// deposits more, however small its cost is.
constexpr std::uint64_t kDepositRange = 256;

/// The parameters of Table 4 of the paper that cas.hpp names.
struct PaperParameters {
    std::uint32_t ants;  ///< number of ants in a colony (m)
    double rho;          ///< persistence of the trail, below 1
    double gamma;        ///< mean fraction of positions that an ant samples
    double p_best;       ///< probability in the rule for the limits of the trails, see least_trail_share
};

/// The settings of a run, in the form in which iterations use them.
struct CasOptions {
    kernels::TrailRules rules;
    std::vector<std::uint32_t> thresholds;  ///< cumulative distribution of l_s, the number of sampled positions
    std::vector<std::uint16_t> free;        ///< free positions; for segments the indices of all trail rows
    std::uint32_t colonies;                 ///< number of colonies in the run
    /// Length of a permutation (n). If solutions are neither permutations nor layouts: the mean number of values of an
    /// element, rounded down, plus 1.
    std::uint32_t values;
    bool has_real_costs;
    kernels::SolutionShape shape;
    std::uint32_t bay_moves;        ///< an ant's bay bits change if a random word is below this
    std::uint32_t most_values = 0;  ///< largest number of values that a position can have
    /// Number of segments if solutions are neither permutations nor layouts (see segment_ants.hpp), else 0.
    std::uint32_t segments = 0;
    std::uint64_t trails_of_segments = 0;  ///< number of trails of all these segments

    bool has_bits() const { return shape.bits_offset != 0; }
    std::uint32_t ants() const { return rules.ants; }
    std::uint32_t all_ants() const { return rules.ants * colonies; }
    std::uint64_t trail_size() const {
        return trails_of_segments > 0 ? trails_of_segments : static_cast<std::uint64_t>(free.size()) * values;
    }
};

/// Returns tau_min / tau_max of the MAX-MIN Ant System: (1 - p_best^(1/n)) / ((n/2 - 1) p_best^(1/n)), at most 1.
double least_trail_share(std::uint32_t n, double p_best);

kernels::TrailRules make_rules(const PaperParameters& parameters, std::uint32_t n);

/// Returns thresholds[l] = 2^32 P(l_s <= l), l = 0..n-1. The number l_s of sampled positions is the product x * n,
/// rounded up or down at random so that its mean does not change. With g = gamma, the density of x is
/// ((1-g)/g) (1-x)^((1-2g)/g) if g <= 1/2, else (g/(1-g)) x^((2g-1)/(1-g)). Both densities have mean g.
std::vector<std::uint32_t> cunning_thresholds(std::uint32_t n, double gamma);

kernels::CostBound cost_bound(const qapfw_problem_info& problem);

}  // namespace qapfw::cas
