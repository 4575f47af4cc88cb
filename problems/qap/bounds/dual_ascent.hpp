// SPDX-License-Identifier: Apache-2.0
// Lower bounds by dual ascent (Hahn and Grant, Operations Research 46, 1998), for an instance and for partial
// placements.
//
// The QAP is written with a cost for each pair of assignments, (i at j, k at l), and a cost for each single assignment.
// For each assignment, a sweep solves the linear assignment problem over the costs of its pairs, and moves the optimal
// value to the assignment's own cost. Then the linear assignment problem over all own costs is solved, and its optimal
// value is moved to the bound. The remaining pair costs are never negative, and the next sweep starts from these
// remaining costs. In the limit the result is close to the bound of the level-1 reformulation-linearisation (RLT-1),
// which is far tighter than the bound of Gilmore and Lawler.
//
// Fixing an assignment adds the costs of its pairs to the own costs of the other assignments. The sweeps continue from
// these costs. So a tree search reuses the work done above a node.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "problems/qap/bounds/bound_terms.hpp"
#include "problems/qap/bounds/linear_assignment.hpp"
#include "qapfw/sdk/host.hpp"

namespace qapfw::qap {

/// Rules for when dual ascent stops its sweeps.
struct AscentEffort {
    uint32_t sweeps = 30;  ///< largest number of sweeps
    /// With a cutoff: the sweeps stop if this number of further sweeps, each with the last sweep's gain, would not
    /// raise the bound to the cutoff.
    double patience = 8;
    /// Without a cutoff: the sweeps stop when a sweep raises the bound by less than this fraction of the bound.
    double least_gain = 2e-4;
};

/// Bounds along one path of a tree search, from the whole instance to partial placements. Only one thread at a time may
/// use an object. Facilities and locations are given by their numbers in the instance, except in child_bound.
class DualAscent {
  public:
    /// Largest number of free facilities. For m of them, the memory grows with m^4 and the time of a sweep with m^5.
    static constexpr uint32_t kMostFree = 40;
    /// `terms` must outlive this object and have at most kMostFree free facilities. `magnitude`: upper bound of the
    /// absolute cost of every placement.
    DualAscent(const BoundTerms& terms, int64_t magnitude);

    /// Goes back to the whole instance and returns its bound. Solutions that cost at least `cutoff` are ignored. If the
    /// bound reaches the cutoff, no solution costs less than the cutoff. A bound below the cutoff holds for
    /// all solutions below the cutoff.
    int64_t reset(int64_t cutoff, const AscentEffort& effort);
    /// The bound of the whole instance without a cutoff: no solution costs less than the result. Ends early if `stop`
    /// becomes true.
    int64_t bound_of_instance(const AscentEffort& effort, const sdk::StopQuestion& stop);
    /// Fixes a free facility at a free location. Returns a bound of all placements in which all facilities fixed so far
    /// keep their locations. `cutoff` is as in reset().
    int64_t fix(uint32_t facility, uint32_t location, int64_t cutoff, const AscentEffort& effort);
    /// Undoes the last `fix`.
    void unfix() { --depth_; }

    uint32_t free_count() const { return level().m; }
    const std::vector<uint16_t>& free_facilities() const { return level().facilities; }
    const std::vector<uint16_t>& free_locations() const { return level().locations; }
    /// Returns a bound of all placements that keep all fixed facilities at their locations and have
    /// free_facilities()[f] at free_locations()[l].
    int64_t child_bound(std::size_t f, std::size_t l) const;

  private:
    /// The state of one partial placement. Costs are multiples of a unit, see to_units().
    struct Level {
        uint32_t m = 0;
        int64_t bound = 0;
        std::vector<uint16_t> facilities, locations;
        std::vector<int64_t> own;       ///< m * m: costs of single assignments
        std::vector<uint8_t> excluded;  ///< m * m: 1 if no solution below the cutoff has this assignment
        std::vector<int64_t> pairs;     ///< m * (m - 1) / 2 blocks of m * m, see block()
        /// The assignment and the cutoff from which the level was made, and the bound that came out. unfix() keeps the
        /// level, and the next fix() uses the level again if the origin is the same.
        struct Origin {
            uint32_t facility, location;
            int64_t cutoff, bound;
        };
        std::optional<Origin> origin;

        /// Costs of the pair of facilities i < k: entry j * m + l is the cost if i is at j and k is at l.
        int64_t* block(std::size_t i, std::size_t k) { return pairs.data() + offset(i, k); }
        const int64_t* block(std::size_t i, std::size_t k) const { return pairs.data() + offset(i, k); }
        std::size_t offset(std::size_t i, std::size_t k) const {
            return (i * (2 * m - i - 1) / 2 + (k - i - 1)) * m * m;
        }
    };
    Level& level() { return levels_[depth_]; }
    const Level& level() const { return levels_[depth_]; }

    void make_root();
    void make_block(int64_t* block, std::size_t i, std::size_t k);
    void make_child(const Level& from, Level& to, uint32_t facility, uint32_t location) const;
    int64_t level_made(uint32_t facility, uint32_t location, int64_t cutoff, int64_t bound);
    int64_t to_units(int64_t cost) const { return shift_ >= 0 ? cost << shift_ : cost >> -shift_; }
    int64_t to_cost(int64_t units) const;
    int64_t cutoff_in_units(int64_t cutoff) const;
    int64_t ascend(int64_t cutoff, const AscentEffort& effort, const sdk::StopQuestion& stop);
    bool close_gap(Level& at, int64_t cutoff);
    void sweep(Level& at, int64_t gap, bool backwards);
    void spread(Level& at);
    void gather(Level& at, std::size_t i, std::size_t j, bool backwards);
    void scatter(Level& at, std::size_t i, std::size_t j, int64_t gap);

    const BoundTerms& terms_;
    int64_t divisor_ = 1;  ///< common divisor of all costs except the constant
    int shift_ = 0;        ///< a cost c is (c / divisor_) * 2^shift_ units
    std::vector<Level> levels_;
    std::size_t depth_ = 0;
    LinearAssignment assignment_;
    std::vector<int64_t> costs_, rest_;  ///< the costs that gather() takes, and those that it leaves
    std::vector<int64_t> shares_;
};

}  // namespace qapfw::qap
