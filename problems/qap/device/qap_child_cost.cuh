// SPDX-License-Identifier: Apache-2.0
// The cost of a solution that a warp has at hand together with its parent, whose cost is known: what a genetic
// algorithm asks for. With d changed positions only their rows (and columns, where matrices are not symmetric) differ:
//   full cost     n rows; with symmetric matrices half of each, two loads an entry: n^2 / 32 loads of the warp
//   difference    d rows, three loads an entry: 3 d n / 32 loads, so it pays up to d = n / 3
// and the columns of asymmetric matrices are 32 rows apart each, so that a load touches many lines: up to n / 16.
// Every lane keeps the values of its own positions (lane, lane + 32, ...) in registers; rows of a are read side by
// side, and the entries of one row of b lie close together. Comes after qap_problem.cuh.

namespace qapfw::qap {

constexpr int kChildRounds = (kN + 31) / 32;  ///< positions of one lane
constexpr bool kChildInRegisters = kChildRounds <= 8;
constexpr int kWorthwhile = kSymmetric ? kN / 3 : kN / 16;  ///< changed positions up to which the difference pays

/// An entry as a number that differences and, where they fit, products are taken of.
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

/// With bytes a lane's sum of n / 32 products a row fits 32 bits.
template <bool kFits>
struct LaneSumOf {
    using type = int64_t;
};
template <>
struct LaneSumOf<true> {
    using type = int32_t;
};
using LaneSum = LaneSumOf<sizeof(Element) == 1 && kN <= 256>::type;

/// sum_ij a_ij b_p(i)p(j) over all i, j by a warp; p(j) of a lane's own positions in `own`. 64 bits.
template <class Group, class Solution>
QAPFW_DEVICE int64_t child_sum(Group group, const View& view, Solution solution, const int (&own)[kChildRounds]) {
    const int lane = group.rank();
    LaneSum sum = 0, on_diagonal = 0;
#pragma unroll
    for (int stretch = 0; stretch < kChildRounds; ++stretch) {
        const int last = kN - 32 * stretch < 32 ? kN - 32 * stretch : 32;
        for (int k = 0; k < last; ++k) {
            const int i = 32 * stretch + k;
            const Element* const a = view.a + i * kN;
            const Element* const b = view.b + solution(i) * kN;
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

/// The change of that sum from `before` to `after` by the rows of changed position i, and by its column where that is
/// another thing. Pairs of two changed positions come once from each of them.
template <class Parent, class Child>
QAPFW_DEVICE int64_t row_change(const View& view, int lane, int i, Parent parent, Child child,
                                const int (&before)[kChildRounds], const int (&after)[kChildRounds],
                                const uint32_t (&changed)[kChildRounds]) {
    const int old_row = parent(i), new_row = child(i);
    const Element* const a = view.a + i * kN;
    const Element *const old_b = view.b + old_row * kN, *const new_b = view.b + new_row * kN;
    int64_t sum = 0;
#pragma unroll
    for (int round = 0; round < kChildRounds; ++round) {
        const int j = 32 * round + lane;
        if (j >= kN) continue;
        const bool both = ((changed[round] >> lane) & 1u) != 0;
        const Entry row = static_cast<Entry>(new_b[after[round]]) - static_cast<Entry>(old_b[before[round]]);
        const int64_t of_row = static_cast<int64_t>(static_cast<Entry>(a[j])) * row;
        if (kSymmetric || both) {
            sum += both ? of_row : 2 * of_row;
        } else {
            const Entry column = static_cast<Entry>(view.b[after[round] * kN + new_row]) -
                                 static_cast<Entry>(view.b[before[round] * kN + old_row]);
            sum += of_row + static_cast<int64_t>(static_cast<Entry>(view.a[j * kN + i])) * column;
        }
    }
    return sum;
}

/// The cost of `child`, by a warp; `of_parent` is the cost of `parent`.
template <class Group, class Parent, class Child>
QAPFW_DEVICE int64_t cost_after(Group group, const View& view, Parent parent, int64_t of_parent, Child child) {
    static_assert(Group::size() == 32, "masks have a bit for each lane");
    if constexpr (!kChildInRegisters) {
        return cost(group, view, child);
    } else {
        const int lane = group.rank();
        int before[kChildRounds], after[kChildRounds];
        uint32_t changed[kChildRounds];
        int count = 0;
#pragma unroll
        for (int round = 0; round < kChildRounds; ++round) {
            const int j = 32 * round + lane;
            before[round] = j < kN ? parent(j) : 0;
            after[round] = j < kN ? child(j) : 0;
            changed[round] = __ballot_sync(kernels::kAllLanes, before[round] != after[round]);
            count += __popc(changed[round]);
        }
        if (count > kWorthwhile) return cost_from_sum(view, child_sum(group, view, child, after));
        int64_t sum = 0;
#pragma unroll
        for (int round = 0; round < kChildRounds; ++round) {
            for (uint32_t left = changed[round]; left != 0; left &= left - 1) {
                const int i = 32 * round + __ffs(static_cast<int>(left)) - 1;
                sum += row_change(view, lane, i, parent, child, before, after, changed);
            }
        }
        const int64_t change = group.sum(sum);
        return of_parent + (kHalves ? change / 2 : change) * kDeltaScale;
    }
}

}  // namespace qapfw::qap
