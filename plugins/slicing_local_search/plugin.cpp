// SPDX-License-Identifier: Apache-2.0
#include "qapfw/sdk/plugin.hpp"
#include "plugins/slicing_local_search/slicing_improver.hpp"
#include "plugins/slicing_local_search/slicing_solver.hpp"
#include "qapfw/sdk/population_solver.hpp"

namespace {

using Solver = qapfw::sdk::PopulationSolver<qapfw::slicing_local_search::SlicingLocalSearch>;

constexpr qapfw_component kSolver = qapfw::sdk::solver_component<Solver>(
    {.id = "slicing_local_search",
     .version = "1.0.0",
     .summary = "Annealing of slicing trees, again and again from the best tree found; for layouts by straight cuts.",
     .reference = "Wong and Liu 1986; Kirkpatrick, Gelatt and Vecchi 1983",
     .encodings = "permutation+values",
     .backends = QAPFW_BACKEND_CPU | QAPFW_BACKEND_CUDA});

constexpr qapfw_component kImprover = qapfw::sdk::improver_component<qapfw::slicing_local_search::SlicingImprover>(
    {.id = "slicing_local_search",
     .version = "1.0.0",
     .summary = "One short annealing of a slicing tree; for layouts by straight cuts.",
     .reference = "Wong and Liu 1986; Kirkpatrick, Gelatt and Vecchi 1983",
     .encodings = "permutation+values",
     .backends = QAPFW_BACKEND_CPU});

}  // namespace

QAPFW_PLUGIN("qapfw.slicing_local_search", "1.0.0", "Apache-2.0", &kSolver, &kImprover)
