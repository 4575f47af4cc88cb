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

/// Counts the positions of segment 0 that two solutions fill differently. Two positions (or values) count as the same
/// if swapping them changes the cost of none of 16 random solutions. With more than 256 positions none count as the
/// same.
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

/// Finds the alternatives one after the other: each is the best solution found by descents that is at least `distance`
/// away from all before it. There may be fewer than wanted. `known`: good solutions, the best first, at least one. The
/// number of starts tried per alternative depends on the instance's size alone, unless the search ends too early for
/// that: after 10 seconds, or if `should_stop` says so.
Alternatives find_alternatives(const Problem& problem, const std::vector<CostedSolution>& known,
                               const AlternativesOrder& order);

}  // namespace qapfw::framework
