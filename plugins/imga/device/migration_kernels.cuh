// SPDX-License-Identifier: Apache-2.0
// Migration on the device, a warp per island. First, the emigrants are copied to the exchange, that is, to the arrays
// of Islands::emigrants. Then every island takes its immigrants from the exchange.
#pragma once

#include "plugins/imga/device/islands.cuh"

/// Copies the emigrants of this place's islands to the exchange.
extern "C" __global__ void qapfw_imga_emigrate(const __grid_constant__ qapfw::imga::Arrays all) {
    qapfw::imga::IslandOfWarp(all, blockIdx.x).show_best();
}

/// Takes the immigrants of this place's islands from the exchange. The emigrants of all islands must already be there.
extern "C" __global__ void qapfw_imga_immigrate(const __grid_constant__ qapfw::imga::Arrays all, uint64_t generation) {
    qapfw::imga::IslandOfWarp(all, blockIdx.x).take_immigrants(generation);
}
