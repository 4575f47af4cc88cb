// SPDX-License-Identifier: Apache-2.0
// One solution, its moves, and the costs of the neighbours to which the moves lead. Neighbours are evaluated in
// batches. If the problem gives bounds, only neighbours that may cost less than a limit are evaluated.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "plugins/fbs_local_search/device/fbs_move_order.hpp"
#include "qapfw/sdk/bay_neighbourhood.hpp"
#include "qapfw/sdk/encoding.hpp"
#include "qapfw/sdk/problem_ref.hpp"

namespace qapfw::fbs_local_search {

class Neighbours {
  public:
    /// The largest number of neighbours evaluated together.
    static constexpr std::size_t kBatch = 16;

    explicit Neighbours(const sdk::ProblemRef& problem);

    void start_from(void* solution, qapfw_cost cost);
    qapfw_cost cost() const { return cost_; }

    /// True if the solution has this move and the move changes no fixed position.
    bool has(const kernels::FbsMove& move) const;

    /// True if the problem gives bounds. Then first_promising() passes over moves that cannot cost less than the limit.
    bool has_bounds() const { return static_cast<bool>(bounds_); }
    /// The index of the first of these moves that may cost less than `limit`; the number of moves if none may.
    std::size_t first_promising(std::span<const kernels::FbsMove> moves, qapfw_cost limit);

    /// The costs of at most kBatch neighbours, valid until the next call.
    std::span<const qapfw_cost> costs_of(std::span<const kernels::FbsMove> moves);
    /// Makes move number `k` of the moves that the last call of costs_of() got.
    void take(std::size_t k);

  private:
    using Solution = kernels::FbsSolution<std::uint16_t*, std::uint8_t*>;
    Solution view(void* solution) const;

    sdk::ProblemRef problem_;
    std::uint32_t n_;
    /// Number of fixed positions before each position; empty if none is fixed.
    std::vector<std::uint32_t> fixed_before_;
    void* solution_ = nullptr;
    qapfw_cost cost_{};
    kernels::FbsBorders borders_{};
    std::vector<unsigned char> candidates_;
    std::vector<qapfw_cost> costs_;
    sdk::BayBounds bounds_;
    std::vector<qapfw_bay_move> bounded_;
};

}  // namespace qapfw::fbs_local_search
