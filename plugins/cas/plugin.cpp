// SPDX-License-Identifier: Apache-2.0
#include "qapfw/sdk/plugin.hpp"
#include "plugins/cas/cas.hpp"

namespace {

constexpr qapfw_component kCas = qapfw::sdk::solver_component<qapfw::sdk::PopulationSolver<qapfw::cas::Cas>>(
    {.id = "cas",
     .version = "1.0.0",
     .summary = "Cunning ant system: ants keep part of their best solution and sample the rest from pheromone trails.",
     .reference = "Tsutsui and Fujimoto, MEDAL Report 2011005, section 3",
     .encodings = nullptr,
     .backends = QAPFW_BACKEND_CPU | QAPFW_BACKEND_CUDA,
     .uses_improver = 1});

}  // namespace

QAPFW_PLUGIN("qapfw.cas", "1.0.0", "Apache-2.0", &kCas)
