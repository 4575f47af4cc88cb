// SPDX-License-Identifier: Apache-2.0
// The kernels of the memetic algorithm, compiled for the host with the toy ordering problem.
#include <stdexcept>
#include <string>
#include <string_view>

#include "tests/support/emulated_device.hpp"
#include "tests/support/emulated_intrinsics.hpp"

#define MEMETIC_HAS_BITS 0
#include "qapfw/kernels/device_team.hpp"

namespace qapfw::device {

/// ToyOrdering's cost for kernels. `kPositions`: number of positions of solutions in the current launch.
struct Problem {
    using View = test::ToyView;
    using Cost = std::int64_t;
    static inline thread_local std::uint32_t kPositions = 0;
    template <class Group, class Solution>
    static Cost cost(Group group, const View& view, Solution solution) {
        std::int64_t sum = 0;
        for (int i = 0; i < view.n; ++i) {
            for (int j = i + 1 + group.rank(); j < view.n; j += group.size()) {
                sum += view.weights[solution(i) * view.n + solution(j)];
            }
        }
        return group.sum(sum);
    }
};

}  // namespace qapfw::device

#include "plugins/memetic/device/alone_kernel.cuh"
#include "plugins/memetic/device/child_kernels.cuh"
#include "plugins/memetic/device/population_kernels.cuh"
#include "plugins/memetic/device/report_kernels.cuh"

namespace qapfw::test {

void launch_emulated(const char* entry, const qapfw_launch& launch) {
    const auto& all = argument<memetic::Arrays>(launch, 0);
    const std::string_view name = entry;
    const auto number = [&](int k) { return argument<std::uint64_t>(launch, k); };
    const auto queue = [&] { return argument<memetic::IslandQueue>(launch, 2); };
    const auto run = [&] {
        device::Problem::kPositions = all.rules.n;
        if (name == "qapfw_memetic_breed") {
            qapfw_memetic_breed(all, argument<ToyView>(launch, 1), queue(), number(3));
        } else if (name == "qapfw_memetic_breed_alone") {
            qapfw_memetic_breed_alone(all, argument<ToyView>(launch, 1), queue(), number(3),
                                      argument<std::uint32_t>(launch, 4), number(5));
        } else if (name == "qapfw_memetic_take_in") {
            qapfw_memetic_take_in(all, argument<ToyView>(launch, 1), queue(), number(3));
        } else if (name == "qapfw_memetic_draw") {
            qapfw_memetic_draw(all, argument<ToyView>(launch, 1), argument<const std::uint8_t*>(launch, 2), number(3));
        } else if (name == "qapfw_memetic_show") {
            qapfw_memetic_show(all);
        } else if (name == "qapfw_memetic_take_immigrants") {
            qapfw_memetic_take_immigrants(all, number(1));
        } else if (name == "qapfw_memetic_give_arms") {
            qapfw_memetic_give_arms(all, argument<ToyView>(launch, 1));
        } else if (name == "qapfw_memetic_report") {
            qapfw_memetic_report(all, argument<kernels::PopulationReport*>(launch, 1));
        } else if (name == "qapfw_memetic_digest") {
            qapfw_memetic_digest(all, argument<kernels::PopulationReport*>(launch, 1), number(2));
        } else {
            throw std::logic_error("no such kernel: " + std::string(name));
        }
    };
    EmulatedBlock::run_grid({launch.grid[0], 1, 1}, {launch.block[0], 1, 1}, run);
}

}  // namespace qapfw::test
