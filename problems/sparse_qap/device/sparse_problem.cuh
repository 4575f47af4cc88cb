// SPDX-License-Identifier: Apache-2.0
// A sparse instance on a GPU: its cost, and the exchanges that it proposes (qapfw/abi/sampled_neighbourhood.h). The
// host defines SPARSE_N (locations), SPARSE_METRIC (a number of enum Metric), SPARSE_LANES (coordinates), SPARSE_WIDE,
// and how narrow things are: SPARSE_END, SPARSE_OFFSET and SPARSE_CODE are types, SPARSE_WEIGHT_BITS is 0 where no arc
// has a weight of its own. SPARSE_DEGREE is that of all vertices, 0 where they differ. SPARSE_SIDES is defined where
// locations are the places of a box, one for each: its sides.
#include "distance_of_codes.cuh"
#include "sparse_view.cuh"

namespace qapfw::sparse {

QAPFW_DEVICE int64_t device_distance(const DeviceView& view, uint64_t a, uint64_t b) {
    return distance_of_codes<SPARSE_METRIC, SPARSE_LANES>(view, a, b);
}

/// A row's entry.
struct DeviceArc {
    SPARSE_END to;
#if SPARSE_WEIGHT_BITS == 16
    int16_t weight;
#elif SPARSE_WEIGHT_BITS == 32
    int32_t weight;
#endif
};

QAPFW_DEVICE uint32_t device_end(const DeviceView& view, uint64_t arc) {
    return static_cast<const DeviceArc*>(view.arcs)[arc].to;
}

/// A vertex's row of arcs.
struct alignas(2 * sizeof(SPARSE_OFFSET)) DeviceRow {
    SPARSE_OFFSET begin, end;
};

QAPFW_DEVICE DeviceRow device_row(const DeviceView& view, uint32_t vertex) {
#if SPARSE_DEGREE > 0
    const SPARSE_OFFSET begin = static_cast<SPARSE_OFFSET>(vertex) * SPARSE_DEGREE;
    return {begin, begin + SPARSE_DEGREE};
#else
    return static_cast<const DeviceRow*>(view.rows)[vertex];
#endif
}

/// The weight of an arc is its own times the common one.
QAPFW_DEVICE int64_t own_weight(const DeviceView& view, const DeviceArc& arc, uint64_t number) {
#if SPARSE_WIDE
    return view.wide[number];
#elif SPARSE_WEIGHT_BITS > 0
    return arc.weight;
#else
    return 1;
#endif
}
QAPFW_DEVICE int64_t common_weight(const DeviceView& view) {
    return SPARSE_WIDE || SPARSE_WEIGHT_BITS > 0 ? 1 : view.weight;
}

#ifdef SPARSE_SIDES
/// A location beside the one with this code: what Target::near_in_box puts into its table, without reading it.
QAPFW_DEVICE uint32_t beside_in_box(uint64_t code, uint32_t chosen) {
    constexpr uint32_t kSides[] = {SPARSE_SIDES};
    constexpr int kBits = SPARSE_METRIC % 2 == 0 ? 8 : 16;
    constexpr bool kRing = SPARSE_METRIC >= 2;
    uint32_t location = 0, stride = 1;
#if defined(__CUDA_ARCH__)
#pragma unroll
#endif
    for (uint32_t d = 0; d < SPARSE_LANES; ++d) {
        const uint32_t side = kSides[d], last = side - 1,
                       at = static_cast<uint32_t>(code >> (kBits * d)) & ((1u << kBits) - 1);
        const uint32_t turned = side == 1 ? 0 : 1;  // a grid's edge
        const uint32_t up = at != last ? at + 1 : kRing ? 0 : at - turned;
        const uint32_t down = at != 0 ? at - 1 : kRing ? last : turned;
        location += (chosen == 2 * d ? up : chosen == 2 * d + 1 ? down : at) * stride;
        stride *= side;
    }
    return location;
}
#endif

}  // namespace qapfw::sparse

namespace qapfw::device {

struct Problem {
    using View = sparse::DeviceView;
    using Cost = int64_t;
    using Code = SPARSE_CODE;
    static constexpr int kPositions = SPARSE_N;

    template <class Group, class Solution>
    static QAPFW_DEVICE Cost cost(Group group, const View& view, Solution solution) {
        int64_t sum = 0;
        for (uint32_t u = group.rank(); u < view.vertices; u += group.size()) {
            const uint64_t own = view.location_codes[static_cast<uint32_t>(solution(static_cast<int>(u)))];
            const sparse::DeviceRow row = sparse::device_row(view, u);
            for (uint64_t k = row.begin; k < row.end; ++k) {
                const uint32_t v = sparse::device_end(view, k);
                if (v < u) continue;
                const uint64_t other = view.location_codes[static_cast<uint32_t>(solution(static_cast<int>(v)))];
                sum += sparse::own_weight(view, static_cast<const sparse::DeviceArc*>(view.arcs)[k], k) *
                       sparse::device_distance(view, own, other);
            }
        }
        return group.sum(sum) * sparse::common_weight(view);
    }

    // A walk is a solution in three arrays with an element for each position: `location_of`, `vertex_at`, `code_of`.

    /// Fills in what follows from the position's location.
    template <class Walk>
    static QAPFW_DEVICE void place(const View& view, const Walk& walk, uint32_t u) {
        const uint32_t location = walk.location_of[u];
        walk.vertex_at[location] = u;
        walk.code_of[u] = static_cast<Code>(view.location_codes[location]);
    }
    /// The partner that the draw stands for; the position itself: none.
    template <class Walk>
    static QAPFW_DEVICE uint32_t partner(const View& view, const Walk& walk, uint32_t u, uint64_t draw) {
        constexpr bool kTree = SPARSE_METRIC == 5;
        const sparse::DeviceRow row = sparse::device_row(view, u);
        const auto degree = static_cast<uint32_t>(row.end - row.begin);
        const uint32_t arc = sparse::sparse_chosen_arc(kTree, degree, draw);
        const uint32_t beside = arc < degree ? sparse::device_end(view, row.begin + arc) : u;
#ifdef SPARSE_SIDES
        const uint32_t chosen = sparse::sparse_below(draw >> 24, 2 * SPARSE_LANES);
        return walk.vertex_at[sparse::beside_in_box(walk.code_of[beside], chosen)];
#else
        return walk.vertex_at[sparse::sparse_near_location(view, walk.location_of[beside], draw >> 24)];
#endif
    }
    /// The change of the cost by the exchange.
    template <class Walk>
    static QAPFW_DEVICE int64_t delta(const View& view, const Walk& walk, uint32_t u, uint32_t v) {
        return row(view, walk, u, v, walk.code_of[u], walk.code_of[v]) +
               row(view, walk, v, u, walk.code_of[v], walk.code_of[u]);
    }
    template <class Walk>
    static QAPFW_DEVICE void exchange(const View&, const Walk& walk, uint32_t a, uint32_t b) {
        const uint32_t location = walk.location_of[a];
        const Code code = walk.code_of[a];
        walk.location_of[a] = walk.location_of[b];
        walk.code_of[a] = walk.code_of[b];
        walk.location_of[b] = location;
        walk.code_of[b] = code;
        walk.vertex_at[walk.location_of[a]] = a;
        walk.vertex_at[location] = b;
    }
    /// Calls body(neighbour) until it returns false; returns whether it never did.
    template <class Body>
    static QAPFW_DEVICE bool all_neighbours(const View& view, uint32_t u, Body body) {
        if (u >= view.vertices) return true;
        const sparse::DeviceRow row = sparse::device_row(view, u);
        for (uint64_t k = row.begin; k < row.end; ++k) {
            if (!body(sparse::device_end(view, k))) return false;
        }
        return true;
    }

  private:
    template <class Walk>
    static QAPFW_DEVICE int64_t row(const View& view, const Walk& walk, uint32_t u, uint32_t other, uint64_t from,
                                    uint64_t to) {
        if (u >= view.vertices) return 0;
        const sparse::DeviceRow row = sparse::device_row(view, u);
        const auto* const arcs = static_cast<const sparse::DeviceArc*>(view.arcs);
        int64_t sum = 0;
        // Without branches, so that the reads of several arcs are under way at the same time.
#if defined(__CUDA_ARCH__)
#pragma unroll 4
#endif
        for (uint64_t k = row.begin; k < row.end; ++k) {
            const sparse::DeviceArc arc = arcs[k];
            const uint64_t code = walk.code_of[arc.to];
            const int64_t change = sparse::device_distance(view, to, code) - sparse::device_distance(view, from, code);
            sum += arc.to == other ? 0 : sparse::own_weight(view, arc, k) * change;
        }
        return sum * sparse::common_weight(view);
    }
};

}  // namespace qapfw::device
