// SPDX-License-Identifier: Apache-2.0
// Common parts of TableNeighbourhood and AssignedNeighbourhood, which read the matrices from device memory.
#include "problems/qap/device/qap_problem.cuh"

namespace qapfw::qap {

template <int kWarps>
struct PlainBase {
    using Value = qap::Value;
    using View = qap::View;
    using Group = kernels::Team<kWarps>;
    using Total = typename TotalOf<qap::Value, (kN <= 250)>::type;
    static constexpr int kThreads = 32 * kWarps;
    static constexpr int kPositions = kN;
    static constexpr int kMovable = qap::kMovable;
    static constexpr bool kInRegisters = false;
    /// The factor of the sum of products in a delta. It is 2 if the matrices are symmetric and deltas are not halved
    /// (see QAP_DELTA_SCALE).
    static constexpr int kFactor = kSymmetric && !kHalves ? 2 : 1;

    struct BlockShared {};
    struct TeamShared {
        uint16_t solution[kN];
        int64_t cost;
    };
    struct Pair {
        int i, j;
    };

    QAPFW_DEVICE PlainBase(const View& view, TeamShared& team) : view_(view), shared_(team) {}

    static QAPFW_DEVICE void load_block(BlockShared&, const View&) {}
    static QAPFW_DEVICE int original_position(const View& view, int position) {
        return qap::original_position(view, position);
    }
    static QAPFW_DEVICE int64_t cost_change(Total deltas) { return static_cast<int64_t>(deltas) * kDeltaScale; }
    static QAPFW_DEVICE Total total_of_cost(int64_t change) { return static_cast<Total>(change / kDeltaScale); }
    static QAPFW_DEVICE Value threshold(Total behind) {
        if constexpr (sizeof(Value) == 8 || sizeof(Total) == 4)
            return -static_cast<Value>(behind);
        else
            return -static_cast<Value>(static_cast<int32_t>(behind < 0x7FFFFFFF ? behind : 0x7FFFFFFF));
    }
    static QAPFW_DEVICE uint32_t code_of(Pair pair) { return kernels::code_of_pair(pair.i, pair.j); }

    QAPFW_DEVICE int value_at(int position) const { return shared_.solution[position]; }
    QAPFW_DEVICE uint16_t* solution() { return shared_.solution; }
    QAPFW_DEVICE void load(const uint16_t* solution) {
        for (int v = group_.rank(); v < kN; v += kThreads)
            shared_.solution[v] = solution[qap::original_position(view_, v)];
        group_.sync();
    }
    QAPFW_DEVICE void store(uint16_t* solution) const {
        for (int v = group_.rank(); v < kN; v += kThreads)
            solution[qap::original_position(view_, v)] = shared_.solution[v];
    }

    /// The cost, computed from scratch; every thread gets it.
    QAPFW_DEVICE int64_t cost() {
        if (group_.rank() == 0) shared_.cost = 0;
        group_.sync();
        int64_t sum = 0;
        for (int i = group_.warp(); i < kN; i += kWarps)
            for (int j = group_.lane(); j < kN; j += 32)
                sum += static_cast<int64_t>(view_.a[i * kRow + j]) *
                       static_cast<int64_t>(view_.b[value_at(i) * kRow + value_at(j)]);
        atomicAdd(reinterpret_cast<unsigned long long*>(&shared_.cost), static_cast<unsigned long long>(sum));
        group_.sync();
        if constexpr (kLinear) {
            const int64_t products = shared_.cost;
            group_.sync();
            if (group_.rank() == 0) shared_.cost = 0;
            group_.sync();
            int64_t own = 0;
            for (int i = group_.rank(); i < kN; i += kThreads)
                own += view_.linear[static_cast<int64_t>(i) * kN + value_at(i)];
            atomicAdd(reinterpret_cast<unsigned long long*>(&shared_.cost), static_cast<unsigned long long>(own));
            group_.sync();
            return cost_from_sum(view_, products) + shared_.cost;
        }
        return cost_from_sum(view_, shared_.cost);
    }

  protected:
    /// Entry (i, j) of the matrix `a`, with 0 on the diagonal. Side 1 is the transposed matrix.
    QAPFW_DEVICE Sum a(int side, int i, int j) const {
        return kDiagonal && i == j ? 0 : static_cast<Sum>(view_.a[side == 0 ? i * kRow + j : j * kRow + i]);
    }
    QAPFW_DEVICE Sum b(int side, int i, int j) const {
        return kDiagonal && i == j ? 0 : static_cast<Sum>(view_.b[side == 0 ? i * kRow + j : j * kRow + i]);
    }

    /// The part of a pair's delta that does not come from row sums.
    QAPFW_DEVICE Sum own_product(int i, int j) const {
        const int value_i = value_at(i), value_j = value_at(j);
        Sum sum = 0;
        if constexpr (kSymmetric) {
            sum = 2 * kFactor * a(0, i, j) * b(0, value_i, value_j);
        } else {
            sum = (a(0, i, j) + a(1, i, j)) * (b(0, value_i, value_j) + b(1, value_i, value_j));
        }
        if constexpr (kDiagonal) sum += diagonal_change(i, value_i, j, value_j);
        if constexpr (kLinear) sum += linear_change(view_, i, value_i, j, value_j);
        return sum;
    }
    /// Contribution of the diagonals to a delta.
    QAPFW_DEVICE Sum diagonal_change(int i, int value_i, int j, int value_j) const {
        return (static_cast<Sum>(view_.a[i * kRow + i]) - static_cast<Sum>(view_.a[j * kRow + j])) *
               (static_cast<Sum>(view_.b[value_j * kRow + value_j]) -
                static_cast<Sum>(view_.b[value_i * kRow + value_i]));
    }

    /// One thread computes the delta of a pair from scratch, in O(n). The formula is Eq. 4 of Tsutsui and Fujimoto
    /// (2011), rearranged.
    QAPFW_DEVICE Value delta_of(int i, int j) const {
        if (i == j) return kernels::Nothing<Value>::value();
        const int value_i = value_at(i), value_j = value_at(j);
        Sum sum = 0;
        for (int k = 0; k < kN; ++k)
            for (int side = 0; side < kSides; ++side)
                sum +=
                    (a(side, i, k) - a(side, j, k)) * (b(side, value_j, value_at(k)) - b(side, value_i, value_at(k)));
        return static_cast<Value>(kFactor * sum + own_product(i, j));
    }

    /// Swaps the values of positions r and s. The team is then synchronised, so that all threads see the new
    /// permutation.
    QAPFW_DEVICE void exchange(int r, int s) {
        group_.sync();
        if (group_.rank() == 0) {
            const uint16_t value = shared_.solution[r];
            shared_.solution[r] = shared_.solution[s];
            shared_.solution[s] = value;
        }
        group_.sync();
    }

    View view_;
    TeamShared& shared_;
    Group group_;
};

}  // namespace qapfw::qap
