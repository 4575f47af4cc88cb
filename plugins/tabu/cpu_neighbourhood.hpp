// SPDX-License-Identifier: Apache-2.0
// Gives the swap neighbourhood of any problem the interface that TabuSearch needs.
#pragma once

#include <algorithm>
#include <cstring>
#include <vector>

#include "plugins/tabu/tabu_reference.hpp"
#include "qapfw/sdk/free_positions.hpp"
#include "qapfw/sdk/swap_neighbourhood.hpp"

namespace qapfw::tabu {

template <class Cost>
class CpuNeighbourhood {
  public:
    explicit CpuNeighbourhood(const sdk::ProblemRef& problem)
        : swaps_(problem), length_(problem.length()), whole_(problem.solution_bytes()) {
        sdk::base_solution(problem, whole_.data());
    }
    /// Sets the elements behind the permutation (bits) to those of `solution`. Until the first call they are those of
    /// the problem's base solution.
    void keep_rest_of(const void* solution) { std::memcpy(whole_.data(), solution, whole_.size()); }
    /// From now on, reset and best_admissible throw sdk::Stopped soon after `stop` becomes true.
    void watch(const sdk::StopQuestion& stop) { swaps_.watch(stop); }
    /// Starts at `solution`, which is only the permutation. For bits behind the permutation see keep_rest_of.
    Cost reset(const std::uint16_t* solution) {
        std::copy_n(solution, length_, sdk::permutation_of(static_cast<void*>(whole_.data())));
        return cost_of<Cost>(swaps_.reset(whole_.data()));
    }
    bool best_admissible(const qapfw_swap_filter& filter, qapfw_swap_move& move) {
        return swaps_.best_admissible(filter, &move);
    }
    void apply(std::uint32_t i, std::uint32_t j) { swaps_.apply(i, j); }

  private:
    sdk::SwapNeighbourhood swaps_;
    std::uint32_t length_;
    std::vector<unsigned char> whole_;  ///< all bytes of a solution; reset() changes only the permutation in it
};

}  // namespace qapfw::tabu
