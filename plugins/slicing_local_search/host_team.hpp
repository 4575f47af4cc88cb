// SPDX-License-Identifier: Apache-2.0
// The team of a search on the CPU: one thread.
#pragma once

#include <vector>

#include "plugins/slicing_local_search/device/searches.hpp"
#include "qapfw/abi/slicing.h"
#include "qapfw/sdk/problem_ref.hpp"

namespace qapfw::slicing_local_search {

/// A single thread as the team of a search; the problem itself sums the costs of the flows.
struct HostTeam {
    qapfw_problem* problem = nullptr;
    double (*sum)(qapfw_problem*, const double* x, const double* y) = nullptr;

    std::uint32_t rank() const { return 0; }
    std::uint32_t size() const { return 1; }
    void sync() const {}
    std::uint32_t broadcast(std::uint32_t value) const { return value; }
    kernels::SlicingShapes shapes(const kernels::SlicingView& view, const kernels::SlicingPlaces& places) const {
        return kernels::slicing_shapes(view, places);
    }
    double flow_cost(const kernels::SlicingView&, const kernels::SlicingPlaces& places) const {
        return sum(problem, places.x, places.y);
    }
};

/// The working memory of a thread. The thread uses it for one search after the other.
struct HostWorkspace {
    std::vector<double> numbers, kept, kept_box;
    std::vector<std::uint16_t> indices, candidate, order;

    explicit HostWorkspace(const kernels::SlicingView& view)
        : numbers(kernels::slicing_scratch_numbers(kernels::slicing_extent(view))),
          kept(kernels::slicing_places_numbers(kernels::slicing_extent(view))),
          kept_box(std::size_t{4} * (2 * view.departments - 1)),
          indices(kernels::slicing_scratch_indices(view.departments)),
          candidate(kernels::slicing_tree_words(view.departments)),
          order(std::size_t{3} * view.departments) {}

    /// The arrays of a search whose current tree is at `tree` and whose best tree is at `best`.
    kernels::SlicingSearch search(const kernels::SlicingView& view, std::uint16_t* tree, std::uint16_t* best) {
        const std::uint32_t n = view.departments;
        return {{tree, n},
                {candidate.data(), n},
                {best, n},
                kernels::slicing_scratch(numbers.data(), indices.data(), kernels::slicing_extent(view)),
                kernels::slicing_places(kept.data(), kernels::slicing_extent(view)),
                kept_box.data()};
    }
};

}  // namespace qapfw::slicing_local_search
