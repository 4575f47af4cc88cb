// SPDX-License-Identifier: Apache-2.0
#include "qapfw/sdk/plugin.hpp"
#include "plugins/pga_grid/pga_grid.hpp"

namespace {

constexpr qapfw_component kPgaGrid =
    qapfw::sdk::solver_component<qapfw::sdk::PopulationSolver<qapfw::pga_grid::PgaGrid>>(
        {.id = "pga_grid",
         .version = "1.0.0",
         .summary =
             "Fine-grained genetic algorithm: one individual per cell of a toroidal grid mates with its neighbours.",
         .reference = "PGAGrid thesis 2018, chapter 3",
         .encodings = nullptr,
         .backends = QAPFW_BACKEND_CPU | QAPFW_BACKEND_CUDA,
         .uses_improver = 1});

}  // namespace

QAPFW_PLUGIN("qapfw.pga_grid", "1.0.0", "Apache-2.0", &kPgaGrid)
