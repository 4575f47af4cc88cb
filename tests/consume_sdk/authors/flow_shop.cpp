// SPDX-License-Identifier: Apache-2.0
// Blocking flow shop: a job stays on its machine until the next machine is free. The end of the last job is minimised.
#include <algorithm>

#include "qapfw/sdk/permutation_problem.hpp"
#include "qapfw/sdk/plugin.hpp"

using namespace qapfw;

struct FlowShop : sdk::PermutationProblem<FlowShop> {
    static constexpr sdk::ParameterTable kParameters{
        sdk::integer("jobs", 8).range(2, 500).summary("Number of jobs to generate, for five machines.")};
    static constexpr std::uint32_t kMachines = 5;

    FlowShop(const sdk::Host&, const sdk::Parameters& parameters)
        : PermutationProblem({.n = static_cast<std::uint64_t>(parameters.integer("jobs")), .instance = "shop"}) {
        for (std::uint32_t k = 0; k < n() * kMachines; ++k) times.push_back(1 + k * k * 31 % 97);
    }
    std::int64_t cost(const std::uint16_t* order) const {
        std::int64_t leaves[kMachines + 1] = {};  // times when the previous job left each machine
        for (std::uint32_t k = 0; k < n(); ++k) {
            const std::int64_t* const time = &times[std::size_t{order[k]} * kMachines];
            std::int64_t now = leaves[0];
            for (std::uint32_t m = 0; m < kMachines; ++m) {
                now += time[m];
                if (m + 1 < kMachines) now = std::max(now, leaves[m + 1]);
                leaves[m] = now;
            }
        }
        return leaves[kMachines - 1];
    }
    std::vector<std::int64_t> times;
};

constexpr qapfw_component kFlowShop =
    sdk::problem_component<FlowShop>({.id = "flow_shop", .version = "1.0.0", .summary = "Blocking flow shop."});
QAPFW_PLUGIN("org.example.flow_shop", "1.0.0", "Apache-2.0", &kFlowShop)
