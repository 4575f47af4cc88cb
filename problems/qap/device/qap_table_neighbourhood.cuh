// SPDX-License-Identifier: Apache-2.0
// The swap neighbourhood for instances whose pairs do not fit into registers or whose matrices do not fit into shared
// memory: deltas and words in the search's workspace in device memory, matrices read through the caches. Same
// arithmetic as qap_tile_neighbourhood.cuh. The row sums of touched pairs {z, v}, H_vz + H_zv with z = r, s, are
//   sum_k a_vk b_p(z)p(k)  +  sum_l a_z,p^-1(l) b_p(v),l :
// columns of the two matrices times vectors that all threads read at the same place. A thread takes the sums of one
// position, or of one location, for r and s together, and its neighbours read next to it.
#include "problems/qap/device/qap_plain_base.cuh"

namespace qapfw::qap {

/// What a search has in shared memory if there is room.
template <class T, bool kPresent>
struct IfPresent {
    T value;
};
template <class T>
struct IfPresent<T, false> {};

/// Pairs are dealt as (i, i + d mod m), d <= m / 2: a warp looks after whole rows i, its lanes after consecutive
/// distances d, so that what is read per pair is contiguous. For even m a pair of distance m / 2 has two slots.
template <int kWarps>
struct TableNeighbourhood : PlainBase<kWarps> {
    using Base = PlainBase<kWarps>;
    using Base::group_;
    using Base::kFactor;
    using Base::kThreads;
    using Base::shared_;
    using Base::view_;
    static constexpr int kMovable = qap::kMovable;
    static constexpr int kDistances = kMovable / 2;
    static constexpr int kChunks = kDistances > 0 ? (kDistances + 31) / 32 : 1;
    static constexpr int kRows = (kMovable + kWarps - 1) / kWarps;  ///< of a warp
    static constexpr int kGroups = 1;
    static constexpr int kSlots = kRows * kChunks;
    static constexpr int kGroupSize = kSlots;

    struct alignas(2 * sizeof(Value)) Factors {
        Value x, y;
    };
    /// Something of both exchanged positions.
    struct alignas(2 * sizeof(Sum)) Both {
        Sum r, s;
    };
    static constexpr int kTogether = 4;  ///< outer products that reset() adds in one pass over the pairs
    /// What an exchange needs of every position v and every location l.
    struct Vectors {
        Factors factors[kTogether][kSides][kN];  ///< x_v and y_v; an exchange uses the first
        Both by_position[kSides][kN];            ///< b_p(z)p(v)
        Both by_location[kSides][kN];            ///< a_z,p^-1(l)
        Both sums[2][kN];                        ///< sum_k a_vk b_p(z)p(k), and sum_k a_zk b_l,p(k)
        Sum diagonal[kN];                        ///< H_vv
    };
    static constexpr bool kVectorsInShared = sizeof(Vectors) <= 64 * 1024;
    struct TeamShared : Base::TeamShared {
        Sum own[2];  ///< H_rr and H_ss
        IfPresent<Vectors, kVectorsInShared> vectors;
    };
    using BlockShared = typename Base::BlockShared;

    static constexpr uint64_t rounded(uint64_t bytes) { return (bytes + 255) / 256 * 256; }
    static constexpr uint64_t kDeltaBytes = rounded(static_cast<uint64_t>(kSlots) * kThreads * sizeof(Value));
    static constexpr uint64_t kWordBytes = rounded(static_cast<uint64_t>(kSlots) * kThreads * 4);
    static constexpr uint64_t kWorkspaceBytes =
        kDeltaBytes + kWordBytes + (kVectorsInShared ? 0 : rounded(sizeof(Vectors)));

    QAPFW_DEVICE TableNeighbourhood(const View& view, BlockShared&, TeamShared& team, void* workspace)
        : Base(view, team),
          team_(team),
          vectors_(vectors_of(team, static_cast<char*>(workspace) + kDeltaBytes + kWordBytes)),
          deltas_(static_cast<Value*>(workspace)),
          words_(reinterpret_cast<int32_t*>(static_cast<char*>(workspace) + kDeltaBytes)) {}

    QAPFW_DEVICE Value delta(int slot) const { return deltas_[place_of(slot)]; }
    QAPFW_DEVICE int32_t word(int slot) const { return words_[place_of(slot)]; }
    QAPFW_DEVICE uint32_t pair_code(int slot) const {
        const int i = group_.warp() + slot / kChunks * kWarps;
        const int j = wrapped(i + 1 + slot % kChunks * 32 + group_.lane());
        return Base::code_of(i < j ? typename Base::Pair{i, j} : typename Base::Pair{j, i});
    }

    QAPFW_DEVICE int64_t reset() {
        for (int slot = 0; slot < kSlots; ++slot) {
            deltas_[place_of(slot)] = kernels::Nothing<Value>::value();
            words_[place_of(slot)] = 0x7FFFFFFF;
        }
        for (int v = group_.rank(); v < kN; v += kThreads) vectors_.diagonal[v] = 0;
        for (int i = group_.warp(); i < kMovable; i += kWarps)
            for (int d = 1 + group_.lane(); d <= kDistances; d += 32)
                deltas_[place_of(i, d)] = static_cast<Value>(Base::own_product(i, wrapped(i + d)));
        for (int k = 0; k < kN; k += kTogether) add_outer_products(k);
        group_.sync();
        return Base::current_cost();
    }
    template <class Search>
    QAPFW_DEVICE void refresh(const Search& search) {
        for (int i = group_.warp(); i < kMovable; i += kWarps) {
            for (int d = 1 + group_.lane(); d <= kDistances; d += 32) {
                const int j = wrapped(i + d);
                words_[place_of(i, d)] = search.payload(i, Base::value_at(i), j, Base::value_at(j));
            }
        }
    }

    template <class Search>
    QAPFW_DEVICE void apply(int r, int s, const Search& search) {
        Base::exchange(r, s);
        stage(r, s);
        group_.sync();
        take_sums();
        subtract_factors<1>();
        group_.sync();
        replace_touched(r, s, search);
        group_.sync();
    }

  private:
    static QAPFW_DEVICE Vectors& vectors_of(TeamShared& team, char* workspace) {
        if constexpr (kVectorsInShared)
            return team.vectors.value;
        else
            return *reinterpret_cast<Vectors*>(workspace);
    }
    static QAPFW_DEVICE int wrapped(int position) { return position < kMovable ? position : position - kMovable; }
    /// Where the delta and the word of a slot of this thread are, and those of pair (i, i + d).
    QAPFW_DEVICE int place_of(int slot) const { return slot * kThreads + group_.rank(); }
    static QAPFW_DEVICE int place_of(int i, int d) {
        const int slot = i / kWarps * kChunks + (d - 1) / 32;
        return slot * kThreads + i % kWarps * 32 + (d - 1) % 32;
    }

    QAPFW_DEVICE void stage_factors(int product, int side, int v, Sum x, Sum y) {
        vectors_.factors[product][side][v] = Factors{static_cast<Value>(x), static_cast<Value>(y * kFactor)};
    }
    /// value -= (x_i - x_j)(y_i - y_j) for all pairs and the first `kProducts` products.
    template <int kProducts>
    QAPFW_DEVICE void subtract_factors() {
        for (int i = group_.warp(); i < kMovable; i += kWarps) {
            Factors row[kProducts][kSides];
#pragma unroll
            for (int product = 0; product < kProducts; ++product)
#pragma unroll
                for (int side = 0; side < kSides; ++side) row[product][side] = vectors_.factors[product][side][i];
            const int first = place_of(i, 1) + group_.lane();
#pragma unroll 4
            for (int chunk = 0; chunk < kChunks; ++chunk) {
                const int d = 1 + chunk * 32 + group_.lane();
                if (d > kDistances) continue;
                const int j = wrapped(i + d);
                Value change = 0;
#pragma unroll
                for (int product = 0; product < kProducts; ++product)
#pragma unroll
                    for (int side = 0; side < kSides; ++side) {
                        const Factors column = vectors_.factors[product][side][j];
                        change += (row[product][side].x - column.x) * (column.y - row[product][side].y);
                    }
                deltas_[first + chunk * kThreads] += change;
            }
        }
    }

    /// H += a_.k b_.k^T for `kTogether` k, as far as deltas and H_vv go; products past the end are zero.
    QAPFW_DEVICE void add_outer_products(int first) {
        group_.sync();
        for (int product = 0; product < kTogether; ++product) {
            const int k = first + product;
            const int value = k < kN ? Base::value_at(k) : 0;
            for (int v = group_.rank(); v < kN; v += kThreads) {
                for (int side = 0; side < kSides; ++side) {
                    const Sum x = k < kN ? Base::a(side, k, v) : 0;
                    const Sum y = k < kN ? Base::b(side, value, Base::value_at(v)) : 0;
                    vectors_.diagonal[v] += x * y;
                    stage_factors(product, side, v, x, y);
                }
            }
        }
        group_.sync();
        subtract_factors<kTogether>();
    }

    /// First part of apply: what the others read, and H_vv after the exchange.
    QAPFW_DEVICE void stage(int r, int s) {
        const int value_r = Base::value_at(r), value_s = Base::value_at(s);
        for (int v = group_.rank(); v < kN; v += kThreads) {
            const int here = Base::value_at(v);
            for (int side = 0; side < kSides; ++side) {
                const Both a{Base::a(side, r, v), Base::a(side, s, v)};
                const Both b{Base::b(side, value_r, here), Base::b(side, value_s, here)};
                vectors_.by_position[side][v] = b;
                vectors_.by_location[side][here] = a;
                vectors_.diagonal[v] += (a.r - a.s) * (b.r - b.s);
                stage_factors(0, side, v, a.r - a.s, b.r - b.s);
            }
        }
        // H_rr and H_ss: the first two warps, or one after the other
        for (int which = group_.warp(); which < 2; which += kWarps) {
            const int z = which == 0 ? r : s;
            const Sum sum = Base::row_sum(z, z, z, z);
            if (group_.lane() == 0) team_.own[which] = sum;
        }
    }

    /// The sums of every position and every location with both vectors. Side 0 of a row is side 1 of a column.
    QAPFW_DEVICE void take_sums() {
        for (int unit = group_.rank(); unit < 2 * kN; unit += kThreads) {
            const bool of_location = unit >= kN;
            const int at = of_location ? unit - kN : unit;
            const Element* const matrix = of_location ? view_.b : view_.a;
            Both sum{0, 0};
            for (int side = 0; side < kSides; ++side) {
                const Both* const vector = of_location ? vectors_.by_location[side] : vectors_.by_position[side];
                const bool by_column = kSymmetric || side == 1;
                const Element* const start = matrix + (by_column ? at : at * kN);
                const int step = by_column ? kN : 1;
#pragma unroll 8
                for (int k = 0; k < kN; ++k) {
                    const Sum entry = kDiagonal && k == at ? 0 : static_cast<Sum>(start[k * step]);
                    sum.r += entry * vector[k].r;
                    sum.s += entry * vector[k].s;
                }
            }
            vectors_.sums[of_location ? 1 : 0][at] = sum;
        }
    }

    /// The deltas and words of all pairs {r, v} and {s, v}.
    template <class Search>
    QAPFW_DEVICE void replace_touched(int r, int s, const Search& search) {
        for (int v = group_.rank(); v < kMovable; v += kThreads) {
            const Both of_position = vectors_.sums[0][v], of_location = vectors_.sums[1][Base::value_at(v)];
            for (int which = 0; which < 2; ++which) {
                const int z = which == 0 ? r : s, other = which == 0 ? s : r;
                if (v == z) continue;
                const Sum sum = which == 0 ? of_position.r + of_location.r : of_position.s + of_location.s;
                const Sum diagonal = v == other ? team_.own[1 - which] : vectors_.diagonal[v];
                const Sum delta = kFactor * (sum - team_.own[which] - diagonal) + Base::own_product(z, v);
                const int32_t word = v == other ? search.exchanged_payload()
                                                : search.payload(z, Base::value_at(z), v, Base::value_at(v));
                put(z, v, static_cast<Value>(delta), word);
                put(v, z, static_cast<Value>(delta), word);
            }
            if (v == r || v == s) vectors_.diagonal[v] = team_.own[v == r ? 0 : 1];
        }
    }
    /// Into the slot of pair (i, i + d) where j is i + d.
    QAPFW_DEVICE void put(int i, int j, Value delta, int32_t word) {
        const int d = j > i ? j - i : j - i + kMovable;
        if (d > kDistances) return;
        deltas_[place_of(i, d)] = delta;
        words_[place_of(i, d)] = word;
    }

    TeamShared& team_;
    Vectors& vectors_;
    Value* deltas_;   ///< of all threads: place_of
    int32_t* words_;  ///< likewise
};

}  // namespace qapfw::qap
