// SPDX-License-Identifier: Apache-2.0
// The kernels of the memetic algorithm compile with layouts and with the QAP, for all supported GPU generations. Needs
// NVRTC, no GPU.
#include <doctest/doctest.h>

#include <map>
#include <string>

#include "framework/device/compile_only.hpp"
#include "plugins/memetic/memetic.hpp"
#include "problems/qap/qap_problem.hpp"
#include "problems/uaflp/uaflp_problem.hpp"
#include "qapfw/error.hpp"
#include "tests/support/test_host.hpp"

namespace {

using namespace qapfw;
using Given = std::map<std::string, std::string>;

template <class Problem>
void compile_memetic_for(const Given& instance) {
    test::TestHost host;
    test::TestProblem<Problem> problem(host, instance);
    std::string error;
    std::unique_ptr<framework::CompileOnlyDevice> device;
    try {
        device = framework::make_compile_only_device(problem.get(), framework::kTestedArchitectures, {},
                                                     [&](const std::string& text) { error = text; });
    } catch (const Error& failure) {
        MESSAGE("SKIPPED: " << failure.what());
        return;
    }
    using Table = sdk::SolverTrampolines<memetic::MemeticSolver>;
    test::Values values = test::Values::of<memetic::Memetic>({{"size", "4"}, {"islands", "6"}});
    qapfw_solver* solver = nullptr;
    REQUIRE(Table::create(host.get(), values.get(), problem.get(), nullptr, &solver) == QAPFW_OK);
    const test::TestRun run(1, 1, problem.ref().solution_bytes());
    qapfw_run services = *run.get();
    const qapfw_device* const devices[] = {device->table()};
    services.devices = devices;
    services.device_count = 1;
    CHECK(Table::run(solver, &services) == QAPFW_ERROR_UNSUPPORTED);  // the first launch is refused
    Table::destroy(solver);
    INFO(error);
    CHECK(device->compiled().size() == 8 * framework::kTestedArchitectures.size());
}

}  // namespace

TEST_CASE("the memetic algorithm's kernels compile for layouts" * doctest::test_suite("slow")) {
    for (const char* instance : {"F60", "F400"}) compile_memetic_for<uaflp::UaflpProblem>({{"instance", instance}});
    compile_memetic_for<uaflp::UaflpProblem>({{"instance", "F60"}, {"precision", "float"}});
}

TEST_CASE("the memetic algorithm's kernels compile for the QAP" * doctest::test_suite("slow")) {
    compile_memetic_for<qap::QapProblem>({{"instance", "tai20b"}});
}
