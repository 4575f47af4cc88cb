// SPDX-License-Identifier: Apache-2.0
// Conformance cases for components of every kind.
#include <fmt/core.h>

#include <cstring>

#include "framework/conformance/cases.hpp"
#include "framework/plugin/parameter_text.hpp"
#include "qapfw/abi/improver.h"
#include "qapfw/abi/problem.h"

namespace qapfw::framework::conformance {
namespace {

void unknown_capabilities(const Subject& subject) {
    const auto get = subject.component.descriptor->get_capability;
    if (get == nullptr) throw Skip("it has no capabilities");
    for (const char* id : {"", "no.such.capability/1", "qapfw.problem.swap_neighbourhood/999", "qapfw"}) {
        require(get(id) == nullptr,
                fmt::format("get_capability(\"{}\") must return null, since this id is unknown", id));
    }
    require(get(nullptr) == nullptr, "get_capability(null) must return null");
}

void descriptor_texts(const Subject& subject) {
    const qapfw_component& component = *subject.component.descriptor;
    require(component.summary != nullptr && std::strlen(component.summary) >= 10,
            "the summary is missing or has fewer than 10 characters");
    require(component.version != nullptr && *component.version != '\0', "there is no version");
    for (std::uint32_t k = 0; k < component.parameter_count; ++k) {
        const qapfw_parameter& parameter = parameter_at(component, k);
        require(parameter.summary != nullptr && *parameter.summary != '\0',
                fmt::format("parameter {} has no summary", parameter.name));
    }
}

/// Checks that the backend cuda is declared if there is device code, and only then. Skips solvers, since only a run
/// shows whether a solver has device code.
void backends_declared(const Subject& subject) {
    const qapfw_component& component = *subject.component.descriptor;
    if (component.kind == QAPFW_KIND_SOLVER) throw Skip("only a run shows whether a solver has device code");
    const bool declared = (component.backends & QAPFW_BACKEND_CUDA) != 0;
    const char* id = component.kind == QAPFW_KIND_PROBLEM ? QAPFW_PROBLEM_DEVICE : QAPFW_IMPROVER_DEVICE;
    const bool there = component.get_capability != nullptr && component.get_capability(id) != nullptr;
    require(!declared || there,
            fmt::format("QAPFW_BACKEND_CUDA is declared, but the component has no device code (capability {})", id));
    require(declared || !there,
            fmt::format("the component has device code (capability {}), but QAPFW_BACKEND_CUDA is not declared", id));
}

constexpr Case kComponentCases[] = {
    {"unknown-capabilities", "Unknown, empty and null capability ids give null.", unknown_capabilities},
    {"descriptor-texts", "The component has a summary and a version, and its parameters have summaries.",
     descriptor_texts},
    {"backends-declared", "The backend cuda is declared if there is device code, and only then.", backends_declared},
};

}  // namespace

std::span<const Case> component_cases() {
    return kComponentCases;
}

}  // namespace qapfw::framework::conformance
