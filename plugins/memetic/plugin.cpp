// SPDX-License-Identifier: Apache-2.0
#include "qapfw/sdk/plugin.hpp"
#include "plugins/memetic/memetic.hpp"

namespace {

constexpr qapfw_component kMemetic = qapfw::sdk::solver_component<qapfw::memetic::MemeticSolver>(
    {.id = "memetic",
     .version = "1.0.0",
     .summary =
         "Memetic algorithm on islands: crossover, mutation, local search. Settings compete, and better ones get "
         "more islands.",
     .reference = "Karnin, Koren and Somekh, ICML 2013 (the race); Benlic and Hao 2015",
     .encodings = nullptr,
     .backends = QAPFW_BACKEND_CPU | QAPFW_BACKEND_CUDA,
     .uses_improver = 1});

}  // namespace

QAPFW_PLUGIN("qapfw.memetic", "1.0.0", "Apache-2.0", &kMemetic)
