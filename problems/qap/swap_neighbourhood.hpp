// SPDX-License-Identifier: Apache-2.0
// All exchanges of two positions of one solution, with their exact deltas: the hot loop of every local search here.
// Deltas of pairs that do not touch the last exchange follow by a rank-1 update, the others by two matrix-vector
// products and the identity of the two 3-cycles (swap_neighbourhood_apply.hpp); O(n^2) per iteration, all of it
// vectorised.
#pragma once

#include <cstdint>
#include <memory>

#include "problems/qap/swap_data.hpp"
#include "problems/qap/swap_neighbourhood_view.hpp"
#include "qapfw/abi/swap_neighbourhood.h"

namespace qapfw::qap {

/// One search's tables. Uses `data`, which must outlive it; one thread at a time. The methods mirror the C interface of
/// the capability "qapfw.problem.swap_neighbourhood/1", whose header defines filters and ties.
class SwapNeighbourhood {
  public:
    explicit SwapNeighbourhood(const SwapData& data);

    /// Starts from a copy of `solution` and returns its cost.
    int64_t reset(const uint16_t* solution);
    /// Best pair the filter admits; false if there is none.
    bool best_admissible(const qapfw_swap_filter& filter, qapfw_swap_move* out);
    /// First pair at or after (i, j) in row-major order with a negative delta; false if there is none.
    bool first_improving(uint32_t i, uint32_t j, qapfw_swap_move* out);
    /// Exchanges the elements at two free positions. The table is brought up to date by the next scan.
    void apply(uint32_t i, uint32_t j);

    const uint16_t* solution() const { return solution_.data(); }
    const char* describe() const { return data_->description.c_str(); }

  private:
    void flush();

    const SwapData* data_;
    const SwapKernels* kernels_;
    std::vector<uint16_t> solution_;
    std::vector<int32_t> never_tabu_;  ///< one row of expiries for filters without any
    AlignedBytes memory_;
    SwapView view_;
    bool pending_ = false;  ///< x and y of the last exchange still wait to be added to the table
};

}  // namespace qapfw::qap
