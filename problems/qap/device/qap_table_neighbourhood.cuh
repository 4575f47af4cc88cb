// SPDX-License-Identifier: Apache-2.0
// The swap neighbourhood for instances whose pairs do not fit registers, or whose matrices do not fit shared memory.
// Deltas lie in a table: as much of it in shared memory as fits, the rest in the search's workspace in device memory.
// Matrices are read through the caches. The arithmetic is the same as in qap_tile_neighbourhood.cuh. The row sums of a
// touched pair {z, v} with z = r or s are
//   H_vz + H_zv  =  sum_k a_vk b_p(z)p(k)  +  sum_l a_z,p^-1(l) b_p(v),l.
// The two sums are rows of the two matrices times vectors that are the same for all v; r and s are computed together.
// A touched pair's entry gets the new delta minus what the update of all pairs will add. So the one pass of the
// update needs no exceptions. reset() computes all row sums in the workspace. If kWords is false, threads keep no
// 32-bit words of the search for their pairs, and the update also finds the least delta of each thread. A search calls
// least(), and each_least_pair_of() or each_pair_of() for the threads that have the least delta. Without words, the
// table has "no pair" for positions i and j whose swap never changes a cost. The update does not change such an entry:
// x_i = x_j if the positions are interchangeable, and y_i = y_j if the values at i and j are.
#include "problems/qap/device/qap_table_start.cuh"

#include "problems/qap/device/qap_pair_table.cuh"
#include "qapfw/kernels/interchangeable.hpp"

#ifndef QAP_SHARED_BYTES
#define QAP_SHARED_BYTES 0  ///< bytes of shared memory that a CUDA block may use for its search; 0: the table gets none
#endif

namespace qapfw::qap {

/// A struct with one member, `value`, if kPresent is true; else an empty struct. So absent data takes no shared memory.
template <class T, bool kPresent>
struct IfPresent {
    T value;
};
template <class T>
struct IfPresent<T, false> {};

template <int kWarps, bool kWords>
struct TableNeighbourhood : TableStart<kWarps> {
    using Base = TableStart<kWarps>;
    using Base::group_;
    using Base::kFactor;
    using Base::kThreads;
    using Base::shared_;
    using Base::view_;
    static constexpr int kMovable = qap::kMovable;
    /// Number of units that a thread keeps. A unit is four entries of the table (qap_pair_table.cuh).
    static constexpr int kSteps = (UnitPlace::kUnits + kThreads - 1) / kThreads;
    static constexpr int kGroups = 1;
    static constexpr int kSlots = kSteps * kUnitRows;
    static constexpr int kGroupSize = kSlots;
    static constexpr bool kKeepsLeast = !kWords;
    static constexpr int kRounds = (kN + kThreads - 1) / kThreads;  ///< most positions that one thread handles
    static constexpr int kLooking = kN < kThreads ? (kN + 31) / 32 : kWarps;  ///< number of warps that handle positions

    struct alignas(16) Unit {
        Value value[kUnitRows];
    };
    struct alignas(16) Words {
        int32_t value[kUnitRows];
    };
    struct alignas(2 * sizeof(Value)) Factors {
        Value x, y;
    };
    struct alignas(16) RowFactors {
        Factors of[kUnitRows];
    };
    /// Vectors that a swap of r and s needs. They have an entry for each position v or each location l; z is r or s.
    struct Vectors {
        alignas(16) Factors factors[kSides][kUnitExtent];  ///< x_v and y_v
        alignas(16) Element by_position[kSides][2][kRow];  ///< b_p(z)p(v)
        alignas(16) Element by_location[kSides][2][kRow];  ///< a_z,p^-1(l)
        union {
            Both sums[2][kN];            ///< [0][v]: sum_k a_vk b_p(z)p(k), [1][l]: sum_k a_zk b_l,p(k)
            typename Base::Strip strip;  ///< used by reset()
        };
        Sum diagonal[kN];  ///< H_vv
    };
    static constexpr bool kVectorsInShared = sizeof(Vectors) <= 64 * 1024;
    struct TeamWithoutTable : Base::TeamShared {
        Both partial[kLooking];  ///< each warp's part of H_rr and H_ss
        IfPresent<Vectors, kVectorsInShared> vectors;
    };
    static constexpr int64_t kRoom =
        static_cast<int64_t>(QAP_SHARED_BYTES) - static_cast<int64_t>(sizeof(TeamWithoutTable)) - 4096;
    static constexpr int64_t kStepBytes = kThreads * static_cast<int64_t>(sizeof(Unit));
    /// The units of the first kSharedSteps steps lie in shared memory. A step has one unit of each thread.
    static constexpr int kSharedSteps = kRoom < kStepBytes            ? 0
                                        : kRoom / kStepBytes < kSteps ? static_cast<int>(kRoom / kStepBytes)
                                                                      : kSteps;
    struct SharedUnits {
        Unit unit[kSharedSteps > 0 ? kSharedSteps* kThreads : 1];
    };
    struct TeamShared : TeamWithoutTable {
        IfPresent<SharedUnits, (kSharedSteps > 0)> table;
    };
    using BlockShared = typename Base::BlockShared;

    static constexpr uint64_t rounded(uint64_t bytes) { return (bytes + 255) / 256 * 256; }
    static constexpr uint64_t kUnitBytes = rounded(static_cast<uint64_t>(kSteps) * kThreads * sizeof(Unit));
    static constexpr uint64_t kWordBytes =
        kWords ? rounded(static_cast<uint64_t>(kSteps) * kThreads * sizeof(Words)) : 0;
    static constexpr uint64_t kSumBytes = rounded(Base::kSumsBytes);
    static constexpr uint64_t kWorkspaceBytes =
        kUnitBytes + kWordBytes + kSumBytes + (kVectorsInShared ? 0 : rounded(sizeof(Vectors)));

    QAPFW_DEVICE TableNeighbourhood(const View& view, BlockShared&, TeamShared& team, void* workspace)
        : Base(view, team, static_cast<char*>(workspace) + kUnitBytes + kWordBytes),
          team_(team),
          vectors_(vectors_of(team, static_cast<char*>(workspace) + kUnitBytes + kWordBytes + kSumBytes)),
          units_(static_cast<Unit*>(workspace)),
          words_(reinterpret_cast<Words*>(static_cast<char*>(workspace) + kUnitBytes)) {}

    QAPFW_DEVICE Value delta(int slot) const { return unit(number_of(slot)).value[slot % kUnitRows]; }
    QAPFW_DEVICE int32_t word(int slot) const { return words_[number_of(slot)].value[slot % kUnitRows]; }
    QAPFW_DEVICE uint32_t pair_code(int slot) const {
        const UnitPlace place = UnitPlace::of(number_of(slot));
        return code_of(place.row(slot % kUnitRows), place.position());
    }
    static QAPFW_DEVICE uint32_t code_of(int i, int j) {
        return Base::code_of(i < j ? typename Base::Pair{i, j} : typename Base::Pair{j, i});
    }

    /// The least delta of this thread's pairs; only if kWords is false.
    QAPFW_DEVICE Value least() const { return least_; }
    /// Called by a warp. Calls f(i, j, delta) for all pairs of lane `owner` that have the lane's least delta, and
    /// perhaps for other pairs of the lane.
    template <class F>
    QAPFW_DEVICE void each_least_pair_of(int owner, F f) const {
        const int step = __shfl_sync(kernels::kAllLanes, least_step_, owner);
        if (step == kSeveral) {
            each_pair_of(owner, f);
            return;
        }
        __syncwarp();
        if (group_.lane() < kUnitRows) pair_of_unit(step * kThreads + group_.warp() * 32 + owner, group_.lane(), f);
    }
    /// Called by a warp: calls f(i, j, delta) for all pairs of lane `owner`. Each lane of the warp makes some of these
    /// calls. The function first waits until the warp's earlier writes are visible to all its lanes.
    template <class F>
    QAPFW_DEVICE void each_pair_of(int owner, F f) const {
        __syncwarp();
        for (int step = group_.lane(); step < kSteps; step += 32) {
            const int number = step * kThreads + group_.warp() * 32 + owner;
            const UnitPlace place = UnitPlace::of(number);
            const Unit deltas = unit(number);
#pragma unroll
            for (int k = 0; k < kUnitRows; ++k)
                if (place.holds_pair(k)) f(place.row(k), place.position(), deltas.value[k]);
        }
    }

    QAPFW_DEVICE int64_t reset() {
        Base::compute_sums(vectors_.strip, reinterpret_cast<uint16_t*>(vectors_.by_position));
        static_assert(sizeof(vectors_.by_position) >= kN * sizeof(uint16_t));
        group_.sync();
        for (int v = group_.rank(); v < kMovable; v += kThreads)
            vectors_.diagonal[v] = Base::sum_at(v, Base::value_at(v));
        group_.sync();
        forget_least();
        for (int step = 0; step < kSteps; ++step) {
            const int number = step * kThreads + group_.rank();
            const UnitPlace place = UnitPlace::of(number);
            Unit deltas;
            for (int k = 0; k < kUnitRows; ++k) {
                const int i = place.row(k), j = place.position();
                deltas.value[k] = place.holds_pair(k) && !leaves_out(i, Base::value_at(i), j, Base::value_at(j))
                                      ? delta_from_sums(i, j)
                                      : kernels::Nothing<Value>::value();
            }
            unit(number) = deltas;
            if constexpr (kKeepsLeast) note_least(deltas, step);
        }
        group_.sync();
        return Base::cost();
    }
    template <class Search>
    QAPFW_DEVICE void refresh(const Search& search) {
        if constexpr (kWords)
            for (int step = 0; step < kSteps; ++step) {
                const int number = step * kThreads + group_.rank();
                const UnitPlace place = UnitPlace::of(number);
                const int j = place.position();
                for (int k = 0; k < kUnitRows; ++k) {
                    const int i = place.row(k);
                    words_[number].value[k] =
                        place.holds_pair(k) ? search.payload(i, Base::value_at(i), j, Base::value_at(j)) : 0x7FFFFFFF;
                }
            }
    }

    /// Leaves the whole table and all H_vv in the workspace, for resume() in a later launch.
    QAPFW_DEVICE void suspend() {
        for (int step = 0; step < kSharedSteps; ++step) {
            const int number = step * kThreads + group_.rank();
            units_[number] = unit(number);
        }
        for (int v = group_.rank(); v < kMovable; v += kThreads) Base::sums_[v] = vectors_.diagonal[v];
    }
    /// Restores the table and all H_vv that suspend() left in the workspace. Call this function instead of reset() if
    /// the table belongs to the current solution.
    QAPFW_DEVICE void resume() {
        for (int v = group_.rank(); v < kMovable; v += kThreads) vectors_.diagonal[v] = Base::sums_[v];
        for (int step = 0; step < kSharedSteps; ++step) {
            const int number = step * kThreads + group_.rank();
            unit(number) = units_[number];
        }
        subtract_factors<false>();
        group_.sync();
    }

    template <class Search>
    QAPFW_DEVICE void apply(int r, int s, const Search& search) {
        const int value_r = Base::value_at(s), value_s = Base::value_at(r);
        const bool looks = group_.warp() < kLooking;
        int values[kRounds];
        if (looks) stage(r, s, value_r, value_s, values);
        group_.sync();
        if (group_.rank() == 0) shared_.solution[r] = static_cast<uint16_t>(value_r);
        if (group_.rank() == 0) shared_.solution[s] = static_cast<uint16_t>(value_s);
        take_sums();
        group_.sync();
        if (looks) replace_touched(r, s, values, search);
        group_.sync();
        subtract_factors<true>();
    }

  private:
    static QAPFW_DEVICE Vectors& vectors_of(TeamShared& team, char* workspace) {
        if constexpr (kVectorsInShared)
            return team.vectors.value;
        else
            return *reinterpret_cast<Vectors*>(workspace);
    }
    QAPFW_DEVICE int number_of(int slot) const {
        return slot / kUnitRows * kThreads + group_.rank();
    }
    QAPFW_DEVICE Unit& unit(int number) const {
        if constexpr (kSharedSteps > 0)
            if (number < kSharedSteps * kThreads) return team_.table.value.unit[number];
        return units_[number];
    }
    QAPFW_DEVICE Unit* shared_units() const {
        if constexpr (kSharedSteps > 0)
            return team_.table.value.unit;
        else
            return nullptr;
    }

    QAPFW_DEVICE void stage_factors(int side, int v, Sum x, Sum y) {
        if (v >= kMovable) return;
        for (int at = v; at < kUnitExtent; at += kMovable)
            vectors_.factors[side][at] = Factors{static_cast<Value>(x), static_cast<Value>(y * kFactor)};
    }

    /// If kChanges, subtracts (x_i - x_j)(y_i - y_j) from the delta of each pair. If kWords is false, also finds the
    /// least delta of each thread.
    template <bool kChanges>
    QAPFW_DEVICE void subtract_factors() {
        forget_least();
        UnitPlace place = UnitPlace::of(group_.rank());
        subtract_in<kChanges, 0, kSharedSteps>(shared_units(), place);
        subtract_in<kChanges, kSharedSteps, kSteps>(units_, place);
    }
    template <bool kChanges, int kFrom, int kTo>
    QAPFW_DEVICE void subtract_in(Unit* units, UnitPlace& place) {
        constexpr int kBatch = 4;  ///< number of units whose loads overlap
#pragma unroll 1
        for (int step = kFrom; step < kTo; step += kBatch) {
            Unit* const first = units + step * kThreads + group_.rank();
            Unit batch[kBatch];
#pragma unroll
            for (int k = 0; k < kBatch; ++k)
                if (step + k < kTo) batch[k] = first[k * kThreads];
#pragma unroll
            for (int k = 0; k < kBatch; ++k) {
                if (step + k >= kTo) continue;
                subtract_from<kChanges>(batch[k], place);
                if constexpr (kKeepsLeast) note_least(batch[k], step + k);
                if constexpr (kChanges) first[k * kThreads] = batch[k];
                place.advance<kThreads>();
            }
        }
    }
    /// True if `Value` is a floating-point type. Then the value for "no pair" stays the same when a change is added.
    static constexpr bool kAbsorbs = static_cast<Value>(0.5) != 0;
    /// a + b. The largest integer, which stands for "no pair", may wrap around.
    static QAPFW_DEVICE Value sum_of(Value a, Value b) {
        if constexpr (kAbsorbs)
            return a + b;
        else if constexpr (sizeof(Value) == 4)
            return static_cast<Value>(static_cast<uint32_t>(a) + static_cast<uint32_t>(b));
        else
            return static_cast<Value>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
    }
    template <bool kChanges>
    QAPFW_DEVICE void subtract_from(Unit& unit, const UnitPlace& place) {
        // Units past the end hold no pairs. For such a unit, the rows of the last group are read.
        const int group = place.group < UnitPlace::kGroups ? place.group : UnitPlace::kGroups - 1;
#pragma unroll
        for (int side = 0; kChanges && side < kSides; ++side) {
            const Factors* const factors = vectors_.factors[side] + kUnitRows * group;
            const RowFactors row = *reinterpret_cast<const RowFactors*>(factors);
            const Factors column = factors[1 + place.column];
#pragma unroll
            for (int k = 0; k < kUnitRows; ++k)
                unit.value[k] = sum_of(unit.value[k], (row.of[k].x - column.x) * (column.y - row.of[k].y));
        }
#pragma unroll
        for (int k = 0; k < kUnitRows; ++k)
            if (!kAbsorbs && !place.holds_pair(k)) unit.value[k] = kernels::Nothing<Value>::value();
    }
    QAPFW_DEVICE void forget_least() {
        least_ = kernels::Nothing<Value>::value();
        least_step_ = kSeveral;
    }
    QAPFW_DEVICE void note_least(const Unit& unit, int step) {
        const Value least =
            kernels::least(kernels::least(unit.value[0], unit.value[1]), kernels::least(unit.value[2], unit.value[3]));
        static_assert(kUnitRows == 4);
        if (least == least_) least_step_ = kSeveral;
        if (least < least_) least_step_ = step;
        least_ = kernels::least(least_, least);
    }
    /// Calls f(i, j, delta) for the pair {i, j} in entry k of unit `number`, if the entry has a pair.
    template <class F>
    QAPFW_DEVICE void pair_of_unit(int number, int k, F f) const {
        const UnitPlace place = UnitPlace::of(number);
        if (place.holds_pair(k)) f(place.row(k), place.position(), unit(number).value[k]);
    }

    /// True if kWords is false and a swap of the values at positions i and j never changes a cost. The table then has
    /// "no pair" for these positions.
    static QAPFW_DEVICE bool leaves_out(int i, int value_i, int j, int value_j) {
        return !kWords && kernels::are_interchangeable(i, value_i, j, value_j);
    }
    /// The delta of a pair, from the row sums G and the diagonal of H.
    QAPFW_DEVICE Value delta_from_sums(int i, int j) const {
        const Sum sums = Base::sum_at(i, Base::value_at(j)) + Base::sum_at(j, Base::value_at(i));
        return static_cast<Value>(kFactor * (sums - vectors_.diagonal[i] - vectors_.diagonal[j]) +
                                  Base::own_product(i, j));
    }

    /// The first part of apply(). Fills the vectors of r and s in vectors_, the sums team_.partial, and `values`: the
    /// new values at this thread's positions. Updates each H_vv.
    QAPFW_DEVICE void stage(int r, int s, int value_r, int value_s, int (&values)[kRounds]) {
        Both own{0, 0};
#pragma unroll
        for (int round = 0; round < kRounds; ++round) {
            const int v = round * kThreads + group_.rank();
            if (v >= kN) continue;
            const int here = v == r ? value_r : v == s ? value_s : Base::value_at(v);
            values[round] = here;
#pragma unroll
            for (int side = 0; side < kSides; ++side) {
                const Both a{Base::a(side, r, v), Base::a(side, s, v)};
                const Both b{Base::b(side, value_r, here), Base::b(side, value_s, here)};
                vectors_.by_position[side][0][v] = static_cast<Element>(b.r);
                vectors_.by_position[side][1][v] = static_cast<Element>(b.s);
                vectors_.by_location[side][0][here] = static_cast<Element>(a.r);
                vectors_.by_location[side][1][here] = static_cast<Element>(a.s);
                vectors_.diagonal[v] += (a.r - a.s) * (b.r - b.s);
                stage_factors(side, v, a.r - a.s, b.r - b.s);
                own.r += a.r * b.r;
                own.s += a.s * b.s;
            }
        }
        own = Both{kernels::WarpGroup{}.sum(own.r), kernels::WarpGroup{}.sum(own.s)};
        if (group_.lane() == 0) team_.partial[group_.warp()] = own;
    }

    /// Computes vectors_.sums: every row of a and of b times the vectors of r and s.
    QAPFW_DEVICE void take_sums() {
#if defined(__CUDA_ARCH__)
        if constexpr (sizeof(Element) == 1) {
            take_sums_of_bytes();
            return;
        }
#endif
        take_sums_by_lanes();
    }
    QAPFW_DEVICE const Element* row_of(bool of_location, int side, int row) const {
        return (of_location ? view_.b : view_.a) + (side * kN + row) * kRow;
    }
    QAPFW_DEVICE auto vectors_for(bool of_location, int side) const -> const Element (&)[2][kRow] {
        return of_location ? vectors_.by_location[side] : vectors_.by_position[side];
    }
    /// Subtracts the share of the row's diagonal entry from `sum`, the row's products with the vectors of r and s. Then
    /// stores `sum`. `of_location`: true for a row of b, false for a row of a.
    QAPFW_DEVICE void put_sum(bool of_location, int row, Both sum) {
        if constexpr (kDiagonal)
            for (int side = 0; side < kSides; ++side) {
                const Sum entry = static_cast<Sum>(row_of(of_location, side, row)[row]);
                const auto& vectors = vectors_for(of_location, side);
                sum.r -= entry * static_cast<Sum>(vectors[0][row]);
                sum.s -= entry * static_cast<Sum>(vectors[1][row]);
            }
        vectors_.sums[of_location ? 1 : 0][row] = sum;
    }
#if defined(__CUDA_ARCH__)
    /// take_sums() for one-byte entries: a warp computes the sums of 16 rows at a time.
    QAPFW_DEVICE void take_sums_of_bytes() {
        constexpr int kBunches = (kN + 15) / 16;
        for (int bunch = group_.warp(); bunch < 2 * kBunches; bunch += kWarps) {
            const bool of_location = bunch >= kBunches;
            const int low = (of_location ? bunch - kBunches : bunch) * 16 + group_.lane() / 4, high = low + 8;
            ByteSums sums;
#pragma unroll
            for (int side = 0; side < kSides; ++side)
                sums.add_rows(row_of(of_location, side, low < kN ? low : kN - 1),
                              row_of(of_location, side, high < kN ? high : kN - 1), vectors_for(of_location, side));
            if (group_.lane() % 4 != 0) continue;
            if (low < kN) put_sum(of_location, low, sums.of_row(0));
            if (high < kN) put_sum(of_location, high, sums.of_row(1));
        }
    }
#endif
    /// take_sums() without tensor cores: eight lanes compute the sums of a row.
    QAPFW_DEVICE void take_sums_by_lanes() {
        constexpr int kLanes = 8, kTogetherRows = 32 / kLanes, kBunches = (kN + kTogetherRows - 1) / kTogetherRows;
        const int member = group_.lane() % kLanes;
#pragma unroll 2
        for (int bunch = group_.warp(); bunch < 2 * kBunches; bunch += kWarps) {
            const bool of_location = bunch >= kBunches;
            const int at = (of_location ? bunch - kBunches : bunch) * kTogetherRows + group_.lane() / kLanes;
            Both sum{0, 0};
#pragma unroll
            for (int side = 0; side < kSides; ++side) {
                const Element* const entries = row_of(of_location, side, at < kN ? at : kN - 1);
                const auto& vectors = vectors_for(of_location, side);
#pragma unroll
                for (int first = 0; first < kRowPacks; first += kLanes) {
                    const int pack = first + member;
                    if (pack < kRowPacks)
                        add_products(sum, pack_of(entries, pack), pack_of(vectors[0], pack), pack_of(vectors[1], pack));
                }
            }
#pragma unroll
            for (int distance = kLanes / 2; distance > 0; distance /= 2) {
                sum.r += __shfl_xor_sync(kernels::kAllLanes, sum.r, distance);
                sum.s += __shfl_xor_sync(kernels::kAllLanes, sum.s, distance);
            }
            if (member == 0 && at < kN) put_sum(of_location, at, sum);
        }
    }

    /// Computes the deltas and words of all pairs {r, v} and {s, v}.
    template <class Search>
    QAPFW_DEVICE void replace_touched(int r, int s, const int (&values)[kRounds], const Search& search) {
        Both own{0, 0};  // H_rr and H_ss
#pragma unroll
        for (int warp = 0; warp < kLooking; ++warp) {
            own.r += team_.partial[warp].r;
            own.s += team_.partial[warp].s;
        }
#pragma unroll
        for (int round = 0; round < kRounds; ++round) {
            const int v = round * kThreads + group_.rank();
            if (v >= kN) continue;
            const Both of_position = vectors_.sums[0][v], of_location = vectors_.sums[1][values[round]];
            const Both sum{of_position.r + of_location.r, of_position.s + of_location.s};
            if (v < kMovable && v != r) {
                const Sum diagonal = v == s ? own.s : vectors_.diagonal[v];
                replace(0, r, v, values[round], kFactor * (sum.r - own.r - diagonal),
                        v == s ? search.exchanged_payload() : payload(search, r, v));
            }
            if (v < kMovable && v != r && v != s)
                replace(1, s, v, values[round], kFactor * (sum.s - own.s - vectors_.diagonal[v]),
                        payload(search, s, v));
            if (v == r || v == s) vectors_.diagonal[v] = v == r ? own.r : own.s;
        }
    }
    template <class Search>
    QAPFW_DEVICE int32_t payload(const Search& search, int z, int v) const {
        return kWords ? search.payload(z, Base::value_at(z), v, Base::value_at(v)) : 0;
    }
    /// Stores the delta of pair {z, v}, or "no pair", minus what the update is about to add. z is r if `which` is 0, s
    /// if `which` is 1; `value` is the value at v.
    QAPFW_DEVICE void replace(int which, int z, int v, int value, Sum of_rows, int32_t word) {
        Sum delta = of_rows + own_product(which, value, v), update = 0;
        if constexpr (kDiagonal) delta += Base::diagonal_change(z, Base::value_at(z), v, value);
        if constexpr (kLinear) delta += linear_change(view_, z, Base::value_at(z), v, value);
#pragma unroll
        for (int side = 0; side < kSides; ++side) {
            const Factors of_z = vectors_.factors[side][z], of_v = vectors_.factors[side][v];
            update += static_cast<Sum>(of_z.x - of_v.x) * static_cast<Sum>(of_v.y - of_z.y);
        }
        const Value entry = leaves_out(z, Base::value_at(z), v, value)
                                ? sum_of(kernels::Nothing<Value>::value(), static_cast<Value>(-update))
                                : static_cast<Value>(delta - update);
        put(z, v, entry, word);
        put(v, z, entry, word);
    }
    /// Base::own_product for the pair {z, v}, without diagonals and linear costs, from the staged vectors. z is r if
    /// `which` is 0, s if `which` is 1; `value` is the value at v.
    QAPFW_DEVICE Sum own_product(int which, int value, int v) const {
        Sum a = 0, b = 0;
#pragma unroll
        for (int side = 0; side < kSides; ++side) {
            a += static_cast<Sum>(vectors_.by_location[side][which][value]);
            b += static_cast<Sum>(vectors_.by_position[side][which][v]);
        }
        return (kSymmetric ? 2 * kFactor : 1) * a * b;
    }
    /// Writes the delta and word of positions i and j to the table entry (i, i + d), where d = (j - i) mod kMovable.
    /// Does nothing if d > kMovable / 2, since the table then has this pair only as (j, i).
    QAPFW_DEVICE void put(int i, int j, Value delta, int32_t word) {
        const int d = j > i ? j - i : j - i + kMovable;
        if (d > UnitPlace::kDistances) return;
        const int number = UnitPlace::unit_of(i, d);
        unit(number).value[i % kUnitRows] = delta;
        if constexpr (kWords) words_[number].value[i % kUnitRows] = word;
    }

    TeamShared& team_;
    Vectors& vectors_;
    Unit* units_;   ///< the table; during a launch, units of steps below kSharedSteps lie in shared memory instead
    Words* words_;  ///< the search's 32-bit words for the pairs; used only if kWords is true
    static constexpr int kSeveral = -1;
    Value least_;
    int least_step_ = kSeveral;  ///< step whose unit has this thread's least delta; kSeveral: several units have it
};

}  // namespace qapfw::qap
