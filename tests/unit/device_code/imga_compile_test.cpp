// SPDX-License-Identifier: Apache-2.0
// Checks that the kernels of the island model GA compile with layouts and with the QAP: one instance of each for the
// oldest supported GPU and for a recent GPU, other layouts for one GPU only. Needs NVRTC but no GPU.
#include "plugins/imga/imga.hpp"
#include "problems/qap/qap_problem.hpp"
#include "problems/uaflp/uaflp_problem.hpp"
#include "tests/unit/device_code/compile_solver.hpp"

namespace {

using namespace qapfw;

template <class Problem>
void check_imga_compiles(const test::Given& instance, const std::vector<std::uint32_t>& architectures) {
    test::check_compiles<sdk::PopulationSolver<imga::Imga>, Problem>(instance, {{"size", "4"}, {"migrants", "1"}}, 10,
                                                                     architectures);
}

}  // namespace

TEST_CASE("the island GA's kernels compile for layouts" * doctest::test_suite("slow")) {
    check_imga_compiles<uaflp::UaflpProblem>({{"instance", "F60"}}, framework::kTestedArchitectures);
    check_imga_compiles<uaflp::UaflpProblem>({{"instance", "F400"}}, {90});
    check_imga_compiles<uaflp::UaflpProblem>({{"instance", "F60"}, {"precision", "float"}}, {90});
}

TEST_CASE("the island GA's kernels compile for the QAP" * doctest::test_suite("slow")) {
    check_imga_compiles<qap::QapProblem>({{"instance", "tai20b"}}, framework::kTestedArchitectures);
}
