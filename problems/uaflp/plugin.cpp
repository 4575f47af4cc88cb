// SPDX-License-Identifier: Apache-2.0
#include "qapfw/sdk/plugin.hpp"
#include "problems/uaflp/uaflp_problem.hpp"

namespace {

constexpr qapfw_component kUaflp = qapfw::sdk::problem_component<qapfw::uaflp::UaflpProblem>(
    {.id = "uaflp",
     .version = "1.0.0",
     .summary =
         "Unequal-area facility layout by slicing trees or in flexible bays, from TOML or JSON files or generated.",
     .reference = "Tate and Smith 1995; Coit, Smith and Tate 1996; Sun, Chou and Wu 2019",
     .backends = QAPFW_BACKEND_CPU | QAPFW_BACKEND_CUDA});

}  // namespace

QAPFW_PLUGIN("qapfw.uaflp", "1.0.0", "Apache-2.0", &kUaflp)
