// SPDX-License-Identifier: Apache-2.0
#include "qapfw/sdk/plugin.hpp"
#include "plugins/imga/imga.hpp"

namespace {

constexpr qapfw_component kImga = qapfw::sdk::solver_component<qapfw::sdk::PopulationSolver<qapfw::imga::Imga>>(
    {.id = "imga",
     .version = "1.0.0",
     .summary = "Island model GA: populations select by tournament, cross, mutate and exchange migrants.",
     .reference = "Sun, Chou, Wu and Chen, Symmetry 2019, 11(3), 318",
     .encodings = nullptr,
     .backends = QAPFW_BACKEND_CPU | QAPFW_BACKEND_CUDA,
     .uses_improver = 1});

}  // namespace

QAPFW_PLUGIN("qapfw.imga", "1.0.0", "Apache-2.0", &kImga)
