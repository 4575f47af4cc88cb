// SPDX-License-Identifier: Apache-2.0
// The quadratic assignment problem for solvers and improvers on the device. qap_problem.cuh explains the macros that
// describe the instance. QAP_ASSIGNMENT chooses how pairs are dealt to threads (default: tile), QAP_WARPS the number of
// warps per search (tile, table and generic):
//   QAP_ASSIGNMENT_tile     register tiles (qap_tile_neighbourhood.cuh), the fastest way
//   QAP_ASSIGNMENT_table    tables in device memory, for instances that are too large for tiles
//   QAP_ASSIGNMENT_mata     move-cost adjusted thread assignment (MATA) of Tsutsui and Fujimoto (2011)
//   QAP_ASSIGNMENT_plain    the assignment with which that paper compares MATA
//   QAP_ASSIGNMENT_generic  every delta from `cost`, as for problems without a neighbourhood
// Four more macros concern tiles; qap_device_plan.hpp chooses their values. QAP_RECOMPUTE (default 1) saves registers
// by computing addresses again. QAP_TOGETHER (default 1) spends registers so that the tensor tiles of a warp alternate.
// QAP_ALONE (default 0) is for multiprocessors with few warps: a swap then uses more registers and shared memory to end
// sooner. QAP_LINEAR_SHARED (default 0) puts the linear costs into shared memory.
#define QAP_ASSIGNMENT_tile 0
#define QAP_ASSIGNMENT_table 1
#define QAP_ASSIGNMENT_mata 2
#define QAP_ASSIGNMENT_plain 3
#define QAP_ASSIGNMENT_generic 4
#ifndef QAP_ASSIGNMENT
#define QAP_ASSIGNMENT QAP_ASSIGNMENT_tile
#endif

#if QAP_ASSIGNMENT == QAP_ASSIGNMENT_tile
#include "problems/qap/device/qap_tile_neighbourhood.cuh"
#elif QAP_ASSIGNMENT == QAP_ASSIGNMENT_table
#include "problems/qap/device/qap_table_neighbourhood.cuh"
#elif QAP_ASSIGNMENT == QAP_ASSIGNMENT_generic
#include "problems/qap/device/qap_problem.cuh"
#include "qapfw/kernels/generic_swap_neighbourhood.hpp"
#else
#include "problems/qap/device/qap_assigned_neighbourhood.cuh"
#endif

#include "problems/qap/device/qap_child_cost.cuh"

namespace qapfw::device {

struct Problem {
    using View = qap::View;
    using Cost = int64_t;
    using ChildCosts = qap::ChildCosts;  ///< see qapfw/kernels/ga_block.hpp
    static constexpr int kPositions = qap::kN;
#if QAP_ASSIGNMENT == QAP_ASSIGNMENT_tile
    using SwapNeighbourhood = qap::TileNeighbourhood<QAP_WARPS>;
#elif QAP_ASSIGNMENT == QAP_ASSIGNMENT_table
    using SwapNeighbourhood = qap::TableNeighbourhood<QAP_WARPS, true>;
    /// The swap neighbourhood for searches that keep no word for each pair (plugins/tabu, plugins/local_search).
    using WordlessSwapNeighbourhood = qap::TableNeighbourhood<QAP_WARPS, false>;
#elif QAP_ASSIGNMENT == QAP_ASSIGNMENT_generic
    using SwapNeighbourhood = kernels::GenericSwapNeighbourhood<Problem, QAP_WARPS>;
#else
    using SwapNeighbourhood = qap::AssignedNeighbourhood<QAP_ASSIGNMENT == QAP_ASSIGNMENT_mata>;
#endif
    template <class Group, class Solution>
    static QAPFW_DEVICE Cost cost(Group group, const View& view, Solution solution) {
        return qap::cost(group, view, solution);
    }
};

}  // namespace qapfw::device
