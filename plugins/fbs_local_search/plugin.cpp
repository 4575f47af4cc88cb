// SPDX-License-Identifier: Apache-2.0
#include "qapfw/sdk/plugin.hpp"
#include "plugins/fbs_local_search/fbs_local_search.hpp"

namespace {

constexpr qapfw_component kFbsLocalSearch = qapfw::sdk::improver_component<qapfw::fbs_local_search::FbsLocalSearch>(
    {.id = "fbs_local_search",
     .version = "1.0.0",
     .summary = "Descent over moves of departments and bays until none improves; for solutions with a permutation and "
                "bay bits.",
     .reference = "Hansen and Mladenovic 2001 (variable neighbourhood descent)",
     .encodings = "permutation+bays",
     .backends = QAPFW_BACKEND_CPU | QAPFW_BACKEND_CUDA});

}  // namespace

QAPFW_PLUGIN("qapfw.fbs_local_search", "1.0.0", "Apache-2.0", &kFbsLocalSearch)
