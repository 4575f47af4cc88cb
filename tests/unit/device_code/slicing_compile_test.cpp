// SPDX-License-Identifier: Apache-2.0
// Checks that the kernels of slicing_local_search compile. With trees in shared memory, the oldest supported and a
// recent architecture are checked. With trees in device memory, and with rules of practice (doors, walls, floors), one
// architecture is checked. Needs NVRTC, no GPU.
#include "plugins/slicing_local_search/slicing_solver.hpp"
#include "problems/uaflp/uaflp_problem.hpp"
#include "tests/unit/device_code/compile_solver.hpp"

namespace {

using namespace qapfw;

constexpr std::size_t kSlicingKernels = 5;

void check_slicing_compiles(const char* instance, const std::vector<std::uint32_t>& architectures) {
    CAPTURE(instance);
    test::check_compiles<sdk::PopulationSolver<slicing_local_search::SlicingLocalSearch>, uaflp::UaflpProblem>(
        {{"instance", instance}, {"structure", "slicing"}},
        {{"searches", "4"}, {"first_steps", "256"}, {"share_every", "128"}}, kSlicingKernels, architectures);
}

}  // namespace

TEST_CASE("the kernels of slicing trees compile" * doctest::test_suite("slow")) {
    check_slicing_compiles("F20", framework::kTestedArchitectures);
    check_slicing_compiles("F80", {90});
    check_slicing_compiles(QAPFW_SOURCE_DIR "/configs/samples/ward.csv", {90});
}
