// SPDX-License-Identifier: Apache-2.0
// Runs a solver on a device that compiles every requested kernel and refuses the first launch. Needs NVRTC, no GPU.
#pragma once

#include <doctest/doctest.h>

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "framework/device/compile_only.hpp"
#include "qapfw/error.hpp"
#include "qapfw/sdk/solver.hpp"
#include "tests/support/test_host.hpp"

namespace qapfw::test {

using Given = std::map<std::string, std::string>;

/// Stands for no improver: `get` returns null.
struct NoImprover {
    NoImprover(const qapfw_host*, const qapfw_problem_ref*) {}
    static const qapfw_improver_ref* get() { return nullptr; }
};

/// Checks that the solver requests `kernels` kernels, and that each compiles for each architecture.
template <class Solver, class Problem, class MadeImprover = NoImprover>
void check_compiles(const Given& instance, const Given& given, std::size_t kernels,
                    const std::vector<std::uint32_t>& architectures) {
    TestHost host;
    TestProblem<Problem> problem(host, instance);
    std::string error;
    std::unique_ptr<framework::CompileOnlyDevice> device;
    try {
        device = framework::make_compile_only_device(problem.get(), architectures, {},
                                                     [&](const std::string& text) { error = text; });
    } catch (const Error& failure) {
        MESSAGE("SKIPPED: " << failure.what());
        return;
    }
    using Table = sdk::SolverTrampolines<Solver>;
    Values values = Values::of<Solver>(given, problem.ref().n());
    const MadeImprover improver(host.get(), problem.get());
    qapfw_solver* solver = nullptr;
    REQUIRE(Table::create(host.get(), values.get(), problem.get(), improver.get(), &solver) == QAPFW_OK);
    const TestRun run(1, 1, problem.ref().solution_bytes());
    qapfw_run services = *run.get();
    const qapfw_device* const devices[] = {device->table()};
    services.devices = devices;
    services.device_count = 1;
    const qapfw_status status = Table::run(solver, &services);
    Table::destroy(solver);
    INFO(error);
    INFO(host.error);
    CHECK(status == QAPFW_ERROR_UNSUPPORTED);
    std::set<std::string> entries;
    for (const framework::CompiledKernel& kernel : device->compiled()) entries.insert(kernel.entry);
    CHECK(entries.size() == kernels);
    CHECK(device->compiled().size() == kernels * architectures.size());
}

}  // namespace qapfw::test
