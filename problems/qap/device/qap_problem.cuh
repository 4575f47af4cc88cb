// SPDX-License-Identifier: Apache-2.0
// The quadratic assignment problem as device code: cost(p) = sum_ij a_ij b_p(i)p(j) + linear costs + offset. This text
// is compiled at run time for one instance. The host describes the instance by these macros before this text:
//   QAP_N            positions                      QAP_MOVABLE   how many of them are not fixed
//   QAP_ELEMENT      uint8_t, uint16_t or uint32_t  QAP_PLANES    bytes that the largest matrix value needs, 1..4
//   QAP_SYMMETRIC    1: a and b are both symmetric  QAP_DIAGONAL  1: costs depend on the diagonals
//   QAP_DELTA_SCALE  factor of an internal delta; see below
//   QAP_VALUE        type of an internal delta: float if all |deltas| < 2^24, int32_t if < 2^31, else int64_t;
//                    int64_t also with forbidden pairs
//   QAP_LINEAR       1: facilities have linear costs, which include the penalties of forbidden pairs;
//                    QAP_DELTA_SCALE is 1 then (default 0)
//   QAP_WHOLE        1: internal deltas are not halved, because linear costs may be odd (default 0)
//   QAP_LINEAR_ELEMENT  type of the linear costs for deltas (default: Sum, see below)
//   QAP_ROW          elements from row to row of a matrix in memory; elements past column N - 1 are zero
//                    (default QAP_N)
// Values of a and b are not negative: the host subtracts the least off-diagonal value of a matrix from all its
// off-diagonal values, and corrects `cost_offset`. Deltas do not change. Diagonals are shifted alike. The host numbers
// the free positions first, ascending, then the fixed ones. The host arranges the rows and columns of a in that order
// and stores the original numbers in `order` (null if nothing is fixed). Solutions in memory keep the original order.
//
// If both matrices are symmetric with a zero diagonal, internal deltas are half the change of the cost, and
// QAP_DELTA_SCALE is 2. Otherwise internal deltas are the whole change, and QAP_DELTA_SCALE is 1. If only one matrix is
// symmetric and diagonals do not matter, the host replaces the other matrix M by M + M^T. That doubles the sum, so
// QAP_DELTA_SCALE is 1 with halved deltas. Linear costs may be odd. So with linear costs the host doubles a or b, or
// deltas are whole (QAP_WHOLE).
#include "qapfw/kernels/device_team.hpp"
#include "qapfw/kernels/platform.hpp"

#ifndef QAP_ROW
#define QAP_ROW QAP_N
#endif

#ifndef QAP_LINEAR
#define QAP_LINEAR 0
#endif

#ifndef QAP_WHOLE
#define QAP_WHOLE 0
#endif

#define QAPFW_MOVABLE_FIRST 1  // movable positions are numbered first; see qapfw/kernels/swap_neighbourhood.hpp

namespace qapfw::qap {

using Element = QAP_ELEMENT;
using Value = QAP_VALUE;

constexpr int kN = QAP_N;
constexpr int kMovable = QAP_MOVABLE;
constexpr int kRow = QAP_ROW;
constexpr int kPlanes = QAP_PLANES;
constexpr bool kSymmetric = QAP_SYMMETRIC != 0;
constexpr bool kDiagonal = QAP_DIAGONAL != 0;
/// If true, a delta counts half of the change of sum_ij a_ij b_p(i)p(j); otherwise it counts the whole change.
constexpr bool kHalves = kSymmetric && !kDiagonal && QAP_WHOLE == 0;
constexpr int kDeltaScale = QAP_DELTA_SCALE;
constexpr bool kLinear = QAP_LINEAR != 0;
static_assert(!kLinear || kDeltaScale == 1, "linear costs have the unit of costs, so deltas must have it too");
/// Number of sides of a matrix: side 0 is its rows, side 1 its columns. Symmetric matrices need only side 0.
constexpr int kSides = kSymmetric ? 1 : 2;

/// The type of integer sums whose result fits a Value. Partial sums may wrap around.
template <class V>
struct SumOf {
    using type = int32_t;
};
template <>
struct SumOf<int64_t> {
    using type = int64_t;
};
using Sum = SumOf<Value>::type;
#ifdef QAP_LINEAR_ELEMENT
using LinearElement = QAP_LINEAR_ELEMENT;
#else
using LinearElement = Sum;
#endif

/// The data of the instance that kernels get: numbers, and pointers to device memory that the host owns.
struct View {
    /// N rows of a; rows and columns in the movable-first order; if kSides is 2, the transposed matrix follows.
    const Element* a;
    const Element* b;       ///< N rows of b, for locations; if kSides is 2, the transposed matrix follows
    const uint16_t* order;  ///< original number of each position; null if nothing is fixed
    int64_t cost_offset;
    const int64_t* linear =
        nullptr;        ///< N rows in the movable-first order, a cost for each location; null without QAP_LINEAR
    int64_t limit = 0;  ///< a swap with a delta of at least `limit` adds forbidden pairs, so it is not made
    /// Linear costs for deltas: each cost minus the least cost of its position. N rows, then the transposed matrix.
    const LinearElement* linear_rows = nullptr;
};

/// The type of the difference of two costs, in the unit of deltas. kSmall: n is at most 250.
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

/// The cost that belongs to `sum`, the sum of a_ij b_p(i)p(j) over all i and j. Linear costs are not added here.
QAPFW_DEVICE int64_t cost_from_sum(const View& view, int64_t sum) {
    return (kHalves ? sum / 2 : sum) * kDeltaScale + view.cost_offset;
}

/// The threads of `group` add up the linear costs of a solution; every thread gets the sum.
template <class Group, class Solution>
QAPFW_DEVICE int64_t linear_cost(const Group& group, const View& view, Solution solution) {
    if constexpr (!kLinear) {
        return 0;
    } else {
        int64_t sum = 0;
        for (int i = group.rank(); i < kN; i += group.size())
            sum += view.linear[static_cast<int64_t>(i) * kN + solution(i)];
        return group.sum(sum);
    }
}

/// The linear cost of a value at a position, minus the least linear cost at that position. `transposed` reads the
/// transposed table, where the costs at neighbouring positions have neighbouring addresses.
QAPFW_DEVICE Sum linear_at(const View& view, int position, int value, bool transposed = false) {
    return static_cast<Sum>(view.linear_rows[transposed ? (kN + value) * kN + position : position * kN + value]);
}
/// The change of the linear costs when value_i at position i and value_j at position j are swapped.
QAPFW_DEVICE Sum linear_change(const View& view, int i, int value_i, int j, int value_j) {
    return linear_at(view, i, value_j) + linear_at(view, j, value_i, true) - linear_at(view, i, value_i) -
           linear_at(view, j, value_j);
}

/// The product a_ij b_p(i)p(j).
template <class Solution>
QAPFW_DEVICE int64_t product(const View& view, Solution solution, int i, int j) {
    return static_cast<int64_t>(view.a[i * kRow + j]) *
           static_cast<int64_t>(view.b[static_cast<int64_t>(solution(i)) * kRow + solution(j)]);
}

/// This thread's part of the sum of what(k) over 0 <= k < kCount. The thread takes each k whose remainder modulo the
/// group size is the thread's rank. Up to twelve loads of a thread overlap; loads past the end repeat entry 0 and do
/// not count.
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

/// The threads of `group` compute the cost of a solution; every thread gets the cost. `solution(i)` is p(i) with i in
/// the movable-first order. O(n^2).
template <class Group, class Solution>
QAPFW_DEVICE int64_t cost(Group group, const View& view, Solution solution) {
    int64_t sum = 0;
    if constexpr (kSymmetric) {
        // Below the diagonal, row r has r entries and row n - 1 - r has n - 1 - r entries, together n - 1.
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
    return cost_from_sum(view, group.sum(sum)) + linear_cost(group, view, solution);
}

}  // namespace qapfw::qap
