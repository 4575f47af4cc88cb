// SPDX-License-Identifier: Apache-2.0
// Several good solutions that differ, for people who choose by eye.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "framework/problem/problem.hpp"
#include "framework/record/result.hpp"

namespace qapfw::framework {

struct AlternativesOrder {
    std::size_t count = 0;       ///< number of solutions wanted, the best one included
    std::uint32_t distance = 0;  ///< least Difference of two solutions; 0: a quarter of the free positions, at least 2
    std::uint64_t seed = 1;
    std::function<bool()> should_stop = {};  ///< asks whether to stop; empty: never stop
};

/// Counts the positions of segment 0 that two solutions fill differently. Equivalent positions count as the same
/// position, and equivalent values as the same value. Two positions (or two values) are equivalent if swapping them
/// changes the cost of none of 16 random solutions. With more than 256 positions, no two are regarded as equivalent.
class Difference {
  public:
    explicit Difference(const Problem& problem);
    std::uint32_t between(const std::vector<std::uint32_t>& one, const std::vector<std::uint32_t>& other) const;

  private:
    std::vector<std::uint32_t> position_class_, value_class_;
};

struct Alternatives {
    std::vector<CostedSolution> solutions;  ///< the best first; any two at least `distance` apart
    std::vector<std::uint32_t> differs;     ///< for each solution: its Difference from the first solution
    std::uint32_t distance = 0;             ///< least Difference that was demanded, never 0
};

/// Finds the alternatives one after the other. The first one is the first solution of `known`. Each further one is the
/// best solution, from `known` or found by a descent, that is at least `distance` away from all alternatives before it.
/// There may be fewer alternatives than wanted. `known`: good solutions, the best first, at least one. The number of
/// attempts to find an alternative depends only on the instance's size. But the whole search ends after 10 seconds, or
/// as soon as `should_stop` returns true.
Alternatives find_alternatives(const Problem& problem, const std::vector<CostedSolution>& known,
                               const AlternativesOrder& order);

}  // namespace qapfw::framework
