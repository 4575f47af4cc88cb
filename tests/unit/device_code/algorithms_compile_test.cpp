// SPDX-License-Identifier: Apache-2.0
// Every kernel of the population algorithms compiles for all supported GPU generations, and with several forms of the
// QAP.
// Needs NVRTC, no GPU.
#include <doctest/doctest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "framework/device/compile_only.hpp"
#include "plugins/cas/cas.hpp"
#include "plugins/ga_distributed/ga_distributed.hpp"
#include "plugins/ga_independent/ga_independent.hpp"
#include "plugins/pga_grid/pga_grid.hpp"
#include "problems/qap/qap_problem.hpp"
#include "qapfw/error.hpp"
#include "tests/support/test_host.hpp"

namespace {

using namespace qapfw;
using framework::CompileOnlyDevice;
using test::TestHost;
using test::TestProblem;
using test::TestRun;
using test::Values;
using Given = std::map<std::string, std::string>;

struct Form {
    Given instance;
    std::vector<std::uint32_t> architectures;
};
const Form kForms[] = {{{{"instance", "tai40a"}}, framework::kTestedArchitectures},
                       {{{"instance", "tai20b"}}, {90}},
                       {{{"instance", "tai343a"}}, {90}}};
/// Costs by the trace formulation: a problem without costs of children.
const Form kTraceForms[] = {{{{"instance", "tai40a"}, {"formulation", "trace"}}, framework::kTestedArchitectures},
                            {{{"instance", "tai20b"}, {"formulation", "trace"}}, {90}}};

/// Starts a run on a device that compiles everything that it is asked for and refuses the first launch.
template <class Solver>
void compile_for(const Form& form, const Given& given, std::size_t kernels) {
    TestHost host;
    TestProblem<qap::QapProblem> problem(host, form.instance);
    std::string error;
    std::unique_ptr<CompileOnlyDevice> device;
    try {
        device = framework::make_compile_only_device(problem.get(), form.architectures, {},
                                                     [&](const std::string& text) { error = text; });
    } catch (const Error& failure) {
        MESSAGE("SKIPPED: " << failure.what());
        return;
    }
    using Table = sdk::SolverTrampolines<Solver>;
    Values values = Values::of<Solver>(given, problem.ref().n());
    qapfw_solver* solver = nullptr;
    REQUIRE(Table::create(host.get(), values.get(), problem.get(), nullptr, &solver) == QAPFW_OK);
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
    CHECK(device->compiled().size() == kernels * form.architectures.size());
}

}  // namespace

TEST_CASE("the cunning ant system's kernels compile" * doctest::test_suite("slow")) {
    for (const Form& form : kForms) compile_for<sdk::PopulationSolver<cas::Cas>>(form, {{"ants", "4"}}, 9);
}

TEST_CASE("the independent GA's kernels compile" * doctest::test_suite("slow")) {
    for (const Form& form : kForms) {
        compile_for<sdk::PopulationSolver<ga_independent::GaIndependent>>(form, {{"blocks", "2"}, {"size", "4"}}, 7);
    }
}

TEST_CASE("the distributed GA's kernels compile" * doctest::test_suite("slow")) {
    for (const Form& form : kForms) {
        compile_for<sdk::PopulationSolver<ga_distributed::GaDistributed>>(form,
                                                                          {{"subpopulations", "2"}, {"size", "4"}}, 8);
    }
}

TEST_CASE("PGAGrid's kernels compile" * doctest::test_suite("slow")) {
    for (const Form& form : kForms) {
        compile_for<sdk::PopulationSolver<pga_grid::PgaGrid>>(form, {{"rows", "2"}, {"columns", "2"}}, 10);
    }
}

TEST_CASE("the kernels compile with costs by the trace formulation" * doctest::test_suite("slow")) {
    for (const Form& form : kTraceForms) {
        compile_for<sdk::PopulationSolver<pga_grid::PgaGrid>>(form, {{"rows", "2"}, {"columns", "2"}}, 10);
    }
    const Form& two_sided = kTraceForms[1];
    compile_for<sdk::PopulationSolver<cas::Cas>>(two_sided, {{"ants", "4"}}, 9);
    compile_for<sdk::PopulationSolver<ga_independent::GaIndependent>>(two_sided, {{"blocks", "2"}, {"size", "4"}}, 7);
    compile_for<sdk::PopulationSolver<ga_distributed::GaDistributed>>(two_sided,
                                                                      {{"subpopulations", "2"}, {"size", "4"}}, 8);
}
