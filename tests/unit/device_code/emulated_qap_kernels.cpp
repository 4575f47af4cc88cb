// SPDX-License-Identifier: Apache-2.0
// The kernels of the independent GA, compiled for the host with the QAP's own device code. The kernels are for
// instances with n = 14 and symmetric matrices that have entries of one byte and zero diagonals.
#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "tests/support/emulated_intrinsics.hpp"

#define QAPFW_BYTES 1
#define qap qap_on_emulated_gpu
#define QAP_N 14
#define QAP_ROW 16
#define QAP_MOVABLE 14
#define QAP_ELEMENT uint8_t
#define QAP_PLANES 1
#define QAP_SYMMETRIC 1
#define QAP_DIAGONAL 0
#define QAP_DELTA_SCALE 2
#define QAP_VALUE float
#include "problems/qap/device/qap_problem.cuh"

#include "problems/qap/device/qap_child_cost.cuh"

namespace qapfw::device {

struct Problem {
    using View = qap::View;
    using Cost = int64_t;
    using ChildCosts = qap::ChildCosts;
    template <class Group, class Solution>
    static Cost cost(Group group, const View& view, Solution solution) {
        return qap::cost(group, view, solution);
    }
};

}  // namespace qapfw::device
#undef qap

#include "plugins/ga_independent/device/blocks_kernels.cuh"
#include "tests/support/emulated_device.hpp"

thread_local uint64_t ga_memory[8 * 1024];

namespace qapfw::test {

void launch_emulated(const char* entry, const qapfw_launch& launch) {
    using ga_independent::Problem;
    const std::string_view name = entry;
    const auto& blocks = argument<ga_independent::View>(launch, 0);
    const auto number = [&](int k) { return argument<uint64_t>(launch, k); };
    const auto run = [&] {
        if (name == "qapfw_ga_independent_evolve") {
            qapfw_ga_independent_evolve(blocks, argument<ga_independent::Pools>(launch, 1),
                                        argument<Problem::View>(launch, 2), number(3), number(4));
        } else if (name == "qapfw_ga_independent_begin") {
            qapfw_ga_independent_begin(blocks, argument<Problem::View>(launch, 1), argument<uint32_t>(launch, 2));
        } else if (name == "qapfw_ga_independent_keep_best") {
            qapfw_ga_independent_keep_best(blocks, number(1));
        } else if (name == "qapfw_ga_independent_breed") {
            qapfw_ga_independent_breed(blocks, argument<Problem::View>(launch, 1), number(2));
        } else if (name == "qapfw_ga_independent_end_generation") {
            qapfw_ga_independent_end_generation(blocks, argument<Problem::View>(launch, 1), number(2));
        } else if (name == "qapfw_ga_independent_report") {
            qapfw_ga_independent_report(blocks, argument<ga_independent::Report*>(launch, 1));
        } else {
            qapfw_ga_independent_digest(blocks, number(1), argument<uint32_t>(launch, 2),
                                        argument<ga_independent::Report*>(launch, 3));
        }
    };
    with_shared_memory(ga_memory, launch.dynamic_shared_bytes, [&] {
        EmulatedBlock::run_grid({launch.grid[0], launch.grid[1], 1}, {launch.block[0], 1, 1}, run);
    });
}

}  // namespace qapfw::test
