// SPDX-License-Identifier: Apache-2.0
// The cost of a child by a warp that has the child, its parent and the parent's cost, as in genetic algorithms. If d
// positions have changed, only their rows differ (and, if matrices are not symmetric, their columns). Work of the two
// methods:
//   full cost    n rows; of symmetric matrices only half of each row. Two loads for an entry: n^2 / 32 loads of the
//                warp. If entries are bytes and n <= 128, qap_packed_cost.cuh takes about 1/5 of the instructions.
//   difference   d rows, three loads for an entry: 3 d n / 32 loads. This pays up to d = n / 3, or up to n / 12 if
//                qap_packed_cost.cuh computes the full cost.
// The columns of asymmetric matrices are spread over rows, so a load touches many cache lines; there the difference
// pays up to n / 16. Every lane keeps the values of its own positions (lane, lane + 32, ...) in registers. With n > 256
// there are too few registers, and the full cost is always computed. Rows of a are contiguous, and the entries of one
// row of b lie close together. This text comes after qap_problem.cuh.
#include "problems/qap/device/qap_packed_cost.cuh"

namespace qapfw::qap {

constexpr bool kChildInRegisters = kChildRounds <= 8;
constexpr int kWorthwhile =  ///< up to this many changed positions, the difference takes less work than the full cost
    kPacked      ? (kSymmetric ? kN / 12 : kN / 16)
    : kSymmetric ? kN / 3
                 : kN / 16;

/// The type of an entry and of the difference of two entries, if an entry has kBytes bytes.
template <int kBytes>
struct EntryOf {
    using type = int64_t;
};
template <>
struct EntryOf<1> {
    using type = int32_t;
};
template <>
struct EntryOf<2> {
    using type = int32_t;
};
using Entry = EntryOf<sizeof(Element)>::type;

/// The type of a lane's sum over all rows. A lane adds up n / 32 products for each row. If entries are bytes and
/// n <= 256, the sum fits 32 bits.
template <bool kFits>
struct LaneSumOf {
    using type = int64_t;
};
template <>
struct LaneSumOf<true> {
    using type = int32_t;
};
using LaneSum = LaneSumOf<sizeof(Element) == 1 && kN <= 256>::type;

/// Computes sum_ij a_ij b_p(i)p(j) over all i and j by a warp, in 64 bits. `own`: p(j) of each position j that this
/// lane sums over.
template <class Group, class Solution>
QAPFW_DEVICE int64_t child_sum(Group group, const View& view, Solution solution, const int (&own)[kChildRounds]) {
    const int lane = group.rank();
    LaneSum sum = 0, on_diagonal = 0;
#pragma unroll
    for (int stretch = 0; stretch < kChildRounds; ++stretch) {
        const int last = kN - 32 * stretch < 32 ? kN - 32 * stretch : 32;
        for (int k = 0; k < last; ++k) {
            const int i = 32 * stretch + k;
            const Element* const a = view.a + i * kRow;
            const Element* const b = view.b + solution(i) * kRow;
#pragma unroll
            for (int round = 0; round < kChildRounds; ++round) {
                if (kSymmetric && round > stretch) continue;
                const int j = 32 * round + lane;
                const bool wanted = kSymmetric && round == stretch ? lane < k : j < kN;
                if (wanted) sum += static_cast<LaneSum>(a[j]) * static_cast<LaneSum>(b[own[round]]);
            }
            if (kSymmetric && kDiagonal && lane == k) {
                on_diagonal += static_cast<LaneSum>(a[i]) * static_cast<LaneSum>(b[own[stretch]]);
            }
        }
    }
    const int64_t all = static_cast<int64_t>(sum);
    return group.sum(kSymmetric ? 2 * all + static_cast<int64_t>(on_diagonal) : all);
}

/// Access to entries of the matrices in device memory.
struct MatricesInMemory {
    const View& view;
    QAPFW_DEVICE Entry entry_of_a(int i, int j) const { return static_cast<Entry>(view.a[i * kRow + j]); }
    QAPFW_DEVICE Entry entry_of_b(int k, int l) const { return static_cast<Entry>(view.b[k * kRow + l]); }
};

/// Returns this lane's part of how much sum_ij a_ij b_p(i)p(j) changes in row i and column i if p changes from `before`
/// to `after`. Position i must have changed. An entry whose row and column both changed counts only for its row.
template <class Matrices, class Parent, class Child>
QAPFW_DEVICE LaneSum row_change(const Matrices& m, int lane, int i, Parent parent, Child child,
                                const int (&before)[kChildRounds], const int (&after)[kChildRounds],
                                const uint32_t (&changed)[kChildRounds]) {
    const int old_row = parent(i), new_row = child(i);
    LaneSum sum = 0;
#pragma unroll
    for (int round = 0; round < kChildRounds; ++round) {
        const int j = 32 * round + lane;
        if (j >= kN) continue;
        const bool both = ((changed[round] >> lane) & 1u) != 0;
        const Entry row = m.entry_of_b(new_row, after[round]) - m.entry_of_b(old_row, before[round]);
        const LaneSum of_row = static_cast<LaneSum>(m.entry_of_a(i, j)) * row;
        if (kSymmetric || both) {
            sum += both ? of_row : 2 * of_row;
        } else {
            const Entry column = m.entry_of_b(after[round], new_row) - m.entry_of_b(before[round], old_row);
            sum += of_row + static_cast<LaneSum>(m.entry_of_a(j, i)) * column;
        }
    }
    return sum;
}

/// Difference of a child from its parent. Each lane has the values at its own positions.
struct Change {
    int before[kChildRounds], after[kChildRounds];
    uint32_t changed[kChildRounds];  ///< masks of the lanes whose position has changed
    int count = 0;

    template <class Parent, class Child>
    QAPFW_DEVICE Change(int lane, Parent parent, Child child) {
#pragma unroll
        for (int round = 0; round < kChildRounds; ++round) {
            const int j = 32 * round + lane;
            before[round] = j < kN ? parent(j) : 0;
            after[round] = j < kN ? child(j) : 0;
            changed[round] = __ballot_sync(kernels::kAllLanes, before[round] != after[round]);
            count += __popc(changed[round]);
        }
    }

    /// The child's cost, from its parent's cost.
    template <class Matrices, class Group, class Parent, class Child>
    QAPFW_DEVICE int64_t cost(const Matrices& m, Group group, const View& view, Parent parent, int64_t of_parent,
                              Child child) const {
        LaneSum sum = 0;
#pragma unroll
        for (int round = 0; round < kChildRounds; ++round) {
            for (uint32_t left = changed[round]; left != 0; left &= left - 1) {
                const int i = 32 * round + __ffs(static_cast<int>(left)) - 1;
                sum += row_change(m, group.rank(), i, parent, child, before, after, changed);
            }
        }
        int64_t linear = 0;
        if constexpr (kLinear) linear = linear_cost(group, view, child) - linear_cost(group, view, parent);
        const int64_t change = kPacked ? int64_t{group.sum(sum)} : group.sum(int64_t{sum});
        return of_parent + (kHalves ? change / 2 : change) * kDeltaScale + linear;
    }
};

/// Computes costs with the matrices in device memory. See qapfw/kernels/ga_block.hpp.
struct ChildCostsInMemory {
    QAPFW_DEVICE void load(const View&) {}

    template <class Group, class Solution>
    QAPFW_DEVICE int64_t of(Group group, const View& view, Solution solution) {
        return cost(group, view, solution);
    }
    template <class Group, class Parent, class Child>
    QAPFW_DEVICE int64_t after(Group group, const View& view, Parent parent, int64_t of_parent, Child child) {
        static_assert(Group::size() == 32, "masks have a bit for each lane");
        if constexpr (!kChildInRegisters) {
            return cost(group, view, child);
        } else {
            const Change change(group.rank(), parent, child);
            if (change.count > kWorthwhile) {
                return cost_from_sum(view, child_sum(group, view, child, change.after)) +
                       linear_cost(group, view, child);
            }
            return change.cost(MatricesInMemory{view}, group, view, parent, of_parent, child);
        }
    }
};

/// Computes costs with the matrices as bytes in shared memory.
struct PackedChildCosts {
    PackedMatrices matrices;

    QAPFW_DEVICE void load(const View& view) { matrices.load(view); }

    template <class Group, class Solution>
    QAPFW_DEVICE int64_t of(Group group, const View& view, Solution solution) {
        int own[kChildRounds];
#pragma unroll
        for (int round = 0; round < kChildRounds; ++round) {
            const int i = 32 * round + group.rank();
            own[round] = i < kN ? solution(i) : 0;
        }
        return of_own(group, view, own) + linear_cost(group, view, solution);
    }
    template <class Group, class Parent, class Child>
    QAPFW_DEVICE int64_t after(Group group, const View& view, Parent parent, int64_t of_parent, Child child) {
        const Change change(group.rank(), parent, child);
        if (change.count > kWorthwhile) return of_own(group, view, change.after) + linear_cost(group, view, child);
        return change.cost(matrices, group, view, parent, of_parent, child);
    }

  private:
    template <class Group>
    QAPFW_DEVICE int64_t of_own(Group group, const View& view, const int (&own)[kChildRounds]) {
        static_assert(Group::size() == 32,
                      "each lane of a warp has its own positions, so the group must be a whole warp");
        const int warp = static_cast<int>(threadIdx.x / 32);
        return cost_from_sum(view, static_cast<int64_t>(packed_sum(group, matrices, warp, own)));
    }
};

template <bool kOfBytes>
struct ChildCostsOf {
    using type = ChildCostsInMemory;
};
template <>
struct ChildCostsOf<true> {
    using type = PackedChildCosts;
};
using ChildCosts = ChildCostsOf<kPacked>::type;

}  // namespace qapfw::qap
