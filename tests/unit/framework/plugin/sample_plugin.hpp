// SPDX-License-Identifier: Apache-2.0
// A valid descriptor in memory, in which a test changes one thing. The functions of its tables are never called.
#pragma once

#include <vector>

#include "qapfw/abi/plugin.h"

namespace qapfw::framework::testing {

inline qapfw_parameter sample_parameter(const char* name, std::uint32_t type, const char* default_text,
                                        double minimum = 0, double maximum = 0, std::uint32_t flags = 0,
                                        const char* choices = nullptr) {
    return {name, type, flags, default_text, minimum, maximum, choices, nullptr, nullptr, "A parameter."};
}

inline const void* no_capability(const char*) {
    return nullptr;
}

/// One component with its table, at fixed addresses: neither copied nor moved.
struct SampleComponent {
    std::vector<qapfw_parameter> parameters;
    qapfw_problem_table problem_table{};
    qapfw_solver_table solver_table{};
    qapfw_improver_table improver_table{};
    qapfw_component component{};

    SampleComponent(std::uint32_t kind, const char* id, std::vector<qapfw_parameter> declared)
        : parameters(std::move(declared)) {
        fill_tables();
        component.struct_size = sizeof(component);
        component.kind = kind;
        component.id = id;
        component.version = "1.0.0";
        component.summary = "A sample.";
        component.parameter_count = static_cast<std::uint32_t>(parameters.size());
        component.parameter_size = sizeof(qapfw_parameter);
        component.parameters = parameters.data();
        component.table = kind == QAPFW_KIND_PROBLEM  ? static_cast<const void*>(&problem_table)
                          : kind == QAPFW_KIND_SOLVER ? static_cast<const void*>(&solver_table)
                                                      : static_cast<const void*>(&improver_table);
        component.backends = QAPFW_BACKEND_CPU;
        component.uses_improver = kind == QAPFW_KIND_SOLVER ? 1 : 0;
        component.get_capability = no_capability;
    }
    SampleComponent(const SampleComponent&) = delete;
    SampleComponent& operator=(const SampleComponent&) = delete;

  private:
    void fill_tables() {
        problem_table.struct_size = sizeof(problem_table);
        problem_table.create = [](const qapfw_host*, const qapfw_parameters*, qapfw_problem**) {
            return qapfw_status{1};
        };
        problem_table.destroy = [](qapfw_problem*) {};
        problem_table.info = [](qapfw_problem*) -> const qapfw_problem_info* { return nullptr; };
        problem_table.evaluate = [](qapfw_problem*, const qapfw_batch*) { return qapfw_status{1}; };
        problem_table.write_artefacts = [](qapfw_problem*, const void*, qapfw_cost, qapfw_emit, void*) {
            return qapfw_status{1};
        };
        solver_table.struct_size = sizeof(solver_table);
        solver_table.create = [](const qapfw_host*, const qapfw_parameters*, const qapfw_problem_ref*,
                                 const qapfw_improver_ref*, qapfw_solver**) { return qapfw_status{1}; };
        solver_table.destroy = [](qapfw_solver*) {};
        solver_table.run = [](qapfw_solver*, const qapfw_run*) { return qapfw_status{1}; };
        improver_table.struct_size = sizeof(improver_table);
        improver_table.create = [](const qapfw_host*, const qapfw_parameters*, const qapfw_problem_ref*,
                                   qapfw_improver**) { return qapfw_status{1}; };
        improver_table.destroy = [](qapfw_improver*) {};
        improver_table.create_workspace = [](qapfw_improver*, qapfw_workspace**) { return qapfw_status{1}; };
        improver_table.destroy_workspace = [](qapfw_workspace*) {};
        improver_table.improve = [](qapfw_workspace*, const qapfw_batch*, const qapfw_improve_request*,
                                    std::uint64_t*) { return qapfw_status{1}; };
    }
};

}  // namespace qapfw::framework::testing
