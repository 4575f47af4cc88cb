// SPDX-License-Identifier: Apache-2.0
// Checks that the kernels of cas, ga_independent, ga_distributed and pga_grid compile. Kernels for tai40a are compiled
// for the oldest supported GPU and for a recent one. Kernels for other instances, and those of cas for slicing trees,
// are compiled for one GPU only. Needs NVRTC, no GPU.
#include "plugins/cas/cas.hpp"
#include "plugins/ga_distributed/ga_distributed.hpp"
#include "plugins/ga_independent/ga_independent.hpp"
#include "plugins/pga_grid/pga_grid.hpp"
#include "problems/qap/qap_problem.hpp"
#include "problems/uaflp/uaflp_problem.hpp"
#include "tests/unit/device_code/compile_solver.hpp"

namespace {

using namespace qapfw;

struct Form {
    test::Given instance;
    std::vector<std::uint32_t> architectures;
};
const Form kForms[] = {{{{"instance", "tai40a"}}, framework::kTestedArchitectures},
                       {{{"instance", "tai20b"}}, {90}},
                       {{{"instance", "tai343a"}}, {90}}};

template <class Solver>
void compile_for(const Form& form, const test::Given& given, std::size_t kernels) {
    test::check_compiles<Solver, qap::QapProblem>(form.instance, given, kernels, form.architectures);
}

}  // namespace

TEST_CASE("the cunning ant system's kernels compile" * doctest::test_suite("slow")) {
    for (const Form& form : kForms) compile_for<sdk::PopulationSolver<cas::Cas>>(form, {{"ants", "4"}}, 9);
    test::check_compiles<sdk::PopulationSolver<cas::Cas>, uaflp::UaflpProblem>(
        {{"instance", "F8"}, {"structure", "slicing"}}, {{"ants", "4"}}, 9, {90});
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
