// SPDX-License-Identifier: Apache-2.0
#include "plugins/fbs_local_search/neighbours.hpp"

#include <cstring>

namespace qapfw::fbs_local_search {

using kernels::FbsMove;

// The C interface numbers the moves as the kernels do.
static_assert(static_cast<int>(QAPFW_BAY_MOVE_SWAP) == kernels::kFbsMoveSwap);
static_assert(static_cast<int>(QAPFW_BAY_MOVE_INSERT) == kernels::kFbsMoveInsert);
static_assert(static_cast<int>(QAPFW_BAY_MOVE_SHIFT_BORDER) == kernels::kFbsMoveShiftBorder);
static_assert(static_cast<int>(QAPFW_BAY_MOVE_FLIP_BIT) == kernels::kFbsMoveFlipBit);
static_assert(static_cast<int>(QAPFW_BAY_MOVE_SWAP_BAYS) == kernels::kFbsMoveSwapBays);
static_assert(static_cast<int>(QAPFW_BAY_INSERT_LEFT) == kernels::kFbsInsertLeft);
static_assert(static_cast<int>(QAPFW_BAY_INSERT_RIGHT) == kernels::kFbsInsertRight);
static_assert(static_cast<int>(QAPFW_BAY_INSERT_ALONE) == kernels::kFbsInsertAlone);

Neighbours::Neighbours(const sdk::ProblemRef& problem)
    : problem_(problem),
      n_(problem.length()),
      candidates_(kBatch * problem.solution_bytes()),
      costs_(kBatch),
      bounds_(problem) {
    const std::uint8_t* fixed = problem.encoding().fixed;
    if (fixed == nullptr) return;
    fixed_before_.assign(n_ + 1, 0);
    for (std::uint32_t k = 0; k < n_; ++k) fixed_before_[k + 1] = fixed_before_[k] + (fixed[k] != 0 ? 1 : 0);
}

Neighbours::Solution Neighbours::view(void* solution) const {
    const std::uint32_t offset = problem_.encoding().segments[1].offset;
    return {sdk::permutation_of(solution), static_cast<std::uint8_t*>(solution) + offset};
}

void Neighbours::start_from(void* solution, qapfw_cost cost) {
    solution_ = solution;
    cost_ = cost;
    borders_ = kernels::fbs_borders(view(solution_), n_);
    if (bounds_) bounds_.reset(solution_);
}

bool Neighbours::has(const FbsMove& move) const {
    return kernels::fbs_is_move(view(solution_), n_, borders_, move) &&
           (fixed_before_.empty() || kernels::fbs_is_free(view(solution_), n_, fixed_before_.data(), move));
}

std::size_t Neighbours::first_promising(std::span<const FbsMove> moves, qapfw_cost limit) {
    if (!bounds_) return 0;
    bounded_.clear();
    for (const FbsMove& move : moves) bounded_.push_back({move.kind, move.first, move.second, move.variant});
    return bounds_.first_promising(bounded_, limit);
}

std::span<const qapfw_cost> Neighbours::costs_of(std::span<const FbsMove> moves) {
    const std::uint64_t bytes = problem_.solution_bytes();
    for (std::size_t k = 0; k < moves.size(); ++k) {
        void* candidate = sdk::solution_at(candidates_.data(), bytes, k);
        std::memcpy(candidate, solution_, bytes);
        kernels::fbs_apply_move(view(candidate), n_, moves[k]);
    }
    problem_.evaluate({candidates_.data(), costs_.data(), moves.size()});
    return {costs_.data(), moves.size()};
}

void Neighbours::take(std::size_t k) {
    std::memcpy(solution_, sdk::solution_at(candidates_.data(), problem_.solution_bytes(), k),
                problem_.solution_bytes());
    start_from(solution_, costs_[k]);
}

}  // namespace qapfw::fbs_local_search
