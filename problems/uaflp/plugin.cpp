// SPDX-License-Identifier: Apache-2.0
#include "qapfw/sdk/plugin.hpp"
#include <string_view>

#include "problems/uaflp/uaflp_problem.hpp"
#include "qapfw/abi/defaults.h"

namespace {

constexpr qapfw_component kLayouts = qapfw::sdk::problem_component<qapfw::uaflp::UaflpProblem>(
    {.id = "uaflp",
     .version = "1.0.0",
     .summary = "Unequal-area facility layout by slicing trees or in flexible bays. Instances are TOML, JSON or CSV "
                "files, or generated.",
     .reference = "Tate and Smith 1995; Coit, Smith and Tate 1996; Sun, Chou and Wu 2019",
     .backends = QAPFW_BACKEND_CPU | QAPFW_BACKEND_CUDA});

constexpr qapfw_problem_defaults kDefaults{sizeof(qapfw_problem_defaults), "structure=slicing", "slicing_local_search"};

/// kLayouts with a further capability: the defaults of runs that name no algorithm or slicing_local_search.
constexpr qapfw_component with_defaults() {
    qapfw_component component = kLayouts;
    component.get_capability = [](const char* id) -> const void* {
        if (id != nullptr && std::string_view(id) == QAPFW_PROBLEM_DEFAULTS) return &kDefaults;
        return kLayouts.get_capability(id);
    };
    return component;
}
constexpr qapfw_component kUaflp = with_defaults();

}  // namespace

QAPFW_PLUGIN("qapfw.uaflp", "1.0.0", "Apache-2.0", &kUaflp)
