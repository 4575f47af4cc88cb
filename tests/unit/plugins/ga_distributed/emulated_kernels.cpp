// SPDX-License-Identifier: Apache-2.0
// The kernels of the distributed GA, compiled for the host with the toy ordering problem.
#define QAPFW_BYTES 1
#define QAPFW_MOVABLE_FIRST 1
#include "tests/support/emulated_toy.hpp"

#include "plugins/ga_distributed/device/islands_kernels.cuh"

thread_local uint64_t ga_memory[16 * 1024];

namespace qapfw::test {

void launch_emulated(const char* entry, const qapfw_launch& launch) {
    const auto& population = argument<ga_distributed::Population>(launch, 0);
    const std::string_view name = entry;
    const auto number = [&](int k) { return argument<uint64_t>(launch, k); };
    const auto run = [&] {
        if (name == "qapfw_ga_distributed_evolve") {
            qapfw_ga_distributed_evolve(population, argument<ga_distributed::Pools>(launch, 1),
                                        argument<ToyView>(launch, 2), number(3), number(4));
        } else if (name == "qapfw_ga_distributed_begin") {
            qapfw_ga_distributed_begin(population, argument<ToyView>(launch, 1), argument<uint32_t>(launch, 2));
        } else if (name == "qapfw_ga_distributed_breed") {
            qapfw_ga_distributed_breed(population, argument<ToyView>(launch, 1), number(2));
        } else if (name == "qapfw_ga_distributed_select") {
            qapfw_ga_distributed_select(population, number(1));
        } else if (name == "qapfw_ga_distributed_move") {
            qapfw_ga_distributed_move(population, argument<kernels::RandomBijection>(launch, 1),
                                      argument<ga_distributed::Pools>(launch, 2), argument<uint32_t>(launch, 3));
        } else if (name == "qapfw_ga_distributed_bests") {
            qapfw_ga_distributed_bests(population, argument<ga_distributed::BestsHere>(launch, 1));
        } else if (name == "qapfw_ga_distributed_report") {
            qapfw_ga_distributed_report(population, argument<ga_distributed::BestsHere>(launch, 1),
                                        argument<ga_distributed::Report*>(launch, 2));
        } else {
            qapfw_ga_distributed_digest(population, number(1), argument<uint32_t>(launch, 2),
                                        argument<ga_distributed::Report*>(launch, 3));
        }
    };
    with_shared_memory(ga_memory, launch.dynamic_shared_bytes, [&] {
        EmulatedBlock::run_grid({launch.grid[0], launch.grid[1], 1}, {launch.block[0], 1, 1}, run);
    });
}

}  // namespace qapfw::test
