// SPDX-License-Identifier: Apache-2.0
#include "qapfw/sdk/plugin.hpp"
#include <string_view>

#include "plugins/tabu/tabu_improver.hpp"
#include "plugins/tabu/tabu_solver.hpp"
#include "qapfw/abi/device_encodings.h"

namespace {

constexpr const char* kReference = "Taillard 1991; Tsutsui and Fujimoto, MEDAL Report 2011005, section 4.2";

constexpr qapfw_component kSolver = qapfw::sdk::solver_component<qapfw::tabu::TabuSolver>(
    {.id = "tabu",
     .version = "1.0.0",
     .summary = "Multi-start robust tabu search with perturbation, optionally sharing elites between rounds.",
     .reference = kReference,
     .encodings = nullptr,
     .backends = QAPFW_BACKEND_CPU | QAPFW_BACKEND_CUDA});

constexpr qapfw_component kImproverItself = qapfw::sdk::improver_component<qapfw::tabu::TabuImprover>(
    {.id = "tabu",
     .version = "1.0.0",
     .summary = "A short robust tabu search from each solution; the best solution seen replaces it.",
     .reference = kReference,
     .encodings = nullptr,
     .backends = QAPFW_BACKEND_CPU | QAPFW_BACKEND_CUDA});

/// The improver's component with one more capability, which says that the improver supports all encodings on GPUs.
constexpr qapfw_component improver_on_all_encodings() {
    qapfw_component component = kImproverItself;
    component.get_capability = [](const char* id) -> const void* {
        static constexpr qapfw_device_encodings kAll{sizeof(qapfw_device_encodings), nullptr};
        if (id != nullptr && std::string_view(id) == QAPFW_COMPONENT_DEVICE_ENCODINGS) return &kAll;
        return kImproverItself.get_capability(id);
    };
    return component;
}
constexpr qapfw_component kImprover = improver_on_all_encodings();

}  // namespace

QAPFW_PLUGIN("qapfw.tabu", "1.0.0", "Apache-2.0", &kSolver, &kImprover)
