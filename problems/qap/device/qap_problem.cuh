// SPDX-License-Identifier: Apache-2.0
// The quadratic assignment problem as device code: cost(p) = sum_ij a_ij b_p(i)p(j) + offset. Compiled at run time for
// one instance; the host states the instance through these macros before this text:
//   QAP_N            positions                      QAP_MOVABLE   of these, positions that are not fixed
//   QAP_ELEMENT      uint8_t, uint16_t or uint32_t  QAP_PLANES    bytes that the largest matrix value needs, 1..4
//   QAP_SYMMETRIC    1: a and b are both symmetric  QAP_DIAGONAL  1: both diagonals have values other than 0
//   QAP_DELTA_SCALE  what an internal delta is multiplied by; see below
//   QAP_VALUE        type of an internal delta: float where all |deltas| < 2^24, int32_t where < 2^31, else int64_t
//   QAP_ROW          elements from row to row of a matrix in memory, those past the end zero; QAP_N unless told
//   otherwise
// Values are not negative: the host adds a constant to all off-diagonal values of a matrix that has negative ones
// (deltas do not change) and corrects `cost_offset`. Fixed positions come last: the host orders positions as the
// movable ones ascending, then the fixed ones, orders the rows and columns of a that way and gives the original numbers
// in `order` (null where nothing is fixed). Solutions in memory keep the original order.
//
// Internal deltas are half the cost's change where both matrices are symmetric with a zero diagonal, and the whole
// change otherwise; QAP_DELTA_SCALE is then 2 and 1. Where one matrix is symmetric and the other one not, the host
// replaces the other, M, by M + M^T; costs double, so QAP_DELTA_SCALE is 1 with halves.
#include "qapfw/kernels/device_team.hpp"
#include "qapfw/kernels/platform.hpp"

#ifndef QAP_ROW
#define QAP_ROW QAP_N
#endif

#define QAPFW_MOVABLE_FIRST 1  // see qapfw/kernels/swap_neighbourhood.hpp

namespace qapfw::qap {

using Element = QAP_ELEMENT;
using Value = QAP_VALUE;

constexpr int kN = QAP_N;
constexpr int kMovable = QAP_MOVABLE;
constexpr int kRow = QAP_ROW;
constexpr int kPlanes = QAP_PLANES;
constexpr bool kSymmetric = QAP_SYMMETRIC != 0;
constexpr bool kDiagonal = QAP_DIAGONAL != 0;
constexpr bool kHalves = kSymmetric && !kDiagonal;  ///< internal deltas are half the change of sum a b
constexpr int kDeltaScale = QAP_DELTA_SCALE;
constexpr int kSides = kSymmetric ? 1 : 2;  ///< row part, and column part where they differ

/// What the kernel gets: device pointers, owned by the host.
struct View {
    const Element* a;       ///< n rows, rows and columns in the movable-first order; then, with two sides, transposed
    const Element* b;       ///< likewise, by location
    const uint16_t* order;  ///< original number of each position, or null
    int64_t cost_offset;
};

/// Integers wide enough for sums that end in a Value, modulo their width.
template <class V>
struct SumOf {
    using type = int32_t;
};
template <>
struct SumOf<int64_t> {
    using type = int64_t;
};
using Sum = SumOf<Value>::type;

/// Integers wide enough for the difference of two costs.
template <class V, bool kSmall>
struct TotalOf {
    using type = int64_t;
};
template <>
struct TotalOf<float, true> {
    using type = int32_t;
};

QAPFW_DEVICE int original_position(const View& view, int position) {
    return kMovable == kN || view.order == nullptr ? position : static_cast<int>(view.order[position]);
}

/// The cost in the problem's own unit from the plain double sum over all (i, j).
QAPFW_DEVICE int64_t cost_from_sum(const View& view, int64_t sum) {
    return (kHalves ? sum / 2 : sum) * kDeltaScale + view.cost_offset;
}

/// a_ij b_p(i)p(j).
template <class Solution>
QAPFW_DEVICE int64_t product(const View& view, Solution solution, int i, int j) {
    return static_cast<int64_t>(view.a[i * kRow + j]) *
           static_cast<int64_t>(view.b[static_cast<int64_t>(solution(i)) * kRow + solution(j)]);
}

/// The sum of what(k) over the group's k below kCount. The entries of a thread are on their way together, at most
/// twelve: those past the end repeat entry 0 and count nothing.
template <int kCount, class Group, class What>
QAPFW_DEVICE int64_t share_of_sum(const Group& group, What what) {
    constexpr int kSteps = (kCount + Group::size() - 1) / Group::size(), kBatches = (kSteps + 11) / 12;
    constexpr int kTogether = kBatches > 0 ? (kSteps + kBatches - 1) / kBatches : 1;
    int64_t sum = 0;
#pragma unroll 1
    for (int first = group.rank(); first < kCount; first += kTogether * group.size()) {
#pragma unroll
        for (int step = 0; step < kTogether; ++step) {
            const int k = first + step * group.size();
            const int64_t own = what(k < kCount ? k : 0);
            sum += k < kCount ? own : 0;
        }
    }
    return sum;
}

/// sum_ij a_ij b_p(i)p(j) by the threads of `group`; `solution(i)` is p(i) with i in the movable-first order. O(n^2).
template <class Group, class Solution>
QAPFW_DEVICE int64_t cost(Group group, const View& view, Solution solution) {
    int64_t sum = 0;
    if constexpr (kSymmetric) {
        // Below the diagonal row r has r entries and row n - 1 - r the n - 1 - r that make them up to n - 1.
        constexpr int kWidth = kN > 1 ? kN - 1 : 1;
        sum = 2 * share_of_sum<kN*(kN - 1) / 2>(group, [&](int pair) {
                  const int r = pair / kWidth, at = pair % kWidth;
                  const bool lower = at < kN - 1 - r;
                  return product(view, solution, lower ? kN - 1 - r : r, lower ? at : at - (kN - 1 - r));
              });
        for (int i = group.rank(); kDiagonal && i < kN; i += group.size()) sum += product(view, solution, i, i);
    } else {
        sum = share_of_sum<kN * kN>(group, [&](int pair) { return product(view, solution, pair / kN, pair % kN); });
    }
    return cost_from_sum(view, group.sum(sum));
}

}  // namespace qapfw::qap
