// SPDX-License-Identifier: Apache-2.0
#include "qapfw/sdk/plugin.hpp"
#include "problems/qap/qap_problem.hpp"

namespace {

constexpr qapfw_component kQap = qapfw::sdk::problem_component<qapfw::qap::QapProblem>(
    {.id = "qap",
     .version = "1.0.0",
     .summary = "Quadratic assignment problem, read from QAPLIB or CSV files, generated, or made from another problem.",
     .reference = "Koopmans and Beckmann 1957; QAPLIB, Burkard, Karisch and Rendl 1997",
     .backends = QAPFW_BACKEND_CPU | QAPFW_BACKEND_CUDA});

}  // namespace

QAPFW_PLUGIN("qapfw.qap", "1.0.0", "Apache-2.0", &kQap)
