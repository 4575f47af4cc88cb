// SPDX-License-Identifier: Apache-2.0
// The kernels of the island model GA, compiled for the host with the toy ordering problem, with or without bits.
#include <stdexcept>
#include <string>
#include <string_view>

#include "tests/support/emulated_device.hpp"
#include "tests/support/emulated_intrinsics.hpp"

thread_local bool emulates_shared_memory = false;  ///< true if the current launch has dynamic shared memory
#define IMGA_IN_SHARED emulates_shared_memory
#define IMGA_HAS_BITS -1  // decided at run time by bits_offset
#define IMGA_CROSSOVERS kernels::kAllCrossovers
#define QAPFW_MOVABLE_FIRST 1
#include "qapfw/kernels/device_team.hpp"

namespace qapfw::device {

/// A toy problem of the current launch's size: BayOrdering if solutions have bits, else ToyOrdering.
struct Problem {
    using View = test::ToyView;
    using Cost = std::int64_t;
    static inline thread_local std::uint32_t kPositions = 0;
    static constexpr std::uint64_t kScratchBytes = 33 * sizeof(Cost);  // deliberately not a multiple of 16
    template <class Group, class Solution>
    static Cost cost(Group group, const View& view, Solution solution) {
        std::int64_t sum = 0;
        for (int i = 0; i < view.n; ++i) {
            // i and j are the kernels' position numbers: movable positions come first. view.place maps them to the
            // toy's own numbers.
            for (int j = group.rank(); j < view.n; j += group.size()) {
                const std::int64_t weight = view.weights[solution(i) * view.n + solution(j)];
                if (view.place[i] < view.place[j]) sum += weight;
                if (view.place[i] + 1 == view.place[j] && solution.bit(view.place[i]) != 0) sum -= 3 * weight;
            }
        }
        return group.sum(sum);
    }
    /// The cost that `cost` returns, computed so that all of the scratch is used.
    template <class Solution>
    static Cost cost_in(kernels::WarpGroup group, const View& view, Solution solution, void* scratch) {
        Cost* const costs = static_cast<Cost*>(scratch);
        costs[group.rank()] = cost(kernels::ThreadGroup{}, view, solution);
        if (group.rank() == 0) costs[32] = costs[0];
        group.sync();
        const Cost found = costs[group.rank() % 2 == 0 ? 31 - group.rank() : 32];
        group.sync();
        return found;
    }
};

}  // namespace qapfw::device

#include "plugins/imga/device/breeding_kernels.cuh"
#include "plugins/imga/device/improvement_kernels.cuh"
#include "plugins/imga/device/migration_kernels.cuh"
#include "plugins/imga/device/population_kernels.cuh"
#include "plugins/imga/device/replacement_kernels.cuh"
#include "plugins/imga/device/report_kernels.cuh"

thread_local qapfw::kernels::SolutionUnit imga_memory[1024];

namespace qapfw::test {

using Count = std::uint64_t;

void launch_emulated(const char* entry, const qapfw_launch& launch) {
    const auto& all = argument<imga::Arrays>(launch, 0);
    const std::string_view name = entry;
    const auto run = [&] {
        device::Problem::kPositions = all.rules.n;
        if (name == "qapfw_imga_breed") {
            qapfw_imga_breed(all, argument<ToyView>(launch, 1), argument<Count>(launch, 2),
                             argument<std::uint32_t>(launch, 3));
        } else if (name == "qapfw_imga_draw") {
            qapfw_imga_draw(all, argument<ToyView>(launch, 1), argument<const std::uint8_t*>(launch, 2),
                            argument<Count>(launch, 3), argument<Count>(launch, 4));
        } else if (name == "qapfw_imga_begin") {
            qapfw_imga_begin(all, argument<Count>(launch, 1));
        } else if (name == "qapfw_imga_choose") {
            qapfw_imga_choose(all, argument<Count>(launch, 1));
        } else if (name == "qapfw_imga_take_improved") {
            qapfw_imga_take_improved(all, argument<std::uint32_t>(launch, 1));
        } else if (name == "qapfw_imga_emigrate") {
            qapfw_imga_emigrate(all);
        } else if (name == "qapfw_imga_immigrate") {
            qapfw_imga_immigrate(all, argument<Count>(launch, 1));
        } else if (name == "qapfw_imga_report") {
            qapfw_imga_report(all, argument<kernels::PopulationReport*>(launch, 1));
        } else if (name == "qapfw_imga_digest") {
            qapfw_imga_digest(all, argument<kernels::PopulationReport*>(launch, 1), argument<Count>(launch, 2),
                              argument<std::uint32_t>(launch, 3));
        } else if (name == "qapfw_imga_replace") {
            qapfw_imga_replace(all, argument<Count>(launch, 1));
        } else {
            throw std::logic_error("no such kernel: " + std::string(name));
        }
    };
    emulates_shared_memory = launch.dynamic_shared_bytes > 0;
    with_shared_memory(imga_memory, launch.dynamic_shared_bytes, [&] {
        EmulatedBlock::run_grid({launch.grid[0], 1, 1}, {launch.block[0], 1, 1}, run);
    });
}

}  // namespace qapfw::test
