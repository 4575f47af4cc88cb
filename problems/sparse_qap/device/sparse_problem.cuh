// SPDX-License-Identifier: Apache-2.0
// A sparse instance on a GPU: its cost, and the exchanges that it proposes (qapfw/abi/sampled_neighbourhood.h). The
// host defines SPARSE_N (locations), SPARSE_METRIC (a number of enum Metric), SPARSE_LANES (coordinates), SPARSE_CODE
// (a type), SPARSE_ORDERED (1: rows are not in the order of positions), SPARSE_SHORT_SIDES (1: change_of_bytes may be
// used), and what sparse_rows.cuh needs. SPARSE_SIDES, the sides of a grid or torus, is defined if the locations are
// its cells and no cell has several locations.
#include "distance_of_codes.cuh"
#include "sparse_rows.cuh"

namespace qapfw::sparse {

QAPFW_DEVICE int64_t device_distance(const DeviceView& view, uint64_t a, uint64_t b) {
    return distance_of_codes<SPARSE_METRIC, SPARSE_LANES>(view, a, b);
}

/// Returns the change of an edge's length when one end moves from code `from` to code `to`. The other end stays at
/// `code`.
QAPFW_DEVICE int64_t device_change(const DeviceView& view, uint64_t from, uint64_t to, uint64_t code) {
#if SPARSE_SHORT_SIDES
    constexpr bool kRing = SPARSE_METRIC >= 2;
    return change_of_bytes<kRing>(static_cast<uint32_t>(view.sides), static_cast<uint32_t>(from),
                                  static_cast<uint32_t>(to), static_cast<uint32_t>(code));
#else
    return device_distance(view, to, code) - device_distance(view, from, code);
#endif
}

#ifdef SPARSE_SIDES
/// A location of a box (a grid or torus), and the code of its coordinates.
struct PlaceInBox {
    uint32_t location;
    uint64_t code;
};

/// Computes entry `chosen` of the list of neighbours that Target::near_in_box makes for the location with this code.
/// With `chosen` = 2 * SPARSE_LANES, returns the location itself.
QAPFW_DEVICE PlaceInBox beside_in_box(uint64_t code, uint32_t chosen) {
    constexpr uint32_t kSides[] = {SPARSE_SIDES};
    constexpr int kBits = SPARSE_METRIC % 2 == 0 ? 8 : 16;
    constexpr bool kRing = SPARSE_METRIC >= 2;
    PlaceInBox place{0, 0};
    uint32_t stride = 1;
#if defined(__CUDA_ARCH__)
#pragma unroll
#endif
    for (uint32_t d = 0; d < SPARSE_LANES; ++d) {
        const uint32_t side = kSides[d], last = side - 1,
                       at = static_cast<uint32_t>(code >> (kBits * d)) & ((1u << kBits) - 1);
        // At the edge of a grid, a step outwards is replaced by `turned` steps inwards.
        const uint32_t turned = side == 1 ? 0 : 1;
        const uint32_t up = at != last ? at + 1 : kRing ? 0 : at - turned;
        const uint32_t down = at != 0 ? at - 1 : kRing ? last : turned;
        const uint32_t then = chosen == 2 * d ? up : chosen == 2 * d + 1 ? down : at;
        place.location += then * stride;
        place.code |= uint64_t{then} << (kBits * d);
        stride *= side;
    }
    return place;
}

/// Returns the location with this code.
QAPFW_DEVICE uint32_t location_in_box(uint64_t code) {
    return beside_in_box(code, 2 * SPARSE_LANES).location;
}
#endif

}  // namespace qapfw::sparse

namespace qapfw::device {

struct Problem {
    using View = sparse::DeviceView;
    using Cost = int64_t;
    using Code = SPARSE_CODE;
    static constexpr int kPositions = SPARSE_N;

    /// True if the rows have an order of their own, not that of the positions. A walk then numbers vertices by rows.
    static constexpr bool kOrdered = SPARSE_ORDERED != 0;
    /// Returns the position to which the row with this number belongs.
    static QAPFW_DEVICE uint32_t position_of(const View& view, uint32_t number) {
        return kOrdered ? view.positions[number] : number;
    }

    template <class Group, class Solution>
    static QAPFW_DEVICE Cost cost(Group group, const View& view, Solution solution) {
        return cost_of_codes(group, view, SolutionCodes<Solution>{view, solution});
    }
    /// Returns the cost of a walk's solution, from the walk's codes.
    template <class Group, class Walk>
    static QAPFW_DEVICE Cost cost_of_walk(Group group, const View& view, const Walk& walk) {
        return cost_of_codes(group, view, walk.code_of);
    }

    // A walk is a solution in three arrays: `location_of` and `code_of` by position, `vertex_at` by location.

    /// Sets the two entries that depend on the location of position u: `vertex_at` of the location and `code_of` of u.
    template <class Walk>
    static QAPFW_DEVICE void place(const View& view, const Walk& walk, uint32_t u) {
        const uint32_t location = walk.location_of[u];
        walk.vertex_at[location] = u;
        walk.code_of[u] = static_cast<Code>(view.location_codes[location]);
    }
#ifdef SPARSE_SIDES
    // In a box, the location of a position can be computed from the position's code. So exchanges do not update
    // `location_of`. The partner's location is known before the partner itself, so the partner's code need not be read.

    /// Returns the location of the position with number u.
    template <class Walk>
    static QAPFW_DEVICE uint32_t location_of(const View&, const Walk& walk, uint32_t u) {
        return sparse::location_in_box(walk.code_of[u]);
    }
    /// Returns the partner that the draw chooses, or u if there is no partner. Sets `change` to the change of the cost
    /// by the exchange.
    template <class Walk>
    static QAPFW_DEVICE uint32_t proposal(const View& view, const Walk& walk, uint32_t u, uint64_t draw,
                                          int64_t& change) {
        const uint32_t chosen = sparse::sparse_below(draw >> 24, 2 * SPARSE_LANES);
        const sparse::PlaceInBox place = sparse::beside_in_box(walk.code_of[neighbour_or_self(view, u, draw)], chosen);
        const uint32_t v = walk.vertex_at[place.location];
        change = v == u ? 0 : delta(view, walk, u, v, place.code);
        return v;
    }
    /// Makes the exchange if `holds()`. The codes are read before that call, so that the two waits for memory overlap.
    template <class Walk, class Holds>
    static QAPFW_DEVICE void exchange_if(const View&, const Walk& walk, uint32_t a, uint32_t b, Holds holds) {
        const Code of_a = walk.code_of[a], of_b = walk.code_of[b];
        if (!holds()) return;
        walk.code_of[a] = of_b;
        walk.code_of[b] = of_a;
        walk.vertex_at[sparse::location_in_box(of_b)] = a;
        walk.vertex_at[sparse::location_in_box(of_a)] = b;
    }
#else
    /// Returns the partner that the draw chooses, or u if there is no partner. Sets `change` to the change of the cost
    /// by the exchange.
    template <class Walk>
    static QAPFW_DEVICE uint32_t proposal(const View& view, const Walk& walk, uint32_t u, uint64_t draw,
                                          int64_t& change) {
        const uint32_t beside = neighbour_or_self(view, u, draw);
        const uint32_t v = walk.vertex_at[sparse::sparse_near_location(view, walk.location_of[beside], draw >> 24)];
        change = v == u ? 0 : delta(view, walk, u, v, walk.code_of[v]);
        return v;
    }
    /// Makes the exchange if `holds()`.
    template <class Walk, class Holds>
    static QAPFW_DEVICE void exchange_if(const View&, const Walk& walk, uint32_t a, uint32_t b, Holds holds) {
        if (!holds()) return;
        const uint32_t location = walk.location_of[a];
        const Code code = walk.code_of[a];
        walk.location_of[a] = walk.location_of[b];
        walk.code_of[a] = walk.code_of[b];
        walk.location_of[b] = location;
        walk.code_of[b] = code;
        walk.vertex_at[walk.location_of[a]] = a;
        walk.vertex_at[location] = b;
    }
#endif
    /// Calls body(neighbour) for the neighbours of u until a call returns false. Returns false if a call did.
    template <class Body>
    static QAPFW_DEVICE bool all_neighbours(const View& view, uint32_t u, Body body) {
        if (u >= view.vertices) return true;
        return sparse::DeviceArcs(view, u).all([&](uint32_t end, int64_t) { return body(end); });
    }

  private:
    /// Chooses how a proposal moves u. Returns a neighbour if u shall move next to that neighbour. Returns u if u shall
    /// be swapped with the vertex at a location near its own.
    static QAPFW_DEVICE uint32_t neighbour_or_self(const View& view, uint32_t u, uint64_t draw) {
        constexpr bool kTree = SPARSE_METRIC == 5;
        const sparse::DeviceArcs arcs(view, u);
        const uint32_t degree = arcs.degree(), arc = sparse::sparse_chosen_arc(kTree, degree, draw);
        return arc < degree ? arcs.end(arc) : u;
    }
    template <class Walk>
    static QAPFW_DEVICE int64_t delta(const View& view, const Walk& walk, uint32_t u, uint32_t v, uint64_t code_of_v) {
        const uint64_t code_of_u = walk.code_of[u];
        return row(view, walk, u, v, code_of_u, code_of_v) + row(view, walk, v, u, code_of_v, code_of_u);
    }
    /// The location codes of a solution: entry u is the code of the location of vertex u.
    template <class Solution>
    struct SolutionCodes {
        const View& view;
        Solution solution;
        QAPFW_DEVICE uint64_t operator[](uint32_t number) const {
            return view.location_codes[static_cast<uint32_t>(solution(static_cast<int>(position_of(view, number))))];
        }
    };
    /// Returns the cost of the solution whose locations have the codes `codes`. Counts each edge once, at its end with
    /// the lower number.
    template <class Group, class Codes>
    static QAPFW_DEVICE Cost cost_of_codes(Group group, const View& view, Codes codes) {
        int64_t sum = 0;
        for (uint32_t u = group.rank(); u < view.vertices; u += group.size()) {
            const uint64_t own = codes[u];
            const auto length = [&](uint32_t end, uint64_t code) {
                return end > u ? sparse::device_distance(view, own, code) : 0;
            };
            sum += sparse::DeviceArcs(view, u).sum(codes, length);
        }
        return group.sum(sum) * sparse::common_weight(view);
    }
    template <class Walk>
    static QAPFW_DEVICE int64_t row(const View& view, const Walk& walk, uint32_t u, uint32_t other, uint64_t from,
                                    uint64_t to) {
        if (u >= view.vertices) return 0;
        const auto change = [&](uint32_t end, uint64_t code) {
            const int64_t change = sparse::device_change(view, from, to, code);
            return end == other ? 0 : change;
        };
        return sparse::DeviceArcs(view, u).sum(walk.code_of, change) * sparse::common_weight(view);
    }
};

}  // namespace qapfw::device
