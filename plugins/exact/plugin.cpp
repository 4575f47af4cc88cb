// SPDX-License-Identifier: Apache-2.0
#include "qapfw/sdk/plugin.hpp"
#include "plugins/exact/exact.hpp"

namespace {

constexpr qapfw_component kExact = qapfw::sdk::solver_component<qapfw::exact::Exact>(
    {.id = "exact",
     .version = "1.0.0",
     .summary = "Branch and bound: ends with a solution that is proven to be the best. For small instances.",
     .reference = "Hahn, Grant and Hall, European Journal of Operational Research 108, 1998",
     .encodings = "permutation"});

}  // namespace

QAPFW_PLUGIN("qapfw.exact", "1.0.0", "Apache-2.0", &kExact)
