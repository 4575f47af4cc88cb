// SPDX-License-Identifier: Apache-2.0
// The fast swap neighbourhood of the QAP: one team of threads for each search, with the deltas of all pairs in
// registers. Interface: qapfw/kernels/swap_neighbourhood.hpp. After positions r and s were swapped (p' is the new
// permutation, and b_ij stands for b_p'(i)p'(j)):
//   x_i = a_ir - a_is,  y_j = b_jr - b_js;  every pair {u, v} without r and s: delta/2 -= (x_u - x_v)(y_u - y_v);
//   every pair {z, v} with z = r or s:      delta/2 = H_zv + H_vz - H_zz - H_vv + 2 a_zv b_zv,  H = a b^T.
// The row sums H_zv + H_vz come from the tensor cores, H_zz from a reduction, and H_vv is kept by O(1) updates. If
// matrices are not symmetric, each sum has a row part and a column part (of the transposed matrices). One iteration has
// two barriers of the team here, and one in the search's selection.
#include "problems/qap/device/qap_matrices.cuh"
#include "problems/qap/device/qap_pair_slots.cuh"
#include "problems/qap/device/qap_straight_exchange.cuh"
#include "problems/qap/device/qap_tile_shape.cuh"
#include "problems/qap/device/qap_tile_start.cuh"

#ifndef QAP_RECOMPUTE
#define QAP_RECOMPUTE 1
#endif
#ifndef QAP_TOGETHER
#define QAP_TOGETHER 1
#endif
#ifndef QAP_SHARED_BYTES
#define QAP_SHARED_BYTES 0  ///< bytes of shared memory that the neighbourhood of one search may use
#endif

namespace qapfw::qap {

template <int kWarps>
struct TileNeighbourhood {
    using View = qap::View;
    static constexpr int kThreads = 32 * kWarps;
    static constexpr int kPositions = kN;
    static constexpr int kMovable = qap::kMovable;
    static constexpr TileShape kShape = choose_tile(kMovable, kThreads);
    static constexpr int kGroups = kShape.rows;
    static constexpr int kGroupSize = kShape.span;
    static constexpr int kSlots = kGroups * kGroupSize;
    static constexpr bool kInRegisters = true;
    static constexpr bool kRecompute = QAP_RECOMPUTE != 0;
    static constexpr bool kTogether = QAP_TOGETHER != 0;
    /// True with QAP_ALONE and few pairs per thread. Then registers are spent to reduce latency
    /// (qap_straight_exchange.cuh).
    static constexpr bool kFewPairs = QAP_ALONE != 0 && kSlots <= 24;
    using Value = DeltaOf<qap::Value, kFewPairs>::type;
    using Group = GroupOf<kWarps, kFewPairs>::type;
    /// Number of spare entries at the ends of `touched`, `base` and `own_term`. Threads without a position write there.
    static constexpr int kSpare = kFewPairs ? kThreads : 0;
    static constexpr int kClasses = residue_classes(kMovable, kShape.rows, kShape.span);
    static constexpr int kColumns = kShape.rows + kShape.span - 1;
    /// Number of entries of the arrays `factors` and `touched` below. Entry k belongs to position k % kMovable. The
    /// repeated entries save threads from computing this modulus.
    static constexpr int kExtent = kShape.row_groups * kShape.rows + kShape.span_groups * kShape.span + 1;
    static constexpr int kRounds = divide_up(kN, kThreads);  ///< most positions that one thread handles
    /// Number of warps that handle positions.
    static constexpr int kLooking = divide_up(kN, 32) < kWarps ? divide_up(kN, 32) : kWarps;
    /// Largest number of tensor tiles that a warp handles.
    static constexpr int kTiles = divide_up(divide_up(kMovable, 16), kWarps);
    /// The factor of the sum of products in a delta. It is 2 if the matrices are symmetric and deltas are not halved
    /// (see QAP_DELTA_SCALE).
    static constexpr int kFactor = kSymmetric && !kHalves ? 2 : 1;
    /// True if H_ij includes the linear cost of i at the location of j. That is possible only if kFactor is 1.
    static constexpr bool kLinearInRows = kLinear && kFactor == 1;
    static constexpr bool kOwnTerm = kDiagonal || (kLinear && !kLinearInRows);
    static constexpr uint64_t kWorkspaceBytes = 0;
    static QAPFW_DEVICE constexpr int least(int a, int b) { return a < b ? a : b; }

    using BlockShared = MatricesShared;

    struct alignas(2 * sizeof(Value)) Factors {
        Value x, y;
    };
    using Slots = PairSlots<Value, kSlots>;
    using Touched = typename Slots::Touched;  ///< the new delta and word of a pair that has a swapped position
    using Places = TouchedPlaces<kGroups, kGroupSize, static_cast<int>(sizeof(Touched))>;
    /// Shared memory through which threads pass data while they update the deltas after a swap. Between swaps other
    /// code may overwrite it.
    struct alignas(16) ExchangeShared {
        Factors factors[kSides][kFewPairs ? 1 : kExtent];
        Touched touched[2][kExtent + kSpare];
        /// 2 a_zv b_zv - H_vv, plus linear costs: [v][0] for z = r, [v][1] for z = s.
        alignas(8) Sum base[kN + kSpare][2];
        Sum own_term[kOwnTerm ? kN + kSpare : 1][2];  ///< the part of a touched delta that `kFactor` does not multiply
        alignas(16) Sum partial[kLooking][2];         ///< each warp's part of H_rr and H_ss
    };
    using Circle = TileCircle<kGroups, kExtent + kSpare>;
    using Straight = StraightShared<kFewPairs, Factors, Circle::kPlaces>;
    /// reset() and cost() use the memory of ExchangeShared too. If QAP_SHARED_BYTES leaves room, they get more memory.
    static constexpr int kExchangeBytes = static_cast<int>(sizeof(ExchangeShared));
    static constexpr int kKeptBytes =
        static_cast<int>(2 * kSides * sizeof(VectorPair) + sizeof(Straight)) + 2 * kPaddedN + 16;
    static constexpr int kRoom = QAP_SHARED_BYTES - kKeptBytes;
    using Start = PermutedProduct<Group, (kRoom > kExchangeBytes ? kRoom : kExchangeBytes)>;
    using StartShared = typename Start::Shared;
    struct TeamShared : ExchangeShared, MoreShared<static_cast<int>(sizeof(StartShared)) - kExchangeBytes>, Straight {
        VectorPair by_position[kSides], by_location[kSides];
        alignas(8) uint16_t solution[kPaddedN];
    };
    QAPFW_DEVICE TileNeighbourhood(const View& view, BlockShared& block, TeamShared& team, void*)
        : view_(view), block_(block), shared_(team) {
        const int thread = least(group_.rank(), kShape.row_groups * kShape.span_groups - 1);
        row0_ = thread % kShape.row_groups * kShape.rows;
        column0_ = row0_ + 1 + thread / kShape.row_groups * kShape.span;
        if constexpr (kFewPairs) StraightExchange<TileNeighbourhood>{*this}.start();
        // Clears both by_position and by_location: in memory, by_location follows by_position.
        auto* const vectors = reinterpret_cast<uint32_t*>(&shared_.by_position);
        for (int k = group_.rank(); k < static_cast<int>(sizeof(VectorPair)) / 4 * 2 * kSides; k += kThreads)
            vectors[k] = 0;
        group_.sync();
    }

    static QAPFW_DEVICE void load_block(BlockShared& block, const View& view) { load_matrices(block, view); }
    static QAPFW_DEVICE int original_position(const View& view, int position) {
        return qap::original_position(view, position);
    }

    /// The exact delta of a pair of this thread.
    QAPFW_DEVICE Value delta(int slot) const { return slots_.value[slot]; }
    /// The search's 32-bit word for a pair of this thread (WORD in qapfw/kernels/swap_neighbourhood.hpp).
    QAPFW_DEVICE int32_t word(int slot) const { return slots_.word[slot]; }
    static constexpr bool kTellsOldValues = true;
    QAPFW_DEVICE uint32_t pair_code(int slot) const { return pair_code(slot / kGroupSize, slot % kGroupSize); }
    QAPFW_DEVICE uint32_t pair_code(int group, int member) const {
        const int i = wrapped(kernels::opaque(row0_) + group);
        const int j = wrapped(kernels::opaque(column0_) + group + member);
        return i < j ? kernels::code_of_pair(i, j) : kernels::code_of_pair(j, i);
    }
    QAPFW_DEVICE int value_at(int position) const { return shared_.solution[position]; }
    /// The type of a sum of deltas, which is counted in the unit of deltas. In this unit, two costs differ by less than
    /// n / 2 times delta_bound() of qap_device_plan.hpp. So 32 bits suffice for float deltas and n up to 250.
    using Total = TotalOf<qap::Value, (kN <= 250)>::type;
    /// @{
    /// These two functions convert a sum of deltas into the change of the cost, and back.
    static QAPFW_DEVICE int64_t cost_change(Total deltas) { return static_cast<int64_t>(deltas) * kDeltaScale; }
    static QAPFW_DEVICE Total total_of_cost(int64_t change) { return static_cast<Total>(change / kDeltaScale); }
    /// @}
    /// Returns -behind as a delta. `behind`: how far the cost lies above the search's best cost. If -behind does not
    /// fit the type, returns a value below every delta.
    static QAPFW_DEVICE Value threshold(Total behind) {
        if constexpr (sizeof(Value) == 8 || sizeof(Total) == 4)
            return -static_cast<Value>(behind);
        else
            return -static_cast<Value>(static_cast<int32_t>(behind < 0x7FFFFFFF ? behind : 0x7FFFFFFF));
    }

    /// Takes the permutation in shared_.solution and computes all deltas of this thread from scratch. O(n^3) for the
    /// team. Returns the cost.
    QAPFW_DEVICE int64_t reset() {
        if (const int past = kN + kernels::opaque(group_.rank()); past < kPaddedN) shared_.solution[past] = 0;
        group_.sync();
#pragma unroll
        for (int round = 0; round < kRounds; ++round) {
            const int v = kernels::opaque(position_of(round));
            here_[round] = v < kN ? shared_.solution[v] : 0;
            diagonal_[round] = 0;
        }
#pragma unroll
        for (int tile = 0; tile < kTiles; ++tile) tile_value_[tile] = shared_.solution[kernels::opaque(tile_row(tile))];
        Sum sums[kSlots] = {};
        const int64_t cost = compute_product([&](int first) { take_strip(sums, first); });
        take_deltas(sums);
        return cost;
    }

    /// The cost, computed from scratch; every thread gets it. The team must be synchronised before.
    QAPFW_DEVICE int64_t cost() {
        return compute_product([](int) {});
    }

    /// Writes the permutation with its positions numbered as in the instance.
    QAPFW_DEVICE void store(uint16_t* solution) const {
#pragma unroll
        for (int round = 0; round < kRounds; ++round)
            if (position_of(round) < kN)
                solution[qap::original_position(view_, position_of(round))] = static_cast<uint16_t>(here_[round]);
    }
    /// Reads a permutation whose positions are numbered as in the instance; reset() must follow.
    QAPFW_DEVICE void load(const uint16_t* solution) {
        for (int v = group_.rank(); v < kN; v += kThreads)
            shared_.solution[v] = solution[qap::original_position(view_, v)];
        group_.sync();
    }
    QAPFW_DEVICE uint16_t* solution() {
        return shared_.solution;
    }

    /// Asks the search for the word (see word()) of every pair of this thread.
    template <class Search>
    QAPFW_DEVICE void refresh(const Search& search) {
        const int row0 = kernels::opaque(row0_), column0 = kernels::opaque(column0_);
        int u[kGroups], value_u[kGroups];
#pragma unroll
        for (int i = 0; i < kGroups; ++i) u[i] = wrapped(row0 + i), value_u[i] = shared_.solution[u[i]];
#pragma unroll
        for (int c = 0; c < kColumns; ++c) {
            kernels::keep_order();
            const int v = wrapped(column0 + c), value_v = shared_.solution[v];
#pragma unroll
            for (int i = 0; i < kGroups; ++i) {
                if (c < i || c - i >= kGroupSize) continue;
                slots_.renew(i * kGroupSize + c - i, search.payload(u[i], value_u[i], v, value_v));
            }
        }
    }

    /// Swaps r and s. A barrier must lie between the team's earlier reads of shared memory and this call.
    template <class Search>
    QAPFW_DEVICE void apply(int r, int s, const Search& search) {
        if constexpr (kFewPairs)
            StraightExchange<TileNeighbourhood>{*this}.apply(r, s, search);
        else
            apply_by_jumps(r, s, search);
    }

  private:
    friend struct StraightExchange<TileNeighbourhood>;

    template <class Search>
    QAPFW_DEVICE void apply_by_jumps(int r, int s, const Search& search) {
        const int value_r = shared_.solution[s], value_s = shared_.solution[r];
        int32_t payload[kRounds][2];
        stage_exchange(r, s, value_r, value_s, search, payload);
        group_.sync();
        // hear_old_values changes payloads of the swapped positions, so its call must follow the barrier. Until the
        // barrier, threads read these payloads, even though they do not use the values.
        search.hear_old_values(r, value_s, s, value_r);
        const Sum sum_r = total(0), sum_s = total(1);  // H_rr and H_ss
        store_exchange(r, s, sum_r, sum_s, payload);
        recompute_touched(r, s, value_r, value_s, sum_r, sum_s);
        subtract_factors();
        group_.sync();
        collect(r, &shared_.touched[0][0]);
        collect(s, &shared_.touched[1][0]);
    }

    static QAPFW_DEVICE int wrapped(int position) {
        if (position >= kMovable) position -= kMovable;
        if constexpr (kExtent > 2 * kMovable)
            if (position >= kMovable) position -= kMovable;
        return position;
    }
    /// Returns `value`, which is the same in every iteration. With QAP_RECOMPUTE the compiler does not see that. So the
    /// compiler recomputes what follows from the value, instead of keeping the results in registers.
    static QAPFW_DEVICE int again(int value) {
        return kRecompute ? kernels::opaque(value) : value;
    }
    QAPFW_DEVICE int position_of(int round) const {
        return again(group_.rank()) + round * kThreads;
    }
    /// The matrix row that this lane addresses when ldmatrix loads tensor tile `tile`. Lanes past the last row address
    /// the last row.
    QAPFW_DEVICE int tile_row(int tile) const {
        const int rank = again(group_.rank());
        return least(((rank >> 5) + tile * kWarps) * 16 + (rank & 15), kN - 1);
    }

    /// Element (i, j) of a and of b; side 1 is the transposed matrix.
    QAPFW_DEVICE Sum a(int side, int i, int j) const {
        return static_cast<Sum>(element(block_.a[side], i, j));
    }
    QAPFW_DEVICE Sum b(int side, int i, int j) const {
        return static_cast<Sum>(element(block_.b[side], i, j));
    }

    /// Calls put(k) for every place k of position v (see kExtent). With kFewPairs, the number of calls is the same for
    /// all v, so that no branch is needed. If v has fewer places, the other calls get a spare place of this thread.
    template <class Put>
    QAPFW_DEVICE void at_images(int v, Put put) const {
        if constexpr (kFewPairs) {
            const int spare = kExtent + group_.rank();
#pragma unroll
            for (int turn = 0; turn * kMovable < kExtent; ++turn)
                put(v < kMovable && v + turn * kMovable < kExtent ? v + turn * kMovable : spare);
            return;
        }
        if (v >= kMovable) return;
#pragma unroll
        for (int turn = 0; turn * kMovable < kExtent; ++turn)
            if (v + turn * kMovable < kExtent) put(v + turn * kMovable);
    }

    /// The factors at place `at` (see kExtent). Their address is computed from one base, so that the compiler sees
    /// when two neighbouring entries can be loaded at once.
    QAPFW_DEVICE Factors& factors(int side, int at) {
        return (&shared_.factors[0][0])[side * kExtent + at];
    }
    QAPFW_DEVICE void stage_factors(int side, int v, Sum x, Sum y) {
        const Factors staged{static_cast<Value>(x), static_cast<Value>(y * kFactor)};
        at_images(v, [&](int at) { factors(side, at) = staged; });
    }

    /// value -= (x_u - x_v)(y_u - y_v) for all pairs of this thread.
    QAPFW_DEVICE void subtract_factors() {
        const int row0 = again(row0_), column0 = again(column0_);
#pragma unroll
        for (int side = 0; side < kSides; ++side) {
            Factors row[kGroups];
#pragma unroll
            for (int i = 0; i < kGroups; ++i) row[i] = factors(side, row0 + i);
#pragma unroll
            for (int c = 0; c < kColumns; ++c) {
                const Factors column = factors(side, column0 + c);
#pragma unroll
                for (int i = 0; i < kGroups; ++i)
                    if (c >= i && c - i < kGroupSize)
                        slots_.value[i * kGroupSize + c - i] += (row[i].x - column.x) * (column.y - row[i].y);
            }
        }
    }

    QAPFW_DEVICE StartShared& start_shared() {
        return *reinterpret_cast<StartShared*>(static_cast<ExchangeShared*>(&shared_));
    }
    /// Computes H of the permutation, calls `take` for each strip of H, and returns the cost.
    template <class Take>
    QAPFW_DEVICE int64_t compute_product(Take take) {
        int64_t sum = 0;
        if constexpr (kDiagonal)
            for (int i = group_.rank(); i < kN; i += kThreads)
                sum += static_cast<int64_t>(static_cast<uint32_t>(block_.a_diagonal[i])) *
                       static_cast<int64_t>(static_cast<uint32_t>(block_.b_diagonal[shared_.solution[i]]));
        if constexpr (kLinear)
            for (int i = group_.rank(); i < kN; i += kThreads)
                sum += (kHalves ? 2 : 1) * view_.linear[static_cast<int64_t>(i) * kN + shared_.solution[i]];
        return cost_from_sum(view_, Start::compute(block_, shared_.solution, start_shared(), sum, take));
    }

    /// Adds the strip's part of H to the sums of this thread's pairs, and reads this thread's H_vv from the strip. The
    /// strip begins with column `first`.
    QAPFW_DEVICE void take_strip(Sum (&sums)[kSlots], int first) {
        const int row0 = kernels::opaque(row0_), column0 = kernels::opaque(column0_);
        const auto row = [&](int i) { return wrapped(row0 + i); };
        const auto column = [&](int c) { return wrapped(column0 + c); };
        Start::template add_row_sums<kGroups, kGroupSize>(sums, start_shared(), first, row, column);
#pragma unroll
        for (int round = 0; round < kRounds; ++round) {
            const int v = kernels::opaque(position_of(round));
            if (v >= kN || !Start::holds(first, v)) continue;
            diagonal_[round] = start_shared().strip[v - first][v];
            if constexpr (kLinearInRows) diagonal_[round] += linear_at(block_, view_, v, here_[round]);
        }
    }
    /// Turns row sums into deltas.
    QAPFW_DEVICE void take_deltas(const Sum (&sums)[kSlots]) {
        const int row0 = kernels::opaque(row0_), column0 = kernels::opaque(column0_);
        int u[kGroups], value_u[kGroups];
#pragma unroll
        for (int i = 0; i < kGroups; ++i) u[i] = wrapped(row0 + i), value_u[i] = shared_.solution[u[i]];
#pragma unroll
        for (int c = 0; c < kColumns; ++c) {
            kernels::keep_order();
            const int v = wrapped(column0 + c), value_v = shared_.solution[v];
#pragma unroll
            for (int i = 0; i < kGroups; ++i) {
                if (c < i || c - i >= kGroupSize) continue;
                const int slot = i * kGroupSize + c - i;
                const Sum delta = kFactor * sums[slot] + own_product(u[i], value_u[i], v, value_v);
                slots_.value[slot] = static_cast<Value>(delta);
            }
        }
    }

    /// The part of a pair's delta that does not come from row sums, computed from scratch.
    QAPFW_DEVICE Sum own_product(int i, int value_i, int j, int value_j) const {
        Sum sum = 0;
        if constexpr (kSymmetric) {
            sum = 2 * kFactor * a(0, i, j) * b(0, value_i, value_j);
        } else {
            sum = (a(0, i, j) + a(1, i, j)) * (b(0, value_i, value_j) + b(1, value_i, value_j));
        }
        if constexpr (kLinearInRows) sum += linear_change(block_, view_, i, value_i, j, value_j);
        return sum + own_term(i, value_i, j, value_j);
    }
    /// The part of a delta that is added after the multiplication by `kFactor`.
    QAPFW_DEVICE Sum own_term(int i, int value_i, int j, int value_j) const {
        Sum sum = 0;
        if constexpr (kDiagonal) sum += diagonal_change(i, value_i, j, value_j);
        if constexpr (kLinear && !kLinearInRows) sum += linear_change(block_, view_, i, value_i, j, value_j);
        return sum;
    }
    /// The linear cost of position z with the value of v, and that of position v with the value of z.
    struct LinearParts {
        Sum of_z = 0, of_v = 0;
    };
    QAPFW_DEVICE LinearParts linear_parts(int z, int value_z, int v, int value_v) const {
        if constexpr (kLinearInRows)
            return {linear_at(block_, view_, z, value_v), linear_at(block_, view_, v, value_z, true)};
        else
            return {};
    }
    QAPFW_DEVICE Sum diagonal_change(int i, int value_i, int j, int value_j) const {
        return (block_.a_diagonal[i] - block_.a_diagonal[j]) *
               (block_.b_diagonal[value_j] - block_.b_diagonal[value_i]);
    }

    /// The first part of apply. Each thread handles its positions: it writes to shared memory all that the other parts
    /// read, and requests the payloads of touched pairs.
    template <class Search>
    QAPFW_DEVICE void stage_exchange(int r, int s, int value_r, int value_s, const Search& search,
                                     int32_t (&payload)[kRounds][2]) {
        Sum sums[2] = {0, 0};
#pragma unroll
        for (int round = 0; round < kRounds; ++round) {
            const int v = position_of(round);
            if (v >= kN) continue;
            const bool exchanged = v == r || v == s;
            if (v == r) here_[round] = value_r;
            if (v == s) here_[round] = value_s;
            const int here = here_[round];
            const int other = kMovable < kN ? least(v, kMovable - 1) : v;  // below kMovable, so loads need no branch
            const int32_t of_r = search.payload(r, value_r, other, here);
            const int32_t of_s = search.payload(s, value_s, other, here);
            payload[round][0] = exchanged ? search.exchanged_payload() : of_r;
            payload[round][1] = exchanged ? search.exchanged_payload() : of_s;
            // Linear costs may lie in slow device memory, so they are loaded some time before they are needed.
            const LinearParts with_r = linear_parts(r, value_r, v, here), with_s = linear_parts(s, value_s, v, here);
            const int at = vector_offset(v), at_location = vector_offset(here);
            Sum base[2] = {0, 0};
#pragma unroll
            for (int side = 0; side < kSides; ++side) {
                const Sum a_r = a(side, r, v), a_s = a(side, s, v);
                const Sum b_r = b(side, value_r, here), b_s = b(side, value_s, here);
                shared_.by_position[side].set(0, at, static_cast<uint32_t>(b_r));
                shared_.by_position[side].set(1, at, static_cast<uint32_t>(b_s));
                shared_.by_location[side].set(0, at_location, static_cast<uint32_t>(a_r));
                shared_.by_location[side].set(1, at_location, static_cast<uint32_t>(a_s));
                const Sum x = a_r - a_s, y = b_r - b_s;
                stage_factors(side, v, x, y);
                diagonal_[round] += x * y;
                sums[0] += a_r * b_r;
                sums[1] += a_s * b_s;
                if constexpr (kSymmetric) {
                    base[0] += 2 * a_r * b_r;
                    base[1] += 2 * a_s * b_s;
                } else {
                    // The two sides together add (a_rv + a_vr)(b_rv + b_vr). One side adds a_rv (b_rv + b_vr), the
                    // other side adds a_vr (b_rv + b_vr).
                    base[0] += a_r * (b_r + b(1 - side, value_r, here));
                    base[1] += a_s * (b_s + b(1 - side, value_s, here));
                }
            }
            if constexpr (kLinearInRows) {
                base[0] += with_r.of_z + with_r.of_v;
                base[1] += with_s.of_z + with_s.of_v;
                sums[0] += v == r ? with_r.of_z : 0;
                sums[1] += v == s ? with_s.of_z : 0;
            }
            shared_.base[v][0] = exchanged ? base[0] : base[0] - diagonal_[round];
            shared_.base[v][1] = exchanged ? base[1] : base[1] - diagonal_[round];
            if constexpr (kOwnTerm) {
                shared_.own_term[v][0] = own_term(r, value_r, v, here);
                shared_.own_term[v][1] = own_term(s, value_s, v, here);
            }
        }
        store_partial(0, sum_of_warp(sums[0]));
        store_partial(1, sum_of_warp(sums[1]));
    }

    static QAPFW_DEVICE Sum sum_of_warp(Sum sum) {
        if constexpr (sizeof(Sum) == 4)
            return static_cast<Sum>(__reduce_add_sync(kernels::kAllLanes, static_cast<uint32_t>(sum)));
        else
            return kernels::WarpGroup{}.sum(sum);
    }
    /// Stores the warp's part of H_rr (`which` 0) or H_ss (`which` 1). Does nothing if the warp handles no positions.
    /// Only the warp's first lane stores.
    QAPFW_DEVICE void store_partial(int which, Sum sum) {
        if (group_.lane() == 0 && group_.warp() < kLooking) shared_.partial[group_.warp()][which] = sum;
    }
    QAPFW_DEVICE Sum total(int which) const {
        Sum sum = 0;
#pragma unroll
        for (int warp = 0; warp < kLooking; ++warp) sum += shared_.partial[warp][which];
        return sum;
    }

    /// Runs after the barrier. Stores H_rr and H_ss, the swapped elements, and the payloads of touched pairs.
    QAPFW_DEVICE void store_exchange(int r, int s, Sum sum_r, Sum sum_s, const int32_t (&payload)[kRounds][2]) {
#pragma unroll
        for (int round = 0; round < kRounds; ++round) {
            const int v = position_of(round);
            if (v == r) diagonal_[round] = sum_r;
            if (v == s) diagonal_[round] = sum_s;
            if (v == r || v == s) shared_.solution[v] = static_cast<uint16_t>(here_[round]);
            at_images(v, [&](int at) {
                shared_.touched[0][at].payload = payload[round][0];
                shared_.touched[1][at].payload = payload[round][1];
            });
        }
    }

    /// Computes the deltas of all pairs {r, v} and {s, v}. Tensor cores compute the row sums, then each lane computes
    /// one pair per tile. With QAP_TOGETHER the tiles of a warp alternate. Otherwise one tile follows the other, which
    /// takes fewer registers.
    QAPFW_DEVICE void recompute_touched(int r, int s, int value_r, int value_s, Sum sum_r, Sum sum_s) {
        // kAll: number of all tiles. Each warp has kOwned tiles or one tile more.
        constexpr int kAll = divide_up(kMovable, 16), kOwned = kAll / kWarps;
#pragma unroll
        for (int tile = 0; tile < kTiles; ++tile) {
            const int row = tile_row(tile);
            if (row == r) tile_value_[tile] = value_r;
            if (row == s) tile_value_[tile] = value_s;
        }
        const int warp = again(group_.rank()) >> 5;
        if constexpr (!kTogether) {
#pragma unroll
            for (int tile = 0; tile < kTiles; ++tile)
                if (warp + tile * kWarps < kAll) recompute_tiles<1>(tile, r, s, sum_r, sum_s);
        } else if (kOwned == kTiles || warp + kOwned * kWarps < kAll) {
            recompute_tiles<kTiles>(0, r, s, sum_r, sum_s);
        } else {
            recompute_tiles<kOwned>(0, r, s, sum_r, sum_s);
        }
    }
    template <int kCount>
    QAPFW_DEVICE void recompute_tiles(int first_tile, int r, int s, Sum sum_r, Sum sum_s) {
        if constexpr (kCount > 0) {
            const int rank = again(group_.rank()), lane = rank & 31, which = lane & 1;
            const int first = ((rank >> 5) + first_tile * kWarps) * 16 + 8 * ((lane >> 1) & 1) + (lane >> 2);
            Sum base[kCount];
            if constexpr (kTogether)  // load `base` first, so that the loads overlap with the long sums
#pragma unroll
                for (int tile = 0; tile < kCount; ++tile) base[tile] = base_of(first, tile, which);
            RowSums rows[kCount] = {};
#pragma unroll
            for (int side = 0; side < kSides; ++side) {
                const uint8_t *of_a[kCount], *of_b[kCount];
#pragma unroll
                for (int tile = 0; tile < kCount; ++tile) {
                    of_a[tile] = &block_.a[side][0][tile_row(first_tile + tile) * kRowBytes];
                    of_b[tile] = &block_.b[side][0][tile_value_[first_tile + tile] * kRowBytes];
                }
                multiply_rows(rows, of_a, shared_.by_position[side]);
                multiply_rows(rows, of_b, shared_.by_location[side]);
            }
            put_touched(rows, base, first, which, r, s, sum_r, sum_s);
        }
    }
    /// The first of the rows whose sums this lane takes.
    static QAPFW_DEVICE int first_row(int rank) {
        const int lane = rank & 31;
        return (rank >> 5) * 16 + 8 * ((lane >> 1) & 1) + (lane >> 2);
    }
    QAPFW_DEVICE Sum base_of(int first, int tile, int which) const {
        return shared_.base[least(first + tile * kWarps * 16, kN - 1)][which];
    }
    /// Stores the new deltas of touched pairs, computed from row sums and base values. With QAP_TOGETHER, `base` holds
    /// the base values. Without QAP_TOGETHER, this function loads the base values and does not use `base`.
    template <int kCount>
    QAPFW_DEVICE void put_touched(const RowSums (&rows)[kCount], const Sum (&base)[kCount], int first, int which, int r,
                                  int s, Sum sum_r, Sum sum_s) {
        const Sum own = which == 0 ? sum_r : sum_s, other = which == 0 ? sum_s : sum_r;
#pragma unroll
        for (int tile = 0; tile < kCount; ++tile) {
            const Sum sum = take_row_sum(rows[tile]);
            const int v = first + tile * kWarps * 16;
            if (!kFewPairs && v >= kMovable) continue;
            Sum delta = sum + (kTogether ? base[tile] : base_of(first, tile, which)) - own;
            if (v == (which == 0 ? s : r)) delta -= other;
            if constexpr (kFactor != 1) delta *= kFactor;
            if constexpr (kOwnTerm) delta += shared_.own_term[kFewPairs ? least(v, kN - 1) : v][which];
            at_images(v, [&](int at) { shared_.touched[which][at].value = static_cast<Value>(delta); });
        }
    }

    /// Copies the new deltas and words of those pairs of this thread's tile that contain position z. If z is one of the
    /// tile's rows, its row number in the tile is z % kGroups (or kGroups - kOverhang + z, if tiles reach past the
    /// end). If z is one of the tile's columns, its column number c in the tile has c % kClasses = (z - 1) % kClasses.
    QAPFW_DEVICE void collect(int z, const Touched* touched) {
        const int row0 = again(row0_), column0 = again(column0_);
        const int row = distance(z, row0), column = distance(z, wrapped(column0));
        if constexpr (kClasses == kGroups) {
            kernels::dispatch<kClasses>(z % kClasses, [&](auto k) {
                put_row<k.value>(row, touched + column0);
                put_columns<(k.value + kClasses - 1) % kClasses>(column, touched + row0);
            });
        } else {
            constexpr int kOverhang = kShape.row_groups * kGroups - kMovable;
            kernels::dispatch<kGroups>(z % kGroups, [&](auto i) { put_row<i.value>(row, touched + column0); });
            if constexpr (kOverhang > 0)
                if (z < kOverhang)
                    kernels::dispatch<kGroups>(kGroups - kOverhang + z,
                                               [&](auto i) { put_row<i.value>(row, touched + column0); });
            kernels::dispatch<kClasses>((z + kClasses - 1) % kClasses,
                                        [&](auto k) { put_columns<k.value>(column, touched + row0); });
        }
    }
    template <int i>
    QAPFW_DEVICE void put_row(int row, const Touched* columns) {
        if (row != i) return;
#pragma unroll
        for (int member = 0; member < kGroupSize; ++member) slots_.put(i * kGroupSize + member, columns[i + member]);
    }
    template <int k>
    QAPFW_DEVICE void put_columns(int column, const Touched* rows) {
#pragma unroll
        for (int c = k; c < kColumns; c += kClasses)
#pragma unroll
            for (int i = 0; i < kGroups; ++i)
                if (c >= i && c - i < kGroupSize)
                    if (c == column) slots_.put(i * kGroupSize + c - i, rows[i]);
    }
    static QAPFW_DEVICE int distance(int position, int from) {
        return position >= from ? position - from : position - from + kMovable;
    }
    View view_;
    BlockShared& block_;
    TeamShared& shared_;
    Group group_;
    int row0_, column0_;  ///< the thread's first row, and the first column of that row
    Slots slots_;
    int here_[kRounds];       ///< the solution's elements at the positions that this thread handles
    Sum diagonal_[kRounds];   ///< H_vv of the positions that this thread handles
    int tile_value_[kTiles];  ///< entry k: the solution's element at position tile_row(k)
    // Used only with kFewPairs: the places of this thread's tile on the circle (see TileCircle), and this lane's parts
    // of the rows of matrices a and b, as operands of the tensor cores.
    Circle circle_;
    HeldRows rows_of_a_[kTiles][kSides], rows_of_b_[kTiles][kSides];
};

}  // namespace qapfw::qap
