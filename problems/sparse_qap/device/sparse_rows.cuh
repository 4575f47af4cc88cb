// SPDX-License-Identifier: Apache-2.0
// Rows on a GPU: each vertex has a row, which lists its arcs. The host defines macros. SPARSE_END and SPARSE_OFFSET are
// types that are as narrow as the instance allows. SPARSE_WEIGHT_BITS is 0 if no arc has a weight of its own.
// SPARSE_WIDE is 1 if the view's `wide` has the weights. SPARSE_DEGREE is the degree of all vertices, or 0 if degrees
// differ. SPARSE_METRIC is a number of enum Metric. If SPARSE_SLOTS is not 0, each row has that many packed entries of
// 16 bits; then no arc has a weight of its own. An entry is the number of the arc's end minus the number of the row's
// vertex. If SPARSE_RING is 1, an entry counts the shorter way around a ring of all vertices. If the degrees of rows
// differ, the first entry of each row is instead twice the number of packed arcs, plus 1 if other arcs follow in
// `arcs`.
#include "sparse_view.cuh"

namespace qapfw::sparse {

/// An entry of a row: one arc.
struct DeviceArc {
    SPARSE_END to;
#if SPARSE_WEIGHT_BITS == 16
    int16_t weight;
#elif SPARSE_WEIGHT_BITS == 32
    int32_t weight;
#endif
};

/// The range of a vertex's arcs in `arcs`: all arcs, or only those that are not packed.
struct alignas(2 * sizeof(SPARSE_OFFSET)) DeviceRow {
    SPARSE_OFFSET begin, end;
};

/// Types of sums. FewChanges holds the sum of a few changes of distances. RowChanges holds the sum of all changes of a
/// row, each times the weight of its edge. Under the conditions of the #if lines, 32 bits suffice.
#if SPARSE_METRIC <= 4
using FewChanges = int32_t;
#else
using FewChanges = int64_t;
#endif
#if SPARSE_METRIC <= 4 && SPARSE_DEGREE > 0 && SPARSE_DEGREE <= 64 && SPARSE_WEIGHT_BITS == 0 && !SPARSE_WIDE
using RowChanges = int32_t;
#else
using RowChanges = int64_t;
#endif

/// Returns an arc's own weight. The whole weight is the own weight times the weight that all arcs have in common.
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

#if SPARSE_SLOTS > 0
constexpr uint32_t kHead = SPARSE_DEGREE > 0 ? 0 : 1;  // number of a row's entries that lie before its arcs

/// Eight entries, which one read fetches.
struct alignas(16) DevicePack {
    uint32_t words[4];

    QAPFW_DEVICE int32_t entry(uint32_t k) const { return static_cast<int16_t>(words[k / 2] >> (16 * (k % 2))); }
};

QAPFW_DEVICE uint32_t unpacked_end(const DeviceView& view, uint32_t vertex, int32_t difference) {
    const auto end = static_cast<int32_t>(vertex) + difference;
#if SPARSE_RING
    const auto around = static_cast<int32_t>(view.vertices);
    return static_cast<uint32_t>(end < 0 ? end + around : end >= around ? end - around : end);
#else
    return static_cast<uint32_t>(end);
#endif
}
#endif

/// Reads the arcs of one vertex from the vertex's row.
class DeviceArcs {
  public:
    QAPFW_DEVICE DeviceArcs(const DeviceView& view, uint32_t vertex) : view_(view), vertex_(vertex) {}

    QAPFW_DEVICE uint32_t degree() const {
#if SPARSE_DEGREE > 0
        return SPARSE_DEGREE;
#elif SPARSE_SLOTS > 0
        const uint32_t head = entries()[0];
        return head / 2 + (head % 2 == 0 ? 0 : others(others()));
#else
        return others(others());
#endif
    }
    /// Returns the vertex to which arc k leads.
    QAPFW_DEVICE uint32_t end(uint32_t k) const {
#if SPARSE_SLOTS > 0 && SPARSE_DEGREE > 0
        return unpacked_end(view_, vertex_, static_cast<int16_t>(entries()[k]));
#elif SPARSE_SLOTS > 0
        const uint32_t packed = entries()[0] / 2u;
        if (k < packed) return unpacked_end(view_, vertex_, static_cast<int16_t>(entries()[kHead + k]));
        return arcs()[others().begin + (k - packed)].to;
#else
        return arcs()[others().begin + k].to;
#endif
    }
    /// Calls body(end, own weight) for each arc until a call returns false. Returns false if a call did.
    template <class Body>
    QAPFW_DEVICE bool all(Body body) const {
#if SPARSE_SLOTS > 0
        const uint32_t packed = degree_of(entries()[0]);
        for (uint32_t k = 0; k < packed; ++k) {
            if (!body(unpacked_end(view_, vertex_, static_cast<int16_t>(entries()[kHead + k])), int64_t{1}))
                return false;
        }
        if (!is_longer(entries()[0])) return true;
#endif
        const DeviceRow row = others();
        for (uint64_t k = row.begin; k < row.end; ++k) {
            if (!body(uint32_t{arcs()[k].to}, own_weight(view_, arcs()[k], k))) return false;
        }
        return true;
    }
    /// Returns the sum of term(end, codes[end]) times the arc's own weight over all arcs of the row. Reads several arcs
    /// at the same time.
    template <class Codes, class Term>
    QAPFW_DEVICE RowChanges sum(Codes codes, Term term) const {
        RowChanges sum = 0;
#if SPARSE_SLOTS > 0
        const DevicePack* const packs =
            static_cast<const DevicePack*>(view_.packed) + uint64_t{vertex_} * (SPARSE_SLOTS / 8);
        DevicePack pack = packs[0];
        const auto head = static_cast<uint16_t>(pack.words[0]);
        const uint32_t last = degree_of(head) + kHead;
        sum += sum_of_pack(pack, 0, last, codes, term);
#if defined(__CUDA_ARCH__)
#pragma unroll
#endif
        for (uint32_t k = 1; k < SPARSE_SLOTS / 8; ++k) {
            if (8 * k >= last) break;
            sum += sum_of_pack(packs[k], 8 * k, last, codes, term);
        }
        if (!is_longer(head)) return sum;
#endif
        const DeviceRow row = others();
#if defined(__CUDA_ARCH__)
#pragma unroll 4
#endif
        for (uint64_t k = row.begin; k < row.end; ++k) {
            const DeviceArc arc = arcs()[k];
            sum += static_cast<RowChanges>(own_weight(view_, arc, k) * term(uint32_t{arc.to}, codes[arc.to]));
        }
        return sum;
    }

  private:
    QAPFW_DEVICE const DeviceArc* arcs() const {
        return static_cast<const DeviceArc*>(view_.arcs);
    }
    QAPFW_DEVICE DeviceRow others() const {
#if SPARSE_DEGREE > 0
        const SPARSE_OFFSET begin = static_cast<SPARSE_OFFSET>(vertex_) * SPARSE_DEGREE;
        return {begin, begin + SPARSE_DEGREE};
#else
        return static_cast<const DeviceRow*>(view_.rows)[vertex_];
#endif
    }
    static QAPFW_DEVICE uint32_t others(const DeviceRow& row) {
        return static_cast<uint32_t>(row.end - row.begin);
    }
#if SPARSE_SLOTS > 0
    QAPFW_DEVICE const uint16_t* entries() const {
        return static_cast<const uint16_t*>(view_.packed) + uint64_t{vertex_} * SPARSE_SLOTS;
    }
    static QAPFW_DEVICE uint32_t degree_of(uint32_t head) {
        return SPARSE_DEGREE > 0 ? SPARSE_DEGREE : head / 2;
    }
    static QAPFW_DEVICE bool is_longer(uint32_t head) {
        return SPARSE_DEGREE == 0 && head % 2 != 0;
    }

    /// Adds up the terms of one pack. The pack's first entry is number `first` of the row. The row's packed arcs end
    /// before entry `last`.
    template <class Codes, class Term>
    QAPFW_DEVICE FewChanges sum_of_pack(const DevicePack& pack, uint32_t first, uint32_t last, Codes codes,
                                        Term term) const {
        using Code = decltype(codes[0] + 0);
        FewChanges sum = 0;
        uint32_t ends[8];
        Code own[8];
#if defined(__CUDA_ARCH__)
#pragma unroll
#endif
        for (uint32_t k = 0; k < 8; ++k) {
            const bool counts = first + k >= kHead && first + k < last;
            ends[k] = unpacked_end(view_, vertex_, pack.entry(k));
            own[k] = counts ? codes[ends[k]] : 0;
        }
#if defined(__CUDA_ARCH__)
#pragma unroll
#endif
        for (uint32_t k = 0; k < 8; ++k) {
            const bool counts = first + k >= kHead && first + k < last;
            const auto change = static_cast<FewChanges>(term(ends[k], own[k]));
            sum += counts ? change : 0;
        }
        return sum;
    }
#endif

    const DeviceView& view_;
    const uint32_t vertex_;
};

}  // namespace qapfw::sparse
