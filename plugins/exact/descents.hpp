// SPDX-License-Identifier: Apache-2.0
// Descents by swaps, which find the solution that the tree search starts from. A descent starts from the best solution
// so far with some positions shuffled, or from a random solution if there is none yet.
#pragma once

#include <cstdint>
#include <vector>

#include "qapfw/sdk/solver.hpp"
#include "qapfw/sdk/swap_neighbourhood.hpp"

namespace qapfw::exact {

/// The best solution so far and its cost.
struct Incumbent {
    std::vector<unsigned char> solution;  ///< empty: no solution has been found yet
    qapfw_cost cost{};
    double owner_cost = 0;  ///< cost in the user's numbers; used if search costs are rounded; Ranking::rank sets it
    bool exists() const { return !solution.empty(); }
};

class Descents {
  public:
    /// The problem must outlive this object.
    explicit Descents(const sdk::ProblemRef& problem);

    /// Makes one descent: from the best solution with some positions shuffled, or from a random solution if there is no
    /// best. `number` decides the random draws. The end of the descent becomes `best` if it is not worse. After each
    /// scan of all pairs, the descent ends if it has evaluated at least `limit` candidates (0: no limit). It ends early
    /// if `stop` says so. Returns the number of candidates evaluated.
    std::uint64_t make(Incumbent& best, std::uint64_t seed, std::uint64_t number, const sdk::StopQuestion& stop,
                       std::uint64_t limit);

  private:
    sdk::ProblemRef problem_;
    std::vector<std::uint16_t> free_;
    sdk::SwapNeighbourhood swaps_;
};

}  // namespace qapfw::exact
