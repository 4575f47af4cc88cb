// SPDX-License-Identifier: Apache-2.0
// A kernel that runs all operators of the library: one warp per pair of parents, one warp per CUDA block. A second
// kernel contains only one crossover; the host gives its number as OPERATORS_CROSSOVER.
#include "qapfw/kernels/device_team.hpp"
#include "tests/support/operators_task.hpp"

#ifndef OPERATORS_CROSSOVER
#define OPERATORS_CROSSOVER 0
#endif

extern "C" __global__ void __launch_bounds__(32)
    qapfw_test_operators(const __grid_constant__ qapfw::test::OperatorsTask task) {
    qapfw::test::make_children(task, blockIdx.x, qapfw::kernels::WarpGroup{});
}

// [device]
/// Makes child 0 of each pair with one thread.
extern "C" __global__ void __launch_bounds__(32)
    qapfw_test_crossover(const __grid_constant__ qapfw::test::OperatorsTask task) {
    using namespace qapfw;
    const uint32_t pair = blockIdx.x * blockDim.x + threadIdx.x, n = task.n;
    kernels::cross<static_cast<kernels::Crossover>(OPERATORS_CROSSOVER)>(
        kernels::solution_view(test::child_at(task, pair, 0).perm), kernels::solution_view(task.mothers + pair * n),
        kernels::solution_view(task.fathers + pair * n), task.scratch + pair * n, kernels::CrossoverShape{n, n},
        kernels::draw_crossover(task.seed, 5, pair, 1));
}
// [device-end]
