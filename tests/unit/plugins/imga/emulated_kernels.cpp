// SPDX-License-Identifier: Apache-2.0
// The kernels of the island model GA compiled for the host, over the toy ordering problem with or without bits.
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <string_view>

#include "tests/unit/plugins/cas/emulated_gpu.hpp"
#include "tests/unit/plugins/cas/emulated_kernels.hpp"

#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"

inline std::uint32_t atomicAdd(std::uint32_t* to, std::uint32_t value) {
    const std::uint32_t before = *to;
    *to += value;
    return before;
}

#include "qapfw/kernels/device_team.hpp"

namespace qapfw::device {

/// BayOrdering, and ToyOrdering where there are no bits.
struct Problem {
    using View = test::ToyView;
    using Cost = std::int64_t;
    static constexpr std::uint64_t kScratchBytes = 32 * sizeof(Cost);
    template <class Group, class Solution>
    static Cost cost(Group group, const View& view, Solution solution) {
        std::int64_t sum = 0;
        for (int i = 0; i < view.n; ++i) {
            // The toy has its positions in their own order: undo the kernels' order (movable ones first).
            for (int j = group.rank(); j < view.n; j += group.size()) {
                const std::int64_t weight = view.weights[solution(i) * view.n + solution(j)];
                if (view.place[i] < view.place[j]) sum += weight;
                if (view.place[i] + 1 == view.place[j] && solution.bit(view.place[i]) != 0) sum -= 3 * weight;
            }
        }
        return group.sum(sum);
    }
    /// Uses all of its scratch.
    template <class Solution>
    static Cost cost_in(kernels::WarpGroup group, const View& view, Solution solution, void* scratch) {
        static_cast<Cost*>(scratch)[group.rank()] = cost(kernels::ThreadGroup{}, view, solution);
        group.sync();
        const Cost found = static_cast<Cost*>(scratch)[31 - group.rank()];
        group.sync();
        return found;
    }
};

}  // namespace qapfw::device

#include "plugins/imga/device/islands_kernels.cuh"

namespace qapfw::test {
namespace {

template <class T>
const T& argument(const qapfw_launch& launch, int k) {
    return *static_cast<const T*>(launch.arguments[k]);
}

}  // namespace

void launch_emulated(const char* entry, const qapfw_launch& launch) {
    const auto& all = argument<imga::Arrays>(launch, 0);
    const std::string_view name = entry;
    EmulatedBlock::run_grid({launch.grid[0], 1, 1}, {launch.block[0], 1, 1}, [&] {
        if (name == "qapfw_imga_breed") {
            qapfw_imga_breed(all, argument<ToyView>(launch, 1), argument<std::uint64_t>(launch, 2));
        } else if (name == "qapfw_imga_take_improved") {
            qapfw_imga_take_improved(all, argument<const std::uint8_t*>(launch, 1),
                                     argument<const std::int64_t*>(launch, 2), argument<std::uint64_t>(launch, 3));
        } else {
            qapfw_imga_replace(all, argument<std::uint64_t>(launch, 1));
        }
    });
}

}  // namespace qapfw::test
