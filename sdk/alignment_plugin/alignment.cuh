// SPDX-License-Identifier: Apache-2.0
// Graph alignment on a GPU: its cost, and the swaps that it proposes. The device code that defines kVertices must come
// before this file. The functions compute the same as the functions of alignment.cpp.
#include "qapfw/kernels/platform.hpp"

namespace qapfw::device {

struct Problem {
    struct Weights {
        int32_t there, back;
    };
    struct Arc {
        uint32_t to;
        Weights weights;
    };
    struct Slot {
        uint32_t key;
        Weights weights;
    };
    /// The arcs of both graphs, vertex by vertex, and a hash table. The table maps a pair of vertices of the second
    /// graph to the weights of the arcs between them.
    struct View {
        const uint64_t* from_first;
        const Arc* from;
        const uint64_t* onto_first;
        const Arc* onto;
        const Slot* table;
        uint64_t mask;
    };
    using Cost = int64_t;
    static constexpr int kPositions = kVertices;

    template <class Group, class Solution>
    static QAPFW_DEVICE Cost cost(Group group, const View& view, Solution image) {
        int64_t sum = 0;
        for (int u = group.rank(); u < kPositions; u += group.size()) {
            for (uint64_t k = view.from_first[u]; k < view.from_first[u + 1]; ++k) {
                const Arc& arc = view.from[k];
                if (arc.weights.there == 0) continue;
                sum += lesser(arc.weights.there, between(view, image(u), image(static_cast<int>(arc.to))).there);
            }
        }
        return group.sum(-sum);
    }

    // A walk is a solution in three arrays. `location_of`: the image of each vertex. `vertex_at`: the inverse.
    // `code_of`: unused.
    template <class Walk>
    static QAPFW_DEVICE void place(const View&, const Walk& walk, uint32_t u) {
        walk.vertex_at[walk.location_of[u]] = u;
    }

    template <class Walk>
    static QAPFW_DEVICE uint32_t partner(const View& view, const Walk& walk, uint32_t u, uint64_t draw) {
        const uint32_t degree = degree_of(view.from_first, u);
        if ((draw & 0xff) < 240 && degree > 0) {
            const uint32_t w = view.from[view.from_first[u] + pick(draw >> 8, degree)].to, c = walk.location_of[w];
            const uint32_t many = degree_of(view.onto_first, c);
            if (many > 0) return walk.vertex_at[view.onto[view.onto_first[c] + pick(draw >> 24, many)].to];
        }
        return static_cast<uint32_t>((draw >> 32) * kVertices >> 32);
    }
    template <class Walk>
    static QAPFW_DEVICE int64_t delta(const View& view, const Walk& walk, uint32_t u, uint32_t v) {
        const uint32_t a = walk.location_of[u], b = walk.location_of[v];
        return -(row(view, walk, u, v, a, b) + row(view, walk, v, u, b, a));
    }
    template <class Walk>
    static QAPFW_DEVICE void exchange(const View&, const Walk& walk, uint32_t u, uint32_t v) {
        const uint32_t a = walk.location_of[u], b = walk.location_of[v];
        walk.location_of[u] = b;
        walk.location_of[v] = a;
        walk.vertex_at[b] = u;
        walk.vertex_at[a] = v;
    }
    template <class Body>
    static QAPFW_DEVICE bool all_neighbours(const View& view, uint32_t u, Body body) {
        for (uint64_t k = view.from_first[u]; k < view.from_first[u + 1]; ++k) {
            if (!body(view.from[k].to)) return false;
        }
        return true;
    }

  private:
    static QAPFW_DEVICE int32_t lesser(int32_t x, int32_t y) { return x < y ? x : y; }
    static QAPFW_DEVICE int64_t both(const Weights& x, const Weights& y) {
        return int64_t{lesser(x.there, y.there)} + lesser(x.back, y.back);
    }
    static QAPFW_DEVICE uint32_t degree_of(const uint64_t* first, uint32_t u) {
        return static_cast<uint32_t>(first[u + 1] - first[u]);
    }
    static QAPFW_DEVICE uint32_t pick(uint64_t bits, uint32_t many) {
        return static_cast<uint32_t>((bits & 0xffff) * many >> 16);
    }
    /// Returns the weights of the second graph's arcs from vertex a to vertex b and back; 0: no arc.
    static QAPFW_DEVICE Weights between(const View& view, uint32_t a, uint32_t b) {
        const uint32_t low = a < b ? a : b, key = low << 16 | (a < b ? b : a);
        const auto mask = static_cast<uint32_t>(view.mask);
        for (uint32_t at = static_cast<uint32_t>((key * 0x9e3779b97f4a7c15ull) >> 32) & mask;; at = (at + 1) & mask) {
            const Slot slot = view.table[at];
            if (slot.key == 0xffffffffu) return Weights{0, 0};
            if (slot.key == key) return a == low ? slot.weights : Weights{slot.weights.back, slot.weights.there};
        }
    }
    template <class Walk>
    static QAPFW_DEVICE int64_t row(const View& view, const Walk& walk, uint32_t u, uint32_t v, uint32_t a,
                                    uint32_t b) {
        int64_t sum = 0;
        for (uint64_t k = view.from_first[u]; k < view.from_first[u + 1]; ++k) {
            const Arc arc = view.from[k];
            const bool together = arc.to == v;
            if (together && u > v) continue;  // the arcs between u and v count once, in the row of the smaller vertex
            const uint32_t c = together ? b : walk.location_of[arc.to], after = together ? a : c;
            sum += both(arc.weights, between(view, b, after)) - both(arc.weights, between(view, a, c));
        }
        return sum;
    }
};

}  // namespace qapfw::device
