// SPDX-License-Identifier: Apache-2.0
#include "qapfw/sdk/plugin.hpp"
#include "problems/gqap/gqap_problem.hpp"

namespace {

constexpr qapfw_component kGqap = qapfw::sdk::problem_component<qapfw::gqap::GqapProblem>(
    {.id = "gqap",
     .version = "1.0.0",
     .summary = "Generalised quadratic assignment problem: items with weights at locations with capacities.",
     .reference = "Lee and Ma 2004; Cordeau, Gaudioso, Laporte and Moccia 2006",
     .backends = QAPFW_BACKEND_CPU | QAPFW_BACKEND_CUDA});

}  // namespace

QAPFW_PLUGIN("qapfw.gqap", "1.0.0", "Apache-2.0", &kGqap)
