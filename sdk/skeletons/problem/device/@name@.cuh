// The cost of @name@ on a GPU. It must equal the cost on the host to the last bit.
#include "qapfw/kernels/platform.hpp"

namespace qapfw::device {

struct Problem {
    struct View { int64_t factor; };  // the value that DeviceText on the host passes
    using Cost = int64_t;
    static constexpr int kPositions = kSize;

    /// Called by all threads of `group`, which split the work; solution(i) is the element at position i.
    template <class Group, class Solution>
    static QAPFW_DEVICE Cost cost(Group group, const View& view, Solution solution) {
        int64_t sum = 0;
        for (int i = group.rank(); i < kPositions; i += group.size()) sum += view.factor * i * solution(i);
        return group.sum(sum);
    }
};

}  // namespace qapfw::device
