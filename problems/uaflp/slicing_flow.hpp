// SPDX-License-Identifier: Apache-2.0
// Flow costs of slicing trees' layouts, computed with vector instructions. Vectors of any width add in the order of
// kernels/slicing_cost.hpp. There is one function per instruction set, chosen at run time.
#pragma once

#include "problems/uaflp/pair_lanes.hpp"
#include "qapfw/kernels/slicing_view.hpp"

namespace qapfw::uaflp {

/// Computes the same cost as kernels::slicing_flow_cost, but only for a single floor. `x` and `y` have view.stride
/// entries each.
using SlicingFlowFunction = double (*)(const kernels::SlicingView& view, const double* x, const double* y);

SlicingFlowFunction slicing_flow_function(VectorLevel level);

/// Functions of type SlicingFlowFunction, one for each value of VectorLevel, each in a file of its own.
double slicing_flow_plain(const kernels::SlicingView& view, const double* x, const double* y);
double slicing_flow_avx2(const kernels::SlicingView& view, const double* x, const double* y);
double slicing_flow_avx512(const kernels::SlicingView& view, const double* x, const double* y);

}  // namespace qapfw::uaflp
