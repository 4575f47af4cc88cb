// SPDX-License-Identifier: Apache-2.0
// One annealing of slicing trees on the calling thread, together with the memory that it needs.
#pragma once

#include <vector>

#include "problems/uaflp/slicing_evaluator.hpp"
#include "qapfw/kernels/slicing_annealing.hpp"

namespace qapfw::uaflp {

/// A single thread as a team.
struct OneThread {
    SlicingFlowFunction flow;
    std::uint32_t rank() const { return 0; }
    std::uint32_t size() const { return 1; }
    void sync() const {}
    std::uint32_t broadcast(std::uint32_t value) const { return value; }
    kernels::SlicingShapes shapes(const kernels::SlicingView& view, const kernels::SlicingPlaces& places) const {
        return kernels::slicing_shapes(view, places);
    }
    double flow_cost(const kernels::SlicingView& view, const kernels::SlicingPlaces& places) const {
        return flow(view, places.x, places.y);
    }
};

struct OneSearch {
    OwnedTree current, candidate, best;
    SlicingWorkspace workspace;
    std::vector<double> kept, kept_box;
    kernels::SlicingAnnealer<OneThread> annealer;

    explicit OneSearch(const SlicingEvaluator& evaluator)
        : current(evaluator.size()),
          candidate(evaluator.size()),
          best(evaluator.size()),
          workspace(evaluator.view()),
          kept(kernels::slicing_places_numbers(kernels::slicing_extent(evaluator.view()))),
          kept_box(8 * evaluator.size()),
          annealer({evaluator.flow_function()}, evaluator.view(), 0,
                   {current.view(), candidate.view(), best.view(), workspace.scratch(),
                    kernels::slicing_places(kept.data(), kernels::slicing_extent(evaluator.view())), kept_box.data()}) {
    }
};

}  // namespace qapfw::uaflp
