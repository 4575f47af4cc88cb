// SPDX-License-Identifier: Apache-2.0
// Checks that the kernels of solver `mapping` compile. Searches that each use one CUDA block are compiled, with a
// torus, for the oldest supported and a recent GPU. Searches that use the whole GPU, and searches with a tree or a
// hypercube, are compiled for one GPU only. Needs NVRTC, no GPU.
#include "plugins/mapping/mapping.hpp"

#include "problems/sparse_qap/sparse_qap_problem.hpp"
#include "tests/unit/device_code/compile_solver.hpp"

namespace {

using namespace qapfw;

void compile_mapping(const char* graph, const char* distance, std::size_t kernels,
                     const std::vector<std::uint32_t>& architectures = {90}) {
    CAPTURE(distance);
    test::check_compiles<mapping::Mapping, sparse::SparseQapProblem>(
        {{"instance", graph}, {"distance", distance}}, {{"heat", "1"}, {"searches", "2"}}, kernels, architectures);
}

}  // namespace

TEST_CASE("mapping's kernels compile: searches in CUDA blocks, searches on the whole GPU, each kind of distance" *
          doctest::test_suite("slow")) {
    compile_mapping("grid:8x8", "torus:4x4x4", 5, framework::kTestedArchitectures);
    compile_mapping("grid:130x130", "grid:300x60", 8);
    compile_mapping("rgg3:16500", "torus:30x30x20", 8);
    compile_mapping("grid:8x8", "tree:4:4:4/1:10:100", 5);
    compile_mapping("grid:8x8", "hypercube:6", 5);
}
