// SPDX-License-Identifier: Apache-2.0
// The start of a table, and the swap of two positions. Each translation unit of an instruction set includes this text
// once; everything is local to that unit. Notation: b, D and H belong to the current solution, and ' marks their values
// after the swap.
//
// H_ij = sum_k a_ik b_jk is the cost of row i at the location of j. F(u,v) = H_uv + H_vu - H_uu - H_vv and, with
// constant diagonals a_d and b_d, D(u,v) = F(u,v) + 2 (a_uv - a_d)(b_uv - b_d). For two asymmetric matrices H includes
// the same sum over the transposed matrices. Then (a_uv + a_vu - 2 a_d)(b_uv + b_vu - 2 b_d) replaces the product 2
// (a_uv - a_d)(b_uv - b_d). After r and s were swapped, with x and y as in swap_neighbourhood_scan.hpp:
//  * H'_uu = H_uu + x_u y_u for all u but r and s;
//  * D'(u,r) needs H'_ur and H'_ru: two matrix-vector products;
//  * D'(u,s) = D(u,r) + D(u,s) - D(r,s) - D'(u,r). The swaps (r s)(u r) and (r s)(u s) are the two 3-cycles of {u, r,
//  s}; the costs of these cycles and the unchanged cost add up to the costs of the three swaps of u, r, s. Without
//  symmetry, a term (A+ - A-)(B+ - B-) of the entries among u, r, s remains. Here A+ = a_ur + a_rs + a_su, and A- is
//  the same sum of the transposed matrix;
//  * H'_rr + H'_ss = H_rr + H_ss + D(r,s) + (a_rs - a_sr)(b'_rs - b'_sr), by the definition of D.
// Linear costs are part of H: H_ij then includes the linear cost of i at the location of j. D, the 3-cycles and the
// update stay valid, and the update of untouched pairs does not depend on linear costs.
//
// All of this holds modulo 2^32 and 2^64, so intermediate values may wrap.
//
// Pairs of interchangeable facilities or locations have D = 0. The update of such a pair is 0 while no swap touches the
// pair, because x_u = x_v or y_u = y_v. So the mark that excludes the pair stays in the table until a swap touches the
// pair.
#pragma once

#include "problems/qap/neighbourhood/swap_neighbourhood_scan.hpp"

namespace qapfw::qap {
namespace {

template <class K>
struct Exchange {
    using V = typename K::V;
    using Vec = typename V::Vec;
    using T = typename V::T;
    using U = typename V::U;  // T without sign, so that it may wrap
    using Word = typename V::Word;
    static constexpr uint32_t kLanes = V::kLanes, kElements = K::kElements;

    static T* mine(void* p) { return static_cast<T*>(p); }
    static const T* mine(const void* p) { return static_cast<const T*>(p); }
    static const Word* words(const void* p) { return static_cast<const Word*>(p); }
    static Word* words(void* p) { return static_cast<Word*>(p); }
    static T wrap(U value) { return static_cast<T>(value); }

    // ---- touched pairs ------------------------------------------------------------------------------------------

    /// sum[j] = H_jr + H_rj and part[j] = sum_k a_jk b_rk for kCount vectors of j; row r of b is stored at `b_row`.
    template <uint32_t kCount>
    static inline void products(const SwapView& v, uint32_t r, uint32_t b_row, uint32_t j) {
        Vec by_a[kCount], by_b[kCount];
        for (uint32_t c = 0; c < kCount; ++c) by_a[c] = by_b[c] = V::zero();
        add_products<kCount>(v, words(v.a), words(v.b), r, b_row, j, by_a, by_b);
        if constexpr (K::kAsymmetric)
            add_products<kCount>(v, words(v.a_transposed), words(v.b_transposed), r, b_row, j, by_a, by_b);
        for (uint32_t c = 0; c < kCount; ++c) {
            V::store(mine(v.sum) + j + c * kLanes, V::add(by_a[c], by_b[c]));
            V::store(mine(v.part) + j + c * kLanes, by_a[c]);
        }
    }

    template <uint32_t kCount>
    static inline void add_products(const SwapView& v, const Word* a, const Word* b, uint32_t r, uint32_t b_row,
                                    uint32_t j, Vec* by_a, Vec* by_b) {
        for (uint32_t g = 0; g < v.groups; ++g, a += v.padded, b += v.padded) {
            const Vec a_word = V::factor(a[r]), b_word = V::factor(b[b_row]);
#pragma GCC unroll 8
            for (uint32_t c = 0; c < kCount; ++c) {
                by_a[c] = K::dot(by_a[c], V::load_words(a + j + c * kLanes), b_word);
                by_b[c] = K::dot(by_b[c], a_word, V::load_words(b + j + c * kLanes));
            }
        }
    }

    /// sum[j] = H_jr + H_rj for all j, and part[r] = H_rr.
    static inline void all_products(const SwapView& v, uint32_t r, uint32_t b_row) {
        matrix_products(v, r, b_row);
        if (v.linear == nullptr) return;
        add_linear(v, r, mine(v.sum));
        const T own = mine(v.linear)[static_cast<size_t>(v.n) * r + v.place[r]];
        mine(v.part)[r] = wrap(static_cast<U>(mine(v.part)[r]) + static_cast<U>(own));
    }

    static inline void add_linear(const SwapView& v, uint32_t r, T* sum) {
        const uint32_t* const place = v.place;
        const T* const own = mine(v.linear) + static_cast<size_t>(v.n) * r;
        const T* const others = mine(v.linear_transposed) + static_cast<size_t>(v.padded) * place[r];
        for (uint32_t j = 0; j < v.n; ++j)
            sum[j] = wrap(static_cast<U>(sum[j]) + static_cast<U>(others[j]) + static_cast<U>(own[place[j]]));
    }

    static inline void matrix_products(const SwapView& v, uint32_t r, uint32_t b_row) {
        const uint32_t end = (v.n + kLanes - 1) & ~(kLanes - 1);
        uint32_t j = 0;
        for (; j + V::kChunk * kLanes <= end; j += V::kChunk * kLanes) products<V::kChunk>(v, r, b_row, j);
        switch ((end - j) / kLanes) {
            case 1:
                return products<1>(v, r, b_row, j);
            case 2:
                return products<2>(v, r, b_row, j);
            case 3:
                return products<3>(v, r, b_row, j);
            case 4:
                return products<4>(v, r, b_row, j);
            case 5:
                return products<5>(v, r, b_row, j);
            case 6:
                return products<6>(v, r, b_row, j);
            case 7:
                return products<7>(v, r, b_row, j);
            default:
                return;
        }
    }

    /// Returns D(u,r) for the vector of positions u that begins at j. `sum`: H_ur + H_ru. `near_a`, `near_b`: factors
    /// of the product that D adds to F (head of this file).
    static inline Vec fresh(const SwapView& v, const T* sum, uint32_t r, uint32_t j, Vec h_r, Vec near_a, Vec near_b) {
        Vec d = V::sub(V::sub(V::load(sum + j), V::load(mine(v.h) + j)), h_r);
        Vec product = V::mul(near_a, near_b);
        if constexpr (!K::kAsymmetric) product = V::add(product, product);
        d = V::add(d, product);
        if (v.diagonal) {
            const Vec a = V::sub(V::load(mine(v.diag_a) + j), V::set1(mine(v.diag_a)[r]));
            const Vec b = V::sub(V::load(mine(v.diag_b) + j), V::set1(mine(v.diag_b)[r]));
            d = V::sub(d, V::mul(a, b));
        }
        return d;
    }

    /// `d` holds the deltas of the pairs {r, u} for the vector of u that begins at j. Returns `d`, but with `mark` for
    /// each pair whose facilities or whose locations are interchangeable.
    static inline Vec without_equals(const SwapView& v, uint32_t r, uint32_t j, Vec d, Vec mark) {
        if (!v.has_equals) return d;
        const auto like = [&](const void* classes) {
            return V::equal(V::load(mine(classes) + j), V::set1(mine(classes)[r]));
        };
        return V::blend(V::either(like(v.class_a), like(v.class_b)), d, mark);
    }

    /// Returns the D of a table's entry; 0 if the entry marks a pair of interchangeable facilities or locations.
    static inline T difference(const SwapView& v, T entry) {
        return v.has_equals && entry == V::kNone ? T{0} : entry;
    }

    // ---- from scratch -------------------------------------------------------------------------------------------

    static bool build(const SwapView& v, int32_t (*should_stop)(void*), void* context) {
        // Number of rows between two calls of should_stop. A row takes n^2 products, and this many rows take about a
        // millisecond.
        const uint32_t every = kTogether + ((1u << 22) / (v.n * v.n + 1) & ~(kTogether - 1));
        for (uint32_t j = 0; j < 2 * v.padded; ++j) mine(v.x)[j] = 0, mine(v.y)[j] = 0;
        for (uint32_t j = 0; j < v.n; j += kLanes) build_h(v, j);
        for (uint32_t u = 0; v.linear != nullptr && u < v.n; ++u) {
            const T own = mine(v.linear)[static_cast<size_t>(v.n) * u + v.place[u]];
            mine(v.h)[u] = wrap(static_cast<U>(mine(v.h)[u]) + static_cast<U>(own));
        }
        T* const sums[kTogether] = {mine(v.sum), mine(v.part), mine(v.old), mine(v.touched_r)};
        for (uint32_t r = 0; r < v.padded; r += kTogether) {
            if (r % every == 0 && should_stop != nullptr && should_stop(context) != 0) return false;
            if (r < v.n) products_together(v, r, sums);
            for (uint32_t k = 0; k < kTogether; ++k) build_row(v, r + k, sums[k]);
        }
        return true;
    }

    /// Computes row r of the table from sum[j] = H_jr + H_rj. The sums must be valid from the start of the vector that
    /// holds sum[r].
    static inline void build_row(const SwapView& v, uint32_t r, T* sum) {
        T* d = mine(v.table) + v.row[r];
        for (uint32_t j = r & ~15u; j < v.padded; ++j) d[j] = V::kNone;
        if (r >= v.n || mine(v.free)[r] == 0) return;
        if (v.linear != nullptr) add_linear(v, r, sum);
        const Vec a_d = diagonal(v.a_diagonal), b_d = diagonal(v.b_diagonal), h_r = V::set1(mine(v.h)[r]);
        for (uint32_t j = r & ~(kLanes - 1); j < v.n; j += kLanes) {
            Vec a = V::sub(K::element_a(V::load_words(word(v.a, v, r) + j), r % kElements), a_d);
            Vec b = V::sub(K::element_b(V::load_words(word(v.b, v, r) + j), r % kElements), b_d);
            if constexpr (K::kAsymmetric) {
                a = V::add(a, V::sub(K::element_a(V::load_words(word(v.a_transposed, v, r) + j), r % kElements), a_d));
                b = V::add(b, V::sub(K::element_b(V::load_words(word(v.b_transposed, v, r) + j), r % kElements), b_d));
            }
            auto mask = V::mask(mine(v.free) + j);
            if (j <= r) mask = V::both(mask, V::lanes_after(r - j));
            const Vec none = V::set1(V::kNone);
            V::store(d + j, without_equals(v, r, j, V::blend(mask, none, fresh(v, sum, r, j, h_r, a, b)), none));
        }
    }

    static constexpr uint32_t kTogether = 4;  ///< number of rows that one call of products_together() computes
    static constexpr uint32_t kColumns = V::kChunk / 2;

    /// Sets sums[k][j] = H_ji + H_ij for row i = r + k, and for all columns j from the start of the vector that
    /// contains column r. Rows beyond n are 0.
    static inline void products_together(const SwapView& v, uint32_t r, T* const* sums) {
        const uint32_t end = (v.n + kLanes - 1) & ~(kLanes - 1);
        uint32_t j = r & ~(kLanes - 1);
        for (; j + kColumns * kLanes <= end; j += kColumns * kLanes) block<kColumns>(v, r, j, sums);
        switch ((end - j) / kLanes) {
            case 1:
                return block<1>(v, r, j, sums);
            case 2:
                return block<2>(v, r, j, sums);
            case 3:
                return block<3>(v, r, j, sums);
            default:
                return;
        }
    }

    /// Number of sums that block() keeps for each row and vector. With few vectors, H_ji and H_ij have a sum each,
    /// because additions to one sum wait for one another. With more vectors there are too few registers for two sums.
    template <uint32_t kCount>
    static constexpr uint32_t kChains = kCount <= 2 ? 2 : 1;

    template <uint32_t kCount>
    static inline void block(const SwapView& v, uint32_t r, uint32_t j, T* const* sums) {
        Vec sum[kChains<kCount>][kTogether][kCount];
        for (auto& chain : sum)
            for (auto& row : chain)
                for (Vec& part : row) part = V::zero();
        add_block<kCount>(v, words(v.a), words(v.b), r, j, sum);
        if constexpr (K::kAsymmetric) add_block<kCount>(v, words(v.a_transposed), words(v.b_transposed), r, j, sum);
        for (uint32_t k = 0; k < kTogether; ++k)
            for (uint32_t c = 0; c < kCount; ++c) {
                Vec all = sum[0][k][c];
                if constexpr (kChains<kCount> == 2) all = V::add(all, sum[1][k][c]);
                V::store(sums[k] + j + c * kLanes, all);
            }
    }

    template <uint32_t kCount>
    static inline void add_block(const SwapView& v, const Word* a, const Word* b, uint32_t r, uint32_t j,
                                 Vec (&sum)[kChains<kCount>][kTogether][kCount]) {
        for (uint32_t g = 0; g < v.groups; ++g, a += v.padded, b += v.padded) {
            Vec a_words[kCount], b_words[kCount];
#pragma GCC unroll 8
            for (uint32_t c = 0; c < kCount; ++c)
                a_words[c] = V::load_words(a + j + c * kLanes), b_words[c] = V::load_words(b + j + c * kLanes);
#pragma GCC unroll 4
            for (uint32_t k = 0; k < kTogether; ++k) {
                const Vec a_word = V::factor(a[r + k]), b_word = V::factor(b[r + k]);
#pragma GCC unroll 8
                for (uint32_t c = 0; c < kCount; ++c) {
                    Vec &of_a = sum[0][k][c], &of_b = sum[kChains<kCount> - 1][k][c];
                    of_a = K::dot(of_a, a_words[c], b_word);
                    of_b = K::dot(of_b, a_word, b_words[c]);
                }
            }
        }
    }

    static inline Vec diagonal(int64_t value) {
        return V::set1(static_cast<T>(value));
    }
    static inline const Word* word(const void* all, const SwapView& v, uint32_t k) {
        return words(all) + k / kElements * static_cast<size_t>(v.padded);
    }
    static inline Word* word(void* all, const SwapView& v, uint32_t k) {
        return words(all) + k / kElements * static_cast<size_t>(v.padded);
    }

    static inline void build_h(const SwapView& v, uint32_t j) {
        Vec h = V::zero();
        for (uint32_t g = 0; g < v.groups; ++g) {
            const size_t at = static_cast<size_t>(g) * v.padded + j;
            h = K::dot(h, V::load_words(words(v.a) + at), V::load_words(words(v.b) + at));
            if constexpr (K::kAsymmetric)
                h = K::dot(h, V::load_words(words(v.a_transposed) + at), V::load_words(words(v.b_transposed) + at));
        }
        V::store(mine(v.h) + j, h);
    }

    // ---- swap ---------------------------------------------------------------------------------------------------

    static void apply(const SwapView& v, uint32_t r, uint32_t s) {
        if (r > s) {
            const uint32_t t = r;
            r = s, s = t;
        }
        const T d_rs = difference(v, mine(v.table)[v.row[r] + s]);
        if (v.has_equals)
            gather(v, r, s, [&](T entry) { return static_cast<U>(difference(v, entry)); });
        else
            gather(v, r, s, [](T entry) { return static_cast<U>(entry); });
        exchange_columns(v, r, s);
        if (v.linear != nullptr) exchange_two(v.place, r, s);
        all_products(v, r, s);
        exchange_two(mine(v.diag_b), r, s);
        if (v.has_equals) exchange_two(mine(v.class_b), r, s);
        combine(v, r, s, d_rs);
        scatter(v, r, s);
        exchange_rows(v, v.b, r, s);
        if constexpr (K::kAsymmetric) exchange_rows(v, v.b_transposed, r, s);
    }

    /// Sets old[u] = D(u,r) + D(u,s) for all u, where r < s. Entries r and s of `old` have no meaning. of(entry)
    /// returns the D of a table's entry, as an unsigned number.
    template <class Of>
    static inline void gather(const SwapView& v, uint32_t r, uint32_t s, const Of& of) {
        T* old = mine(v.old);
        const T* table = mine(v.table);
        const T *row_r = table + v.row[r], *row_s = table + v.row[s];
        for (uint32_t u = 0; u < r; ++u) {
            const T* d = table + v.row[u];
            old[u] = wrap(of(d[r]) + of(d[s]));
        }
        for (uint32_t u = r; u < s; ++u) old[u] = wrap(of(row_r[u]) + of(table[v.row[u] + s]));
        for (uint32_t u = s; u < v.n; ++u) old[u] = wrap(of(row_r[u]) + of(row_s[u]));
    }

    struct Parts {
        Vec x, y, near_a, near_b;
    };

    /// Swaps columns r and s of `b` in the rows u of one vector, which begins at row j. Returns for each u: x_u, y_u,
    /// near_a = a_ur - a_diagonal and near_b = b_ur - b_diagonal, where b_ur is the entry after the swap.
    static inline Parts exchange_part(const SwapView& v, const void* a, void* b, uint32_t r, uint32_t s, uint32_t j) {
        const Vec a_r = K::element_a(V::load_words(word(a, v, r) + j), r % kElements);
        const Vec a_s = K::element_a(V::load_words(word(a, v, s) + j), s % kElements);
        Word *word_r = word(b, v, r) + j, *word_s = word(b, v, s) + j;
        const Vec old_r = V::load_words(word_r), old_s = V::load_words(word_s);
        const Vec b_r = K::element_b(old_r, r % kElements), b_s = K::element_b(old_s, s % kElements);
        const Vec bits = K::only(V::exclusive_or(b_r, b_s));
        V::store_words(word_r, V::exclusive_or(old_r, K::shift_to(bits, r % kElements)));
        V::store_words(word_s, V::exclusive_or(V::load_words(word_s), K::shift_to(bits, s % kElements)));
        return Parts{V::sub(a_r, a_s), V::sub(b_s, b_r), V::sub(a_r, diagonal(v.a_diagonal)),
                     V::sub(b_s, diagonal(v.b_diagonal))};
    }

    static inline void exchange_columns(const SwapView& v, uint32_t r, uint32_t s) {
        T *x = mine(v.x), *y = mine(v.y);
        for (uint32_t j = 0; j < v.n; j += kLanes) {
            Parts p = exchange_part(v, v.a, v.b, r, s, j);
            if constexpr (K::kAsymmetric) {
                const Parts q = exchange_part(v, v.a_transposed, v.b_transposed, r, s, j);
                V::store(mine(v.skew_x) + j, V::sub(p.x, q.x));
                V::store(mine(v.skew_y) + j, V::sub(p.y, q.y));
                p.near_a = V::add(p.near_a, q.near_a), p.near_b = V::add(p.near_b, q.near_b);
                if constexpr (K::kPacked) {
                    p.x = K::pack(p.x, q.x), p.y = K::pack(p.y, q.y);
                } else {
                    V::store(x + v.padded + j, q.x), V::store(y + v.padded + j, q.y);
                }
            } else if constexpr (K::kPacked) {
                p.x = K::pack(p.x, V::zero()), p.y = K::pack(p.y, V::zero());
            }
            V::store(x + j, p.x), V::store(y + j, p.y);
            V::store(mine(v.near_a) + j, p.near_a), V::store(mine(v.near_b) + j, p.near_b);
        }
        // Rows r and s of b are not swapped yet. So y[s] now holds y'_r = b_d - b_sr, and y[r] holds y'_s.
        for (uint32_t c = 0; c < Update<K>::kParts; ++c) exchange_two(y + c * v.padded, r, s);
    }

    template <class Element>
    static inline void exchange_two(Element* p, uint32_t r, uint32_t s) {
        const Element t = p[r];
        p[r] = p[s], p[s] = t;
    }

    static inline void exchange_rows(const SwapView& v, void* all, uint32_t r, uint32_t s) {
        Word* w = words(all);
        for (uint32_t g = 0; g < v.groups; ++g, w += v.padded) exchange_two(w, r, s);
    }

    /// Brings h up to date and computes the entries of touched pairs, minus what the pending update will add to these
    /// entries.
    static inline void combine(const SwapView& v, uint32_t r, uint32_t s, T d_rs) {
        T* h = mine(v.h);
        const T h_r = mine(v.part)[r], h_s = other_h(v, r, s, d_rs, h_r);
        const Update<K> at_r = Update<K>::all(v, r), at_s = Update<K>::all(v, s), none = Update<K>::none();
        const Vec h_r_all = V::set1(h_r), d_rs_all = V::set1(d_rs);
        const T *skew_x = mine(v.skew_x), *skew_y = mine(v.skew_y);
        const Vec skew_x_r = V::set1(skew_x[r]), skew_y_r = V::set1(skew_y[r]);
        for (uint32_t j = 0; j < v.n; j += kLanes) {
            const Update<K> w = Update<K>::at(v, j);
            V::store(h + j, Update<K>::add(V::load(h + j), w, none));
            Vec d_r = fresh(v, mine(v.sum), r, j, h_r_all, V::load(mine(v.near_a) + j), V::load(mine(v.near_b) + j));
            Vec d_s = V::sub(V::sub(V::load(mine(v.old) + j), d_rs_all), d_r);
            if constexpr (K::kAsymmetric)
                d_s = V::sub(d_s, V::mul(V::sub(V::load(skew_x + j), skew_x_r), V::sub(V::load(skew_y + j), skew_y_r)));
            d_r = without_equals(v, r, j, d_r, V::set1(V::kNone));
            d_s = without_equals(v, s, j, d_s, V::set1(V::kNone));
            d_r = Update<K>::add(d_r, w, at_r), d_s = Update<K>::add(d_s, w, at_s);
            if (v.has_fixed) {
                const auto mask = V::mask(mine(v.free) + j);
                d_r = V::blend(mask, V::set1(V::kNone), d_r), d_s = V::blend(mask, V::set1(V::kNone), d_s);
            }
            V::store(mine(v.touched_r) + j, d_r), V::store(mine(v.touched_s) + j, d_s);
        }
        h[r] = h_r, h[s] = h_s;
        // Undoing the swap costs -D(r,s). But if the pair's facilities or its locations are interchangeable, the pair's
        // entry keeps the mark kNone.
        const bool are_equals = v.has_equals && mine(v.table)[v.row[r] + s] == V::kNone;
        const Vec undone = are_equals ? V::set1(V::kNone) : V::sub(V::zero(), d_rs_all);
        const T back = V::first(Update<K>::add(undone, at_r, at_s));
        mine(v.touched_r)[s] = mine(v.touched_s)[r] = back;
    }

    /// Returns H'_ss: the sum H'_rr + H'_ss (formula at the head of this file) minus `h_r`, which is H'_rr. Entry r of
    /// skew_x is a_sr - a_rs, entry r of skew_y is b'_sr - b'_rs. If v.diagonal is true, D(r,s) contains a term of the
    /// diagonals, which is subtracted. diag_b is already swapped.
    static inline T other_h(const SwapView& v, uint32_t r, uint32_t s, T d_rs, T h_r) {
        const auto get = [](const void* p, uint32_t i) { return static_cast<U>(mine(p)[i]); };
        U both = get(v.h, r) + get(v.h, s) + static_cast<U>(d_rs);
        if constexpr (K::kAsymmetric) both += get(v.skew_x, r) * get(v.skew_y, r);
        if (v.diagonal) both -= (get(v.diag_a, r) - get(v.diag_a, s)) * (get(v.diag_b, r) - get(v.diag_b, s));
        return wrap(both - static_cast<U>(h_r));
    }

    static inline void scatter(const SwapView& v, uint32_t r, uint32_t s) {
        T* table = mine(v.table);
        T *row_r = table + v.row[r], *row_s = table + v.row[s];
        const T *d_r = mine(v.touched_r), *d_s = mine(v.touched_s);
        for (uint32_t u = 0; u < r; ++u) table[v.row[u] + r] = d_r[u], table[v.row[u] + s] = d_s[u];
        for (uint32_t u = r + 1; u < s; ++u) table[v.row[u] + s] = d_s[u];
        for (uint32_t u = r + 1; u < v.n; ++u) row_r[u] = d_r[u];
        for (uint32_t u = s + 1; u < v.n; ++u) row_s[u] = d_s[u];
    }
};

}  // namespace
}  // namespace qapfw::qap
