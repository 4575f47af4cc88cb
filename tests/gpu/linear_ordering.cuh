// SPDX-License-Identifier: Apache-2.0
// A second problem, linear ordering: cost(p) = sum over i < j of c[p(j)][p(i)]. It shows that searches do not depend on
// the QAP. It computes only costs, no deltas. Its View and matrix rows have the layout of tabu_cases.hpp.
#include "qapfw/kernels/generic_swap_neighbourhood.hpp"

namespace qapfw::device {

struct Problem {
    struct View {
        const uint32_t* weights;
        const void* unused[2];
        int64_t offset;
        const void* unused_too[3];
    };
    using Cost = int64_t;
    static constexpr int kPositions = QAP_N;
    using SwapNeighbourhood = kernels::GenericSwapNeighbourhood<Problem, QAP_WARPS>;

    template <class Group, class Solution>
    static QAPFW_DEVICE Cost cost(Group group, const View& view, Solution solution) {
        int64_t sum = 0;
        for (int j = 1; j < kPositions; ++j)
            for (int i = group.rank(); i < j; i += group.size())
                sum += view.weights[solution(j) * QAP_ROW + solution(i)];
        return view.offset + group.sum(sum);
    }
};

}  // namespace qapfw::device
