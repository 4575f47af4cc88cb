// SPDX-License-Identifier: Apache-2.0
// One pass over the table of deltas, which adds the pending rank-1 update and finds the best admissible pair. Each
// translation unit of an instruction set includes this text once; everything is local to that unit.
//
// After positions r and s were swapped, D(u,v) of an untouched pair changes by -(x_u - x_v)(y_u - y_v). Here x_u is
// a_ur - a_us and y_u is b_ur - b_us at the new solution: the row parts. For asymmetric matrices, the same product of
// the transposed matrices is subtracted too; its x_u and y_u are the column parts. The entries of touched pairs were
// prepared so that the same update makes these entries right. With widths k8 and k16 (kPacked), the row part and the
// column part are two 16-bit halves of one 32-bit word, and one multiply-add serves both halves.
#pragma once

#include "problems/qap/neighbourhood/swap_neighbourhood_view.hpp"

namespace qapfw::qap {
namespace {

/// x and y of the pending update for a vector of positions. A kernel type K has `V` (vectors of the table's type and
/// their operations), `kPacked` (x and y are 16-bit pairs) and `kAsymmetric`.
template <class K>
struct Update {
    using V = typename K::V;
    using Vec = typename V::Vec;
    using T = typename V::T;
    static constexpr uint32_t kParts = K::kAsymmetric && !K::kPacked ? 2 : 1;

    Vec x[kParts], y[kParts];

    /// The update for the vector of positions that begins at j.
    static inline Update at(const SwapView& v, uint32_t j) {
        Update w;
        for (uint32_t c = 0; c < kParts; ++c) {
            w.x[c] = V::load(static_cast<const T*>(v.x) + c * v.padded + j);
            w.y[c] = V::load(static_cast<const T*>(v.y) + c * v.padded + j);
        }
        return w;
    }
    /// The update with the entries of x and y for position u, copied to all lanes.
    static inline Update all(const SwapView& v, uint32_t u) {
        Update w;
        for (uint32_t c = 0; c < kParts; ++c) {
            w.x[c] = V::set1(static_cast<const T*>(v.x)[c * v.padded + u]);
            w.y[c] = V::set1(static_cast<const T*>(v.y)[c * v.padded + u]);
        }
        return w;
    }
    static inline Update none() {
        Update w;
        for (uint32_t c = 0; c < kParts; ++c) w.x[c] = w.y[c] = V::zero();
        return w;
    }
    /// d + (x_u - x_w)(y_u - y_w)
    static inline Vec add(Vec d, const Update& u, const Update& w) {
        if constexpr (K::kPacked) {
            d = V::dot16(d, V::sub16(u.x[0], w.x[0]), V::sub16(u.y[0], w.y[0]));
        } else {
            for (uint32_t c = 0; c < kParts; ++c) d = V::add(d, V::mul(V::sub(u.x[c], w.x[c]), V::sub(u.y[c], w.y[c])));
        }
        return d;
    }
    /// d - (x_u - x_w)(y_u - y_w) in the lanes of `mask`, and d in the other lanes.
    static inline Vec apply(Vec d, const Update& u, const Update& w, typename V::Mask mask) {
        if constexpr (K::kPacked)
            return V::dot16_where(d, mask, V::sub16(u.x[0], w.x[0]), V::sub16(w.y[0], u.y[0]));
        else
            return V::blend(mask, d, apply(d, u, w));
    }
    static inline Vec apply(Vec d, const Update& u, const Update& w) {
        if constexpr (K::kPacked) {
            d = V::dot16(d, V::sub16(u.x[0], w.x[0]), V::sub16(w.y[0], u.y[0]));
        } else {
            for (uint32_t c = 0; c < kParts; ++c) d = V::sub(d, V::mul(V::sub(u.x[c], w.x[c]), V::sub(u.y[c], w.y[c])));
        }
        return d;
    }
};

/// Scans kRows rows together. If kForced is false (no pair can be forced), expiries are read only where one of the
/// kRows vectors of deltas has a delta below the best admissible delta so far. After the first rows this is rare, so
/// mostly only the table of deltas is read.
template <class K, bool kForced, bool kFixed>
class Scan {
    using V = typename K::V;
    using Vec = typename V::Vec;
    using Mask = typename V::Mask;
    using T = typename V::T;
    static constexpr uint32_t kLanes = V::kLanes, kRows = V::kRows;  // kRows divides kLanes

  public:
    Scan(const SwapView& v, const ScanQuery& q)
        : v_(v),
          q_(q),
          last_((v.n - 1) & ~(kLanes - 1)),
          aspiration_(clamp(q.aspiration)),
          now_(V::bound(q.iteration)),
          before_(V::bound(q.forced_before)),
          below_aspiration_(V::set1(aspiration_)),
          limit_(clamp(v.limit)),
          best_(V::set1(limit_)),
          preferred_(best_) {}

    bool run(ScanResult& out) {
        for (uint32_t u = 0; u + 1 < v_.n; u += kRows) rows(u);
        if constexpr (kForced) {
            const T preferred = V::reduce_min(preferred_);
            if (preferred != limit_) return find<true>(preferred, 0, v_.n - 1, out);
        }
        if (best_row_ == kNoRow) return false;
        return find<false>(V::first(best_), best_row_, best_row_ + kRows, out);
    }

  private:
    static constexpr uint32_t kNoRow = ~0u;

    /// Clamps values to the table's type. The largest value of the type marks pairs that may not be taken.
    static T clamp(int64_t value) {
        const int64_t most = V::kNone;
        return static_cast<T>(value > most ? most : value < -most ? -most : value);
    }

    struct Row {
        T* d;
        Update<K> xy;
        Mask is_free;
    };

    /// Scans rows u .. u + kRows - 1; rows beyond n have no pair.
    inline void rows(uint32_t u) {
        Row row[kRows];
        Vec d[kRows];
#pragma GCC unroll 4
        for (uint32_t k = 0; k < kRows; ++k) {
            row[k].d = static_cast<T*>(v_.table) + v_.row[u + k];
            row[k].xy = Update<K>::all(v_, u + k);
            if constexpr (kFixed) row[k].is_free = V::mask_all(static_cast<const T*>(v_.free) + u + k);
        }
        const uint32_t first = u & ~(kLanes - 1);
        const Mask columns = V::mask(static_cast<const T*>(v_.free) + first);
        const Update<K> w = Update<K>::at(v_, first);
#pragma GCC unroll 4
        for (uint32_t k = 0; k < kRows; ++k) {
            Mask mask = V::both(columns, V::lanes_after(u - first + k));
            if constexpr (kFixed) mask = V::both(mask, row[k].is_free);
            d[k] = Update<K>::apply(V::load(row[k].d + first), row[k].xy, w, mask);
            V::store(row[k].d + first, d[k]);
        }
        take(d, u, first);
        if (first == last_) return;
        for (uint32_t j = first + kLanes; j < last_; j += kLanes) column<kFixed>(row, u, j);
        column<true>(row, u, last_);
    }

    template <bool kMasked>
    inline void column(const Row* row, uint32_t u, uint32_t j) {
        const Update<K> w = Update<K>::at(v_, j);
        Mask columns;
        if constexpr (kMasked) columns = V::mask(static_cast<const T*>(v_.free) + j);
        Vec d[kRows];
#pragma GCC unroll 4
        for (uint32_t k = 0; k < kRows; ++k) {
            d[k] = V::load(row[k].d + j);
            if constexpr (kFixed)
                d[k] = Update<K>::apply(d[k], row[k].xy, w, V::both(columns, row[k].is_free));
            else if constexpr (kMasked)
                d[k] = Update<K>::apply(d[k], row[k].xy, w, columns);
            else
                d[k] = Update<K>::apply(d[k], row[k].xy, w);
            V::store(row[k].d + j, d[k]);
        }
        take(d, u, j);
    }

    inline void take(const Vec* d, uint32_t u, uint32_t j) {
        Vec least = d[0];
#pragma GCC unroll 4
        for (uint32_t k = 1; k < kRows; ++k) least = V::min(least, d[k]);
        if (kForced || __builtin_expect(V::any(V::greater(best_, least)), false)) take_admissible(d, u, j);
    }

    /// Lowers best_ to the least delta in `d` whose pair is admissible. If that delta is not below best_, best_ and
    /// best_row_ stay. With kForced, also lowers preferred_ to the least delta whose pair is aspired or forced.
    inline void take_admissible(const Vec* d, uint32_t u, uint32_t j) {
        Vec least = V::set1(V::kNone);
        for (uint32_t k = 0; k < kRows; ++k) {
            const size_t row = u + k < v_.n ? u + k : v_.n - 1;  // rows beyond n do not exist in the caller's tables
            const Mask aspired = V::greater(below_aspiration_, d[k]);
            const Mask allowed = V::at_most(q_.expiry + q_.expiry_stride * row + j, now_);
            least = V::min_where(least, V::either(aspired, allowed), d[k]);
            if constexpr (kForced) {
                const Mask forced = V::below(q_.latest + q_.latest_stride * row + j, before_);
                preferred_ = V::min_where(preferred_, V::either(aspired, forced), d[k]);
            }
        }
        // The next lines have no branch, since the CPU could not predict it.
        const Vec lowest = V::spread_min(least);
        best_row_ = V::any(V::greater(best_, lowest)) ? u : best_row_;
        best_ = V::min(best_, lowest);
    }

    /// Finds the first admissible pair in rows u to end - 1 whose delta equals `value`. With kPreferred, the pair must
    /// be aspired or forced.
    template <bool kPreferred>
    bool find(T value, uint32_t u, uint32_t end, ScanResult& out) const {
        const Vec wanted = V::set1(value);
        for (; u < end; ++u) {
            const T* d = static_cast<const T*>(v_.table) + v_.row[u];
            const int32_t* table = kPreferred ? q_.latest + q_.latest_stride * u : q_.expiry + q_.expiry_stride * u;
            for (uint32_t j = u & ~(kLanes - 1); j < v_.n; j += kLanes) {
                Mask mask = V::equal(V::load(d + j), wanted);
                if (value >= aspiration_)
                    mask = V::both(mask, kPreferred ? V::below(table + j, before_) : V::at_most(table + j, now_));
                const uint32_t lanes = V::bits(mask);
                if (lanes == 0) continue;
                out = ScanResult{u, j + static_cast<uint32_t>(__builtin_ctz(lanes)), static_cast<int64_t>(value)};
                return true;
            }
        }
        return false;
    }

    const SwapView v_;  // a copy: the compiler then knows that writes to the table of deltas do not change the view
    const ScanQuery q_;
    const uint32_t last_;
    const T aspiration_;
    const typename V::Bound now_, before_;
    const Vec below_aspiration_;
    const T limit_;               // no pair with D >= limit_ is taken
    Vec best_;                    // least D of admissible pairs; the same number in all lanes
    Vec preferred_;               // each lane: least D of the aspired and forced pairs that were in this lane
    uint32_t best_row_ = kNoRow;  // first of kRows rows, one of which has the best pair; kNoRow: no pair was found
};

template <class K>
bool scan(const SwapView& v, const ScanQuery& q, ScanResult& out) {
    if (q.latest != nullptr)
        return v.has_fixed ? Scan<K, true, true>(v, q).run(out) : Scan<K, true, false>(v, q).run(out);
    return v.has_fixed ? Scan<K, false, true>(v, q).run(out) : Scan<K, false, false>(v, q).run(out);
}

template <class K>
bool first_improving(const SwapView& v, uint32_t i, uint32_t j, ScanResult& out) {
    using V = typename K::V;
    using T = typename V::T;
    for (uint32_t u = i; u + 1 < v.n; ++u, j = 0) {
        const T* d = static_cast<const T*>(v.table) + v.row[u];
        const uint32_t from = (j > u ? j : u) & ~(V::kLanes - 1);
        for (uint32_t k = from; k < v.n; k += V::kLanes) {
            uint32_t lanes = V::bits(V::greater(V::zero(), V::load(d + k)));
            if (k < j) lanes &= ~0u << (j - k);
            if (lanes == 0) continue;
            const uint32_t found = k + static_cast<uint32_t>(__builtin_ctz(lanes));
            out = ScanResult{u, found, static_cast<int64_t>(d[found])};
            return true;
        }
    }
    return false;
}

}  // namespace
}  // namespace qapfw::qap
