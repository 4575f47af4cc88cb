// SPDX-License-Identifier: Apache-2.0
// Layouts by slicing trees as device code, made of the host code's kernels, so costs have the same bits as there. The
// view has all that a search needs (qapfw/kernels/slicing_annealing.hpp). The host describes the instance by these
// macros, before this text:
//   UAFLP_N         departments
//   UAFLP_STRIDE    columns of the flow matrix
//   UAFLP_RULES     number of rules in the view (SlicingPractice::rules); 0 without practical rules
#if UAFLP_RULES == 0
#define QAPFW_SLICING_WITHOUT_RULES
#endif

#include "qapfw/kernels/device_team.hpp"
#include "qapfw/kernels/slicing_cost.hpp"

// Not inlined: searches evaluate at several places of their kernels, and copies would take compile time and registers.
#if defined(__CUDACC__) || defined(__CUDACC_RTC__)
#define UAFLP_CALLED __device__ __noinline__
#else
#define UAFLP_CALLED inline
#endif

namespace qapfw::uaflp {

/// The flow cost. The threads of a group split the 32 partial sums of slicing_cost.hpp. Thread r computes the partial
/// sums number r, r + size, ...
template <class Group>
QAPFW_DEVICE double sum_flows(Group group, const kernels::SlicingView& view, const double* x, const double* y) {
    constexpr uint32_t kThreads = static_cast<uint32_t>(Group::size());
    static_assert(kThreads <= 32 && 32 % kThreads == 0,
                  "a layout's cost is computed by a thread, a warp or a part of a warp");
    constexpr uint32_t kOwn = 32 / kThreads;
    double partial[kOwn];
    for (uint32_t own = 0; own < kOwn; ++own) {
        const uint32_t sum = own * kThreads + static_cast<uint32_t>(group.rank());
        partial[own] = kernels::slicing_partial(view, x, y, sum / kernels::kSlicingBlock, sum % kernels::kSlicingBlock);
    }
    for (uint32_t half = kOwn / 2; half > 0; half /= 2) {
        for (uint32_t own = 0; own < half; ++own) partial[own] += partial[own + half];
    }
    return group.sum(partial[0]);
}

/// Reads the elements of one segment of a solution: segment 0 is the permutation, segment 1 the genes.
template <class Solution>
struct ElementAt {
    const Solution& solution;
    int segment;
    QAPFW_DEVICE uint32_t operator[](uint32_t k) const { return solution.element(segment, static_cast<int>(k)); }
};

}  // namespace qapfw::uaflp

namespace qapfw::device {

struct Problem {
    using View = kernels::SlicingView;
    using Cost = double;
    static constexpr int kPositions = UAFLP_N;
    static constexpr uint32_t kFlowColumns = UAFLP_STRIDE;  ///< view.stride

    /// The cost with its penalty. Each thread of the group decodes the tree for itself; the threads split the flows.
    template <class Group, class Solution>
    static UAFLP_CALLED Cost cost(Group group, const View& view, Solution solution) {
        constexpr uint32_t n = UAFLP_N;
        constexpr kernels::SlicingExtent kExtent{n, UAFLP_STRIDE, UAFLP_RULES};
        uint16_t words[kernels::slicing_tree_words(n)];
        double numbers[kernels::slicing_scratch_numbers(kExtent)];
        uint16_t indices[kernels::slicing_scratch_indices(n)];
        const kernels::SlicingTree tree{words, n};
        const kernels::SlicingScratch scratch = kernels::slicing_scratch(numbers, indices, kExtent);
        kernels::slicing_prepare(view, scratch, 0, 1);
        kernels::slicing_decode(uaflp::ElementAt<Solution>{solution, 0}, uaflp::ElementAt<Solution>{solution, 1}, tree);
        return kernels::slicing_evaluate(
                   view, tree, scratch,
                   [&](const double* x, const double* y) { return uaflp::sum_flows(group, view, x, y); })
            .objective;
    }
};

}  // namespace qapfw::device
