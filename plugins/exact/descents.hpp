// SPDX-License-Identifier: Apache-2.0
// The solution that the tree search starts from: descents by swaps, each from the best solution with some positions
// shuffled.
#pragma once

#include <cstdint>
#include <vector>

#include "qapfw/sdk/solver.hpp"
#include "qapfw/sdk/swap_neighbourhood.hpp"

namespace qapfw::exact {

/// A solution and its cost; empty: none yet.
struct Incumbent {
    std::vector<unsigned char> solution;
    qapfw_cost cost{};
    double owner_cost = 0;  ///< only where searches' costs are rounded, and from the tree search on
    bool exists() const { return !solution.empty(); }
};

class Descents {
  public:
    /// The problem must outlive this object.
    explicit Descents(const sdk::ProblemRef& problem);

    /// One descent, from the best solution with a few positions shuffled, or from a random one where there is none.
    /// `number` decides about the random draws. Takes its end over where that is as good or better. Returns the number
    /// of candidates evaluated; with that of `limit` it ends, if it is not 0. Cut short by `stop` it keeps the best
    /// that it has seen.
    std::uint64_t make(Incumbent& best, std::uint64_t seed, std::uint64_t number, const sdk::StopQuestion& stop,
                       std::uint64_t limit);

  private:
    sdk::ProblemRef problem_;
    std::vector<std::uint16_t> free_;
    sdk::SwapNeighbourhood swaps_;
};

}  // namespace qapfw::exact
