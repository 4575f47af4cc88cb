// SPDX-License-Identifier: Apache-2.0
#include "qapfw/sdk/plugin.hpp"
#include "plugins/mapping/mapping.hpp"

namespace {

constexpr qapfw_component kMapping = qapfw::sdk::solver_component<qapfw::mapping::Mapping>(
    {.id = "mapping",
     .version = "1.0.0",
     .summary = "Annealing by swaps that the problem proposes, for sparse and very large instances.",
     .reference = "Kirkpatrick, Gelatt and Vecchi, Science 220, 1983; with rounds of swaps that do not conflict",
     .encodings = "permutation permutation32",
     .backends = QAPFW_BACKEND_CPU | QAPFW_BACKEND_CUDA});

}  // namespace

QAPFW_PLUGIN("qapfw.mapping", "1.0.0", "Apache-2.0", &kMapping)
