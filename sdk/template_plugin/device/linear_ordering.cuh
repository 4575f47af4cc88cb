// SPDX-License-Identifier: Apache-2.0
// The problem on the GPU: the cost, and the change of the cost by insertions. Compiled at run time for one instance,
// after the device code that defines kLinearOrderingSize. qapfw/kernels/swap_neighbourhood.hpp lists what else a
// problem may define.
#include "qapfw/kernels/platform.hpp"

// [device-text]
namespace qapfw::device {

struct Problem {
    struct View {
        const int32_t* matrix;  ///< the matrix in device memory, row by row
    };
    using Cost = int64_t;
    static constexpr int kPositions = kLinearOrderingSize;

    /// The negated sum above the diagonal. All threads of `group` compute it; solution(i) is the item at position i.
    template <class Group, class Solution>
    static QAPFW_DEVICE Cost cost(Group group, const View& view, Solution solution) {
        int64_t sum = 0;
        for (int i = group.rank(); i < kPositions; i += group.size()) {
            const int32_t* row = view.matrix + static_cast<int64_t>(solution(i)) * kPositions;
            for (int j = i + 1; j < kPositions; ++j) sum -= row[solution(j)];
        }
        return group.sum(sum);
    }

    // [device-insertion]
    /// The change of the cost by an insertion, which reverses the order of the moved item and each item that it passes.
    /// inserted.at(k) is the item at position k before the insertion.
    template <class Group, class Inserted>
    static QAPFW_DEVICE Cost delta_insertion(Group group, const View& view, const Inserted& inserted) {
        const bool forward = inserted.from < inserted.to;
        const int first = forward ? inserted.from + 1 : inserted.to, end = forward ? inserted.to + 1 : inserted.from;
        const int64_t item = inserted.at(inserted.from);
        int64_t value = 0;
        for (int k = first + group.rank(); k < end; k += group.size()) {
            const int64_t other = inserted.at(k);
            value += view.matrix[other * kPositions + item] - view.matrix[item * kPositions + other];
        }
        return group.sum(forward ? -value : value);
    }
    // [device-insertion-end]
};

}  // namespace qapfw::device
// [device-text-end]
