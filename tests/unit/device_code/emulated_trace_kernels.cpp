// SPDX-License-Identifier: Apache-2.0
// The kernels of PGAGrid compiled for the host over the QAP's own device code with costs by the trace formulation, for
// the instances of emulated_qap_kernels.cpp.
#include <algorithm>
#include <cmath>

#include "tests/support/emulated_intrinsics.hpp"

#define QAPFW_BYTES 1          // as there: one set of definitions in this program
#define QAPFW_MOVABLE_FIRST 1  // as the QAP says, whose text comes after its users here
#include "plugins/pga_grid/device/pga_rules.hpp"
#include "qapfw/kernels/ga_block.hpp"
#include "qapfw/kernels/generic_swap_neighbourhood.hpp"

#define qap qap_by_trace_on_emulated_gpu
#define device device_by_trace
#define QAP_N 14
#define QAP_ROW 16
#define QAP_MOVABLE 14
#define QAP_ELEMENT uint8_t
#define QAP_PLANES 1
#define QAP_SYMMETRIC 1
#define QAP_DIAGONAL 0
#define QAP_DELTA_SCALE 2
#define QAP_VALUE float
#define QAP_TRACE 1
#define QAP_ASSIGNMENT 4  // generic: the only neighbourhood that needs no GPU
#define QAP_WARPS 1
#include "problems/qap/device/qap_device_problem.cuh"
#undef qap

#include "plugins/pga_grid/device/grids_kernels.cuh"
#undef device
#include "tests/unit/plugins/pga_grid/launch_grids.hpp"

thread_local uint32_t pga_memory[8192];

namespace qapfw::test {

void launch_grids_by_trace(const char* entry, const qapfw_launch& launch) {
    launch_grids<pga_grid::Problem::View>(entry, launch, pga_memory);
}

}  // namespace qapfw::test
