// SPDX-License-Identifier: Apache-2.0
#include "qapfw/sdk/plugin.hpp"
#include "plugins/ga_independent/ga_independent.hpp"

namespace {

constexpr qapfw_component kGaIndependent =
    qapfw::sdk::solver_component<qapfw::sdk::PopulationSolver<qapfw::ga_independent::GaIndependent>>(
        {.id = "ga_independent",
         .version = "1.0.0",
         .summary = "Independent GAs with restarts: subpopulations run side by side until one reaches the target.",
         .reference = "Tsutsui and Fujimoto, CEC 2010, section III",
         .encodings = nullptr,
         .backends = QAPFW_BACKEND_CPU | QAPFW_BACKEND_CUDA,
         .uses_improver = 1});

}  // namespace

QAPFW_PLUGIN("qapfw.ga_independent", "1.0.0", "Apache-2.0", &kGaIndependent)
