// SPDX-License-Identifier: Apache-2.0
// The data that a problem gives for slicing trees, in host memory, in the form that kernels use.
#pragma once

#include <vector>

#include "qapfw/abi/slicing.h"
#include "qapfw/kernels/slicing_moves.hpp"
#include "qapfw/kernels/slicing_view.hpp"
#include "qapfw/sdk/host.hpp"
#include "qapfw/sdk/problem_ref.hpp"

namespace qapfw::slicing_local_search {

const qapfw_problem_slicing* table_of(const sdk::ProblemRef& problem);

/// Returns the problem's data for slicing trees. Throws if the problem's solutions are not slicing trees; the error
/// message then begins with `who`: "solver" or "improver".
const qapfw_slicing& data_of(const sdk::ProblemRef& problem, const char* who);

class SlicingInstance {
  public:
    explicit SlicingInstance(const qapfw_slicing& data);
    SlicingInstance(const SlicingInstance&) = delete;
    SlicingInstance& operator=(const SlicingInstance&) = delete;
    const kernels::SlicingView& view() const { return view_; }

  private:
    kernels::SlicingView view_{};
    std::vector<double> inverse_longest_;
    std::vector<kernels::SlicingRule> rules_;
};

/// ln x for x > 0, computed only by + - * /, so that all machines agree.
double logarithm(double x);

/// The cumulative probabilities of the kinds of moves, as limits for a random 32-bit word. `has_spaces`: moves of empty
/// spaces are drawn too.
kernels::SlicingMoveLimits move_limits(bool has_spaces);

}  // namespace qapfw::slicing_local_search
