// SPDX-License-Identifier: Apache-2.0
#include "qapfw/sdk/plugin.hpp"
#include "problems/sparse_qap/sparse_qap_problem.hpp"

namespace {

constexpr qapfw_component kSparseQap = qapfw::sdk::problem_component<qapfw::sparse::SparseQapProblem>(
    {.id = "sparse_qap",
     .version = "1.0.0",
     .summary =
         "Quadratic assignment problem with sparse flows and distances by a formula or a file, for mapping graphs onto "
         "machines.",
     .reference = "Koopmans and Beckmann 1957; process mapping, Schulz and Traeff 2017",
     .backends = QAPFW_BACKEND_CPU | QAPFW_BACKEND_CUDA});

}  // namespace

QAPFW_PLUGIN("qapfw.sparse_qap", "1.0.0", "Apache-2.0", &kSparseQap)
