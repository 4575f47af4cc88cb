// SPDX-License-Identifier: Apache-2.0
// The kernels of the GA with independent runs, compiled for the host with the toy ordering problem.
#define QAPFW_BYTES 1
#include "tests/support/emulated_toy.hpp"

#include "plugins/ga_independent/device/blocks_kernels.cuh"

thread_local uint64_t ga_memory[16 * 1024];

namespace qapfw::test {

void launch_emulated(const char* entry, const qapfw_launch& launch) {
    const auto& blocks = argument<ga_independent::View>(launch, 0);
    const std::string_view name = entry;
    const auto number = [&](int k) { return argument<uint64_t>(launch, k); };
    const auto run = [&] {
        if (name == "qapfw_ga_independent_evolve") {
            qapfw_ga_independent_evolve(blocks, argument<ga_independent::Pools>(launch, 1),
                                        argument<ToyView>(launch, 2), number(3), number(4));
        } else if (name == "qapfw_ga_independent_begin") {
            qapfw_ga_independent_begin(blocks, argument<ToyView>(launch, 1), argument<uint32_t>(launch, 2));
        } else if (name == "qapfw_ga_independent_breed") {
            qapfw_ga_independent_breed(blocks, argument<ToyView>(launch, 1), number(2));
        } else if (name == "qapfw_ga_independent_end_generation") {
            qapfw_ga_independent_end_generation(blocks, argument<ToyView>(launch, 1), number(2));
        } else if (name == "qapfw_ga_independent_keep_best") {
            qapfw_ga_independent_keep_best(blocks, number(1));
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
