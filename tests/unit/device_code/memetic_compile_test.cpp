// SPDX-License-Identifier: Apache-2.0
// Checks that the kernels of the memetic algorithm compile with layouts and with the QAP. Kernels with an improver are
// compiled for the oldest supported and a recent GPU, the others for one GPU only. Needs NVRTC, no GPU.
#include "plugins/memetic/memetic.hpp"
#include "problems/qap/qap_problem.hpp"
#include "problems/uaflp/uaflp_problem.hpp"
#include "tests/support/test_improver.hpp"
#include "tests/unit/device_code/compile_solver.hpp"

namespace {

using namespace qapfw;

const test::Given kSmall{{"size", "4"}, {"islands", "6"}};

template <class Problem>
void check_without_improver(const test::Given& instance) {
    test::check_compiles<memetic::MemeticSolver, Problem>(instance, kSmall, 7, {90});
}
template <class Problem>
void check_with_improver(const test::Given& instance) {
    using Improver = test::TestImprover<test::Anywhere<test::SweepImprover>>;
    test::check_compiles<memetic::MemeticSolver, Problem, Improver>(instance, kSmall, 8,
                                                                    framework::kTestedArchitectures);
}

}  // namespace

TEST_CASE("the memetic algorithm's kernels compile for layouts" * doctest::test_suite("slow")) {
    for (const char* instance : {"F60", "F400"}) check_without_improver<uaflp::UaflpProblem>({{"instance", instance}});
    check_without_improver<uaflp::UaflpProblem>({{"instance", "F60"}, {"precision", "float"}});
    check_with_improver<uaflp::UaflpProblem>({{"instance", "F60"}});
}

TEST_CASE("the memetic algorithm's kernels compile for the QAP" * doctest::test_suite("slow")) {
    check_without_improver<qap::QapProblem>({{"instance", "tai20b"}});
    check_with_improver<qap::QapProblem>({{"instance", "tai20b"}});
}
