// SPDX-License-Identifier: Apache-2.0
// All swaps of two positions of one solution, with their exact deltas: the innermost loop of the CPU's local searches
// for this problem. The deltas of pairs without the last swap's positions follow by a rank-1 update. The deltas of the
// other pairs follow by two matrix-vector products and the identity of the two 3-cycles (swap_neighbourhood_apply.hpp).
// An iteration takes O(n^2), fully vectorised.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "problems/qap/neighbourhood/swap_data.hpp"
#include "problems/qap/neighbourhood/swap_neighbourhood_view.hpp"
#include "qapfw/abi/swap_neighbourhood.h"
#include "qapfw/sdk/host.hpp"

namespace qapfw::qap {

/// The solution of one search and the table of its deltas. `data` must outlive this object. Not thread-safe. The
/// methods are those of the capability "qapfw.problem.swap_neighbourhood/1" of the C interface, whose header defines
/// filters and ties.
class SwapNeighbourhood {
  public:
    explicit SwapNeighbourhood(const SwapData& data);

    /// From now on, reset throws sdk::Stopped soon after `stop` becomes true.
    void watch(const sdk::StopQuestion& stop) { stop_ = stop; }
    /// Starts from a copy of `solution` and returns its cost. If reset throws sdk::Stopped, call it again before any
    /// other method.
    int64_t reset(const uint16_t* solution);
    /// Writes to `out` the best pair that the filter admits; returns false if the filter admits no pair.
    bool best_admissible(const qapfw_swap_filter& filter, qapfw_swap_move* out);
    /// Finds the first pair at or after (i, j) in row-major order with a negative delta; returns false if there is no
    /// such pair.
    bool first_improving(uint32_t i, uint32_t j, qapfw_swap_move* out);
    /// Swaps the elements at two free positions. The next scan updates the table.
    void apply(uint32_t i, uint32_t j);

    const uint16_t* solution() const { return solution_.data(); }
    const char* describe() const { return data_->description.c_str(); }

  private:
    /// The cost of a solution, and the sum of its H_uu (swap_neighbourhood_apply.hpp).
    struct Known {
        int64_t cost, sum;
    };
    int64_t cost_after_build();
    void flush();

    const SwapData* data_;
    const SwapKernels* kernels_;
    std::vector<uint16_t> solution_;
    std::vector<int32_t> never_tabu_;  ///< a row of expiries that forbid nothing, for filters without expiries
    AlignedBytes memory_;
    SwapView view_;
    sdk::StopQuestion stop_;
    std::optional<Known> first_;  ///< cost and sum of the first solution; set only if data_->sums_are_costs is true
    bool pending_ = false;        ///< true if the update (x, y) of the last swap is not yet in the table
};

}  // namespace qapfw::qap
