// SPDX-License-Identifier: Apache-2.0
// A swap with the least latency, for a TileNeighbourhood whose threads have few pairs (kFewPairs). The swap has almost
// no branches, and work that other threads wait for comes first. The tensor cores read the rows of the matrices from
// registers. Stores to shared memory come late, since loads cannot overtake them. This text comes after
// qap_matrices.cuh.
#include "qapfw/kernels/device_team.hpp"

namespace qapfw::qap {

/// The type of a delta: `Value`. With kFewPairs, int32_t replaces float, because minima of integers take fewer
/// instructions than minima of floats.
template <class Value, bool kFewPairs>
struct DeltaOf {
    using type = Value;
};
template <>
struct DeltaOf<float, true> {
    using type = int32_t;
};

template <int kWarps, bool kFewPairs>
struct GroupOf {
    using type = kernels::Team<kWarps>;
};
template <int kWarps>
struct GroupOf<kWarps, true> {
    using type = kernels::SoleTeam<kWarps>;
};

/// Byte offsets at which a thread finds the new deltas of its touched pairs. A touched pair has a swapped position. The
/// circle of positions lists all positions and then the first ones again. A place is an index in this list. In a tile
/// of kRows rows of kSpan pairs, pair (i, k) belongs to places row + i and column + i + k. Each of the two swapped
/// positions has a table of its touched pairs, ordered by the place of the other position, with kBytes for each place.
/// If the position at place p was swapped, the entry of `tables` for p is the byte offset of that position's table,
/// otherwise kNone. TileCircle gives the order of these entries in memory.
template <int kRows, int kSpan, int kBytes>
struct TouchedPlaces {
    static constexpr int kColumns = kRows + kSpan - 1;
    static constexpr int32_t kNone = -(1 << 24);
    int32_t place[kRows * kSpan];  ///< per pair: byte offset of its new delta; negative: the pair is not touched

    template <class Circle>
    QAPFW_DEVICE void find(const int32_t* tables, const Circle& circle, int row, int column) {
        int32_t from_row[kRows], from_column[kColumns];
#pragma unroll
        for (int i = 0; i < kRows; ++i) from_row[i] = tables[circle.row(i)] + column * kBytes;
#pragma unroll
        for (int c = 0; c < kColumns; ++c) from_column[c] = tables[circle.column(c)] + row * kBytes;
#pragma unroll
        for (int i = 0; i < kRows; ++i)
#pragma unroll
            for (int k = 0; k < kSpan; ++k)
                place[i * kSpan + k] = greater(from_row[i] + (i + k) * kBytes, from_column[i + k] + i * kBytes);
    }
    static QAPFW_DEVICE int32_t greater(int32_t a, int32_t b) {
        return a > b ? a : b;
    }
};

/// The places of a tile's rows and columns on the circle. The circle has kExtent places, spare places included. The
/// tiles of neighbouring threads are kRows places apart. Memory holds the places in an order (see spread) in which
/// places kRows apart are side by side. So neighbouring threads use different banks of shared memory.
template <int kRows, int kExtent>
struct TileCircle {
    static constexpr int kQuota = (kExtent + kRows - 1) / kRows;
    static constexpr int kPlaces = kRows * kQuota;
    int row0;            ///< index in memory of the place of the tile's first row
    int columns[kRows];  ///< the same for the first kRows columns; the index of column c + kRows is that of c plus 1

    static QAPFW_DEVICE int spread(int place) { return place % kRows * kQuota + place / kRows; }
    QAPFW_DEVICE void set(int row, int column) {
        row0 = row / kRows;
#pragma unroll
        for (int c = 0; c < kRows; ++c) columns[c] = spread(column + c);
    }
    QAPFW_DEVICE int row(int i) const {
        return row0 + i * kQuota;
    }
    QAPFW_DEVICE int column(int c) const {
        return columns[c % kRows] + c / kRows;
    }
};

/// Shared memory that StraightExchange needs in addition to that of the tile. Empty if kPresent is false.
template <bool kPresent, class Factors, int kPlaces>
struct StraightShared {};
template <class Factors, int kPlaces>
struct StraightShared<true, Factors, kPlaces> {
    Factors spread_factors[kSides][kPlaces];
    int32_t tables[kPlaces];  ///< by place: byte offset of the table of touched pairs; see TouchedPlaces
};

template <class Tile>
struct StraightExchange {
    using Touched = typename Tile::Touched;
    using Places = typename Tile::Places;
    static constexpr int kRounds = Tile::kRounds, kTiles = Tile::kTiles;
    /// The data of one position v for the swap of r and s: v's entries in the rows of r and s, and the parts of deltas
    /// that come from diagonals and linear costs. Side 0 has the entries of the matrices. If the matrices are not
    /// symmetric, side 1 has the entries of their transposes.
    struct Elements {
        Sum a_r[kSides], a_s[kSides], b_r[kSides], b_s[kSides];
        Sum own_r, own_s;  ///< the parts of the deltas of pairs {r, v} and {s, v} that kFactor does not multiply
        typename Tile::LinearParts with_r, with_s;
    };
    using Factors = typename Tile::Factors;
    Tile& tile;

    /// Loads this thread's rows of matrix a and finds its places on the circle. Call it before the first swap, when the
    /// matrices are in shared memory.
    QAPFW_DEVICE void start() {
        tile.circle_.set(tile.row0_, tile.column0_);
#pragma unroll
        for (int k = 0; k < kTiles; ++k)
#pragma unroll
            for (int side = 0; side < kSides; ++side)
                tile.rows_of_a_[k][side].load(&tile.block_.a[side][0][tile.tile_row(k) * kRowBytes]);
    }

    template <class Search>
    QAPFW_DEVICE void apply(int r, int s, const Search& search) {
        const int value_r = tile.shared_.solution[s], value_s = tile.shared_.solution[r];
        int32_t payload[kRounds][2];
        stage(r, s, value_r, value_s, search, payload);
        hold_moved_rows(r, s, value_r, value_s);
        tile.group_.sync();
        RowSums rows[kTiles] = {};
        multiply(rows);
        const int which = tile.group_.lane() & 1, first = Tile::first_row(tile.group_.rank());
        Sum base[kTiles];
#pragma unroll
        for (int k = 0; k < kTiles; ++k) base[k] = tile.base_of(first, k, which);
        Places places;
        places.find(tile.shared_.tables, tile.circle_, tile.row0_, tile.column0_);
        subtract_factors();
        const Sum sum_r = tile.total(0), sum_s = tile.total(1);
        search.hear_old_values(r, value_s, s, value_r);
        tile.store_exchange(r, s, sum_r, sum_s, payload);
        tile.put_touched(rows, base, first, which, r, s, sum_r, sum_s);
        tile.group_.sync();
        collect(places);
    }

    /// Does what Tile::stage_exchange does.
    template <class Search>
    QAPFW_DEVICE void stage(int r, int s, int value_r, int value_s, const Search& search,
                            int32_t (&payload)[kRounds][2]) {
        Elements elements[kRounds];
        Sum sums[2] = {0, 0};
#pragma unroll
        for (int round = 0; round < kRounds; ++round) {
            const int v = tile.position_of(round);
            const int here = v == r ? value_r : v == s ? value_s : tile.here_[round];
            tile.here_[round] = here;
            elements[round] = elements_of(v, here, r, s, value_r, value_s);
            const Elements& e = elements[round];
#pragma unroll
            for (int side = 0; side < kSides; ++side) {
                sums[0] += e.a_r[side] * e.b_r[side];
                sums[1] += e.a_s[side] * e.b_s[side];
                tile.diagonal_[round] += (e.a_r[side] - e.a_s[side]) * (e.b_r[side] - e.b_s[side]);
            }
            sums[0] += v == r ? e.with_r.of_z : 0;
            sums[1] += v == s ? e.with_s.of_z : 0;
            const int other = Tile::least(v, kMovable - 1);  // at most the last position, so loads need no branch
            const bool exchanged = v == r || v == s;
            const int32_t of_r = search.payload(r, value_r, other, here);
            const int32_t of_s = search.payload(s, value_s, other, here);
            payload[round][0] = exchanged ? search.exchanged_payload() : of_r;
            payload[round][1] = exchanged ? search.exchanged_payload() : of_s;
        }
        const Sum sum_r = Tile::sum_of_warp(sums[0]), sum_s = Tile::sum_of_warp(sums[1]);
#pragma unroll
        for (int round = 0; round < kRounds; ++round) store(round, elements[round], r, s);
        tile.store_partial(0, sum_r);
        tile.store_partial(1, sum_s);
    }

    /// The matrix entries for position v. For v past the last position, the entries of a are 0, so products add
    /// nothing.
    QAPFW_DEVICE Elements elements_of(int v, int here, int r, int s, int value_r, int value_s) const {
        const int at = Tile::least(v, kN - 1);
        Elements e;
#pragma unroll
        for (int side = 0; side < kSides; ++side) {
            const Sum a_r = tile.a(side, r, at), a_s = tile.a(side, s, at);
            e.a_r[side] = v < kN ? a_r : 0;
            e.a_s[side] = v < kN ? a_s : 0;
            e.b_r[side] = tile.b(side, value_r, here);
            e.b_s[side] = tile.b(side, value_s, here);
        }
        e.own_r = tile.own_term(r, value_r, at, here);
        e.own_s = tile.own_term(s, value_s, at, here);
        e.with_r = tile.linear_parts(r, value_r, at, here);
        e.with_s = tile.linear_parts(s, value_s, at, here);
        return e;
    }

    QAPFW_DEVICE void store(int round, const Elements& e, int r, int s) {
        auto& shared = tile.shared_;
        const int v = tile.position_of(round), here = tile.here_[round];
        const int spare = kUsedVectorBytes + tile.group_.rank();  // the offset of a byte that is never read
        const int at = v < kN ? vector_offset(v) : spare;
        const int at_location = v < kN ? vector_offset(here) : spare;
        Sum base[2] = {e.with_r.of_z + e.with_r.of_v, e.with_s.of_z + e.with_s.of_v};
#pragma unroll
        for (int side = 0; side < kSides; ++side) {
            shared.by_position[side].set(0, at, static_cast<uint32_t>(e.b_r[side]));
            shared.by_position[side].set(1, at, static_cast<uint32_t>(e.b_s[side]));
            shared.by_location[side].set(0, at_location, static_cast<uint32_t>(e.a_r[side]));
            shared.by_location[side].set(1, at_location, static_cast<uint32_t>(e.a_s[side]));
            const Factors factors{e.a_r[side] - e.a_s[side], (e.b_r[side] - e.b_s[side]) * Tile::kFactor};
            tile.at_images(v, [&](int image) { shared.spread_factors[side][Tile::Circle::spread(image)] = factors; });
            // The sum over both sides is (a_rv + a_vr)(b_rv + b_vr). Each side adds the product of its own a and the
            // sum of both b.
            base[0] += e.a_r[side] * (e.b_r[side] + e.b_r[kSides - 1 - side]);
            base[1] += e.a_s[side] * (e.b_s[side] + e.b_s[kSides - 1 - side]);
        }
        const bool exchanged = v == r || v == s;
        const int to = v < kN ? v : kN + tile.group_.rank();  // a spare entry
        shared.base[to][0] = exchanged ? base[0] : base[0] - tile.diagonal_[round];
        shared.base[to][1] = exchanged ? base[1] : base[1] - tile.diagonal_[round];
        if constexpr (Tile::kOwnTerm) {
            shared.own_term[to][0] = e.own_r;
            shared.own_term[to][1] = e.own_s;
        }
        constexpr int32_t kSecond = static_cast<int32_t>(sizeof(shared.touched[0]));
        const int32_t table = v == r ? 0 : v == s ? kSecond : Places::kNone;
        tile.at_images(v, [&](int image) { shared.tables[Tile::Circle::spread(image)] = table; });
    }
    /// Does what Tile::subtract_factors does.
    QAPFW_DEVICE void subtract_factors() {
#pragma unroll
        for (int side = 0; side < kSides; ++side) {
            const Factors* const factors = tile.shared_.spread_factors[side];
            Factors row[Tile::kGroups];
#pragma unroll
            for (int i = 0; i < Tile::kGroups; ++i) row[i] = factors[tile.circle_.row(i)];
#pragma unroll
            for (int c = 0; c < Tile::kColumns; ++c) {
                const Factors column = factors[tile.circle_.column(c)];
#pragma unroll
                for (int i = 0; i < Tile::kGroups; ++i)
                    if (c >= i && c - i < Tile::kGroupSize)
                        tile.slots_.value[i * Tile::kGroupSize + c - i] +=
                            (row[i].x - column.x) * (column.y - row[i].y);
            }
        }
    }

    /// Loads this lane's rows of matrix b again, since the swap changed the values at positions r and s. The rows of
    /// matrix a depend only on the positions, so they stay.
    QAPFW_DEVICE void hold_moved_rows(int r, int s, int value_r, int value_s) {
#pragma unroll
        for (int k = 0; k < kTiles; ++k) {
            const int row = tile.tile_row(k);
            tile.tile_value_[k] = row == r ? value_r : row == s ? value_s : tile.tile_value_[k];
#pragma unroll
            for (int side = 0; side < kSides; ++side)
                tile.rows_of_b_[k][side].load(&tile.block_.b[side][0][tile.tile_value_[k] * kRowBytes]);
        }
    }
    /// Adds all products to `rows`. Products by position and products by location do not wait for one another.
    QAPFW_DEVICE void multiply(RowSums (&rows)[kTiles]) const {
        RowSums by_location[kTiles] = {};
#pragma unroll
        for (int side = 0; side < kSides; ++side)
#pragma unroll
            for (int k = 0; k < kTiles; ++k) {
                tile.rows_of_a_[k][side].multiply(rows[k], tile.shared_.by_position[side]);
                tile.rows_of_b_[k][side].multiply(by_location[k], tile.shared_.by_location[side]);
            }
#pragma unroll
        for (int k = 0; k < kTiles; ++k) rows[k].add(by_location[k]);
    }

    /// Copies the new deltas and words of this thread's touched pairs to its slots. Uses masks, since there are few
    /// predicate registers.
    QAPFW_DEVICE void collect(const Places& places) {
        const char* const touched = reinterpret_cast<const char*>(&tile.shared_.touched);
#pragma unroll
        for (int slot = 0; slot < Tile::kSlots; ++slot) {
            const int32_t place = places.place[slot];
            tile.slots_.put_unless(slot, place >> 31,
                                   *reinterpret_cast<const Touched*>(touched + Places::greater(place, 0)));
        }
    }
};

}  // namespace qapfw::qap
