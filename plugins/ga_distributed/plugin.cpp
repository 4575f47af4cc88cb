// SPDX-License-Identifier: Apache-2.0
#include "qapfw/sdk/plugin.hpp"
#include "plugins/ga_distributed/ga_distributed.hpp"

namespace {

constexpr qapfw_component kGaDistributed =
    qapfw::sdk::solver_component<qapfw::sdk::PopulationSolver<qapfw::ga_distributed::GaDistributed>>(
        {.id = "ga_distributed",
         .version = "1.0.0",
         .summary = "Distributed GA: subpopulations evolve alone and exchange individuals at intervals.",
         .reference = "Tsutsui and Fujimoto, GECCO 2009, section 3.2",
         .encodings = nullptr,
         .backends = QAPFW_BACKEND_CPU | QAPFW_BACKEND_CUDA,
         .uses_improver = 1});

}  // namespace

QAPFW_PLUGIN("qapfw.ga_distributed", "1.0.0", "Apache-2.0", &kGaDistributed)
