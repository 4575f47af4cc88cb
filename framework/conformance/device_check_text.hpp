// SPDX-License-Identifier: Apache-2.0
// Device code that the device cases compile together with the device code of a problem. It computes costs by one
// thread and by a warp. If the problem has its own swap neighbourhood, the code also makes given swaps. Before each
// swap, every thread finds the best improving pair among its pairs.
#pragma once

#include <string_view>

namespace qapfw::framework::conformance {

constexpr std::string_view kDeviceCheckText = R"(
#include "qapfw/kernels/generic_swap_neighbourhood.hpp"
#include "qapfw/kernels/problem_concept.hpp"
#include "qapfw/kernels/segmented_solution.hpp"
static_assert(qapfw::kernels::check_device_text<qapfw::device::Problem>());

namespace qapfw::conformance {

using Problem = device::Problem;
#ifdef QAPFW_SEGMENTS
struct Shown {
    const uint8_t* solution;
    QAPFW_DEVICE int operator()(int position) const { return static_cast<int>(element(0, position)); }
    QAPFW_DEVICE uint32_t element(int segment, int position) const {
        return kernels::segmented_element(solution, segment, position);
    }
};
template <class P>
QAPFW_DEVICE Shown shown(const uint16_t* solution) {
    return {reinterpret_cast<const uint8_t*>(solution)};
}
struct Neighbourhood {
    static constexpr int kThreads = 32;
};
#else
using Order = kernels::PositionOrder<Problem::kPositions>;

struct Shown {
    const uint16_t* solution;
    const uint8_t* bits;
    QAPFW_DEVICE int operator()(int position) const {
#ifdef QAPFW_MOVABLE_FIRST
        return solution[Order::original(position)];
#else
        return solution[position];
#endif
    }
    QAPFW_DEVICE int bit(int k) const { return bits[k]; }
};

template <class P>
QAPFW_DEVICE Shown shown(const uint16_t* solution) {
    if constexpr (kernels::problem_parts::MentionsBits<P>)
        return {solution, reinterpret_cast<const uint8_t*>(solution) + P::kBitsOffset};
    else
        return {solution, nullptr};
}

constexpr bool kOwn = kernels::problem_parts::MentionsNeighbourhood<Problem>;
using Neighbourhood = kernels::SwapNeighbourhoodOf<Problem>::type;

struct Memory {
    typename Neighbourhood::BlockShared block;
    typename Neighbourhood::TeamShared team;
};

/// Finds the best improving pair among the pairs of this thread. If no pair improves, sets *code to kNoPair.
QAPFW_DEVICE void best_of_thread(const Neighbourhood& neighbourhood, Problem::Cost* change, uint32_t* code) {
    auto best = typename Neighbourhood::Value{0};
    uint32_t best_code = kernels::kNoPair;
#pragma unroll(Neighbourhood::kInRegisters ? Neighbourhood::kSlots : 1)
    for (int slot = 0; slot < Neighbourhood::kSlots; ++slot) {
        if (!(neighbourhood.delta(slot) < best)) continue;
        best = neighbourhood.delta(slot);
        best_code = neighbourhood.pair_code(slot);
    }
    *change = Neighbourhood::cost_change(best);
    *code = best_code;
}
#endif

}  // namespace qapfw::conformance

extern "C" __global__ void qapfw_check_layout(unsigned long long* layout) {
#ifdef QAPFW_SEGMENTS
    layout[0] = layout[1] = layout[2] = layout[3] = 0;
#else
    layout[0] = qapfw::conformance::kOwn ? 1 : 0;
    layout[1] = sizeof(qapfw::conformance::Memory);
    layout[2] = qapfw::conformance::Neighbourhood::kThreads;
    layout[3] = qapfw::conformance::Neighbourhood::kWorkspaceBytes;
#endif
}

/// Computes the cost of each solution by one thread and by a warp. The grid has one CUDA block of one warp for each
/// solution.
extern "C" __global__ void qapfw_check_costs(const __grid_constant__ qapfw::device::Problem::View view,
                                             const uint16_t* solutions, uint32_t stride,
                                             qapfw::device::Problem::Cost* by_thread,
                                             qapfw::device::Problem::Cost* by_warp) {
    using qapfw::device::Problem;
    const auto solution = qapfw::conformance::shown<Problem>(solutions + blockIdx.x * stride);
    const Problem::Cost cost = Problem::cost(qapfw::kernels::WarpGroup{}, view, solution);
    if (threadIdx.x != 0) return;
    by_warp[blockIdx.x] = cost;
    by_thread[blockIdx.x] = Problem::cost(qapfw::kernels::ThreadGroup{}, view, solution);
}

/// One CUDA block. `moves` holds `steps` pairs of positions; changes and codes have kThreads entries for each step.
extern "C" __global__ void __launch_bounds__(qapfw::conformance::Neighbourhood::kThreads, 1)
    qapfw_check_deltas(const __grid_constant__ qapfw::device::Problem::View view, const uint16_t* solution,
                       const uint32_t* moves, uint32_t steps, char* workspace, qapfw::device::Problem::Cost* changes,
                       uint32_t* codes, qapfw::device::Problem::Cost* costs) {
#ifndef QAPFW_SEGMENTS  // a problem with segments does not launch this kernel
    using namespace qapfw::conformance;
    extern __shared__ __align__(16) char memory[];
    auto& shared = *reinterpret_cast<Memory*>(memory);
    Neighbourhood::load_block(shared.block, view);
    __syncthreads();
    const typename Neighbourhood::Group group;
    Neighbourhood neighbourhood(view, shared.block, shared.team, workspace);
    neighbourhood.load(solution);
    const Problem::Cost first = neighbourhood.reset();
    if (group.rank() == 0) costs[0] = first;
    for (uint32_t step = 0; step < steps; ++step) {
        const uint32_t at = step * Neighbourhood::kThreads + static_cast<uint32_t>(group.rank());
        best_of_thread(neighbourhood, changes + at, codes + at);
        group.sync();
        neighbourhood.apply(static_cast<int>(moves[2 * step]), static_cast<int>(moves[2 * step + 1]),
                            qapfw::kernels::NoWords{});
    }
    group.sync();
    const Problem::Cost last = neighbourhood.cost();
    if (group.rank() == 0) costs[1] = last;
#endif
}
)";

}  // namespace qapfw::framework::conformance
