// SPDX-License-Identifier: Apache-2.0
// The kernels of the memetic algorithm compile with layouts and with the QAP, for all supported GPU generations. Needs
// NVRTC, no GPU.
#include "plugins/memetic/memetic.hpp"
#include "problems/qap/qap_problem.hpp"
#include "problems/uaflp/uaflp_problem.hpp"
#include "tests/unit/device_code/compile_solver.hpp"

namespace {

using namespace qapfw;

template <class Problem>
void check_memetic_compiles(const test::Given& instance) {
    test::check_compiles<memetic::MemeticSolver, Problem>(instance, {{"size", "4"}, {"islands", "6"}}, 9);
}

}  // namespace

TEST_CASE("the memetic algorithm's kernels compile for layouts" * doctest::test_suite("slow")) {
    for (const char* instance : {"F60", "F400"}) check_memetic_compiles<uaflp::UaflpProblem>({{"instance", instance}});
    check_memetic_compiles<uaflp::UaflpProblem>({{"instance", "F60"}, {"precision", "float"}});
}

TEST_CASE("the memetic algorithm's kernels compile for the QAP" * doctest::test_suite("slow")) {
    check_memetic_compiles<qap::QapProblem>({{"instance", "tai20b"}});
}
