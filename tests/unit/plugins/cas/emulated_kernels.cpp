// SPDX-License-Identifier: Apache-2.0
// The kernels of the cunning ant system, compiled for the host with the toy ordering problem.
#include "tests/support/emulated_device.hpp"

#include <cmath>
#include <string_view>

#include "tests/support/emulated_gpu.hpp"

#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"

namespace qapfw::device {

/// The cost of ToyOrdering: the sum of weights[p(i)][p(j)] over i < j.
struct Problem {
    using View = test::ToyView;
    using Cost = int64_t;
    template <class Group, class Solution>
    static Cost cost(Group group, const View& view, Solution solution) {
        int64_t sum = 0;
        for (int i = 0; i < view.n; ++i) {
            for (int j = i + 1 + group.rank(); j < view.n; j += group.size()) {
                sum += view.weights[solution(i) * view.n + solution(j)];
            }
        }
        return group.sum(sum);
    }
};

}  // namespace qapfw::device

#include "plugins/cas/device/cas_kernels.cuh"

thread_local uint64_t added[4096];
thread_local uint64_t construction[6 * 1024];

namespace qapfw::test {

void launch_emulated(const char* entry, const qapfw_launch& launch) {
    const auto& colonies = *static_cast<const cas::Colonies*>(launch.arguments[0]);
    const auto argument = [&]<class T>(int k, T) { return *static_cast<const T*>(launch.arguments[k]); };
    const std::string_view name = entry;
    std::memset(added, 0xA5, sizeof added);  // shared memory starts with arbitrary bytes
    std::memset(construction, 0xA5, sizeof construction);
    EmulatedBlock::run_grid({launch.grid[0], launch.grid[1], 1}, {launch.block[0], 1, 1}, [&] {
        if (name == "qapfw_cas_lay_first_trails") {
            qapfw_cas_lay_first_trails(colonies, argument(1, kernels::CostBound{}));
        } else if (name == "qapfw_cas_update_trail") {
            qapfw_cas_update_trail(colonies, argument(1, uint32_t{}));
        } else if (name == "qapfw_cas_sample") {
            qapfw_cas_sample(colonies, *static_cast<const ToyView*>(launch.arguments[1]), argument(2, uint32_t{}));
        } else if (name == "qapfw_cas_construct") {
            qapfw_cas_construct(colonies, *static_cast<const ToyView*>(launch.arguments[1]), argument(2, uint64_t{}));
        } else if (name == "qapfw_cas_select") {
            qapfw_cas_select(colonies, argument(1, uint64_t{}));
        } else if (name == "qapfw_cas_select_and_exchange") {
            qapfw_cas_select_and_exchange(colonies, argument(1, uint64_t{}), argument(2, cas::Exchange{}));
        } else if (name == "qapfw_cas_show_champions") {
            qapfw_cas_show_champions(colonies, argument(1, cas::Exchange{}));
        } else if (name == "qapfw_cas_immigrate") {
            qapfw_cas_immigrate(colonies, argument(1, cas::Exchange{}), argument(2, uint32_t{}));
        } else {
            qapfw_cas_end_round(colonies, argument(1, uint64_t{}),
                                argument(2, static_cast<kernels::PopulationReport*>(nullptr)),
                                argument(3, cas::Marking{}));
        }
    });
}

}  // namespace qapfw::test
