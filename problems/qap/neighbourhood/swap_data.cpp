// SPDX-License-Identifier: Apache-2.0
// Reduces an instance to its narrowest exact form. The bounds that prove the form exact are here, with their reasons.
#include "problems/qap/neighbourhood/swap_data.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "problems/qap/costs/exact_cost.hpp"
#include "problems/qap/costs/normal_form.hpp"
#include "problems/qap/setup.hpp"
#include "qapfw/error.hpp"

namespace qapfw::qap {
namespace {

constexpr uint32_t kBlock = 16;             // rows of the table begin and end at columns that are multiples of this
constexpr uint32_t kEnvelopeMaxSize = 256;  // largest n for which difference_envelope is computed, in O(n^3 log n)
constexpr int64_t kMaxEntry = int64_t{1} << 60;
// Bounds are summed in binary64. This slack exceeds the relative error of a sum of up to 2^32 terms of one sign.
constexpr double kSlack = 1.0 + 1e-6;

/// A matrix after reduce(): its smallest off-diagonal entry was subtracted from the off-diagonal entries. Then these
/// entries were divided by `divisor`. The diagonal is 0.
struct Reduced {
    uint32_t n;
    std::vector<int64_t> v;
    int64_t range = 0;  ///< largest entry of `v`
    int64_t divisor = 1;
    int64_t at(uint32_t i, uint32_t j) const { return v[size_t{i} * n + j]; }
};

/// Returns `times` * m in reduced form (see Reduced). m: a matrix of the normal form; its memory is taken over.
/// `divide`: divide by the greatest common divisor of the entries.
Reduced reduce(std::vector<int64_t>&& m, uint32_t n, int64_t times, bool divide) {
    Reduced r{n, std::move(m)};
    if (n < 2) return r;
    const auto for_entries = [&](const auto& change) {
        for (size_t i = 0; i < n; ++i) {
            set_up_row();
            for (size_t j = 0; j < n; ++j)
                if (i != j) change(r.v[i * n + j]);
        }
    };
    int64_t low = r.v[1], high = r.v[1], divisor = 0;
    for_entries([&](int64_t e) { low = std::min(low, e), high = std::max(high, e); });
    for_entries([&](int64_t e) {
        if (divisor != 1) divisor = std::gcd(divisor, times * (e - low));
    });
    if (divide && divisor > 0) r.divisor = divisor;
    for_entries([&](int64_t& e) { e = times * (e - low); });
    if (r.divisor != 1) for_entries([&](int64_t& e) { e /= r.divisor; });
    r.range = times * (high - low) / r.divisor;
    return r;
}

/// Multiplies the entries so that m.divisor becomes `divisor`, which must divide the present m.divisor.
void keep_divisor(Reduced& m, int64_t divisor) {
    const int64_t back = m.divisor / divisor;
    if (back == 1) return;
    for (int64_t& e : m.v) e *= back;
    m.range *= back;
    m.divisor = divisor;
}

/// Linear costs without penalties, minus the least cost of each facility. The subtraction changes no delta.
struct ReducedLinear {
    std::vector<int64_t> v;  ///< the costs; empty: there are none
    int64_t divisor = 0;     ///< greatest common divisor of all entries; 0 if all entries are 0
    int64_t range = 0;
};

ReducedLinear reduce_linear(const QapMatrices& m) {
    ReducedLinear out;
    if (!m.has_linear()) return out;
    out.v = m.linear;
    for (size_t cell = 0; cell < m.forbidden.size(); ++cell)
        if (m.forbidden[cell] != 0) out.v[cell] -= m.penalty;
    for (size_t i = 0; i < m.n; ++i) {
        int64_t* const row = out.v.data() + i * m.n;
        const int64_t low = *std::min_element(row, row + m.n);
        for (size_t k = 0; k < m.n; ++k) {
            row[k] -= low;
            out.divisor = std::gcd(out.divisor, row[k]);
            out.range = std::max(out.range, row[k]);
        }
    }
    return out;
}

Reduced transposed(const Reduced& m) {
    Reduced t{m.n, set_up_copy(m.v, m.n), m.range, m.divisor};
    for (uint32_t i = 0; i < m.n; ++i) {
        set_up_row();
        for (uint32_t j = 0; j < m.n; ++j) t.v[size_t{i} * m.n + j] = m.at(j, i);
    }
    return t;
}

/// The largest 1-norm and the largest 2-norm of the rows of a matrix. For the norms, half of Reduced::range is
/// subtracted from each entry.
struct RowNorms {
    double one = 0, two = 0;
};
RowNorms row_norms(const Reduced& m) {
    RowNorms norms;
    const double middle = static_cast<double>(m.range) / 2;
    for (uint32_t i = 0; i < m.n; ++i) {
        set_up_row();
        double one = 0, two = 0;
        for (uint32_t j = 0; j < m.n; ++j) {
            const double d = std::abs(static_cast<double>(m.at(i, j)) - middle);
            one += d, two += d * d;
        }
        norms.one = std::max(norms.one, one), norms.two = std::max(norms.two, std::sqrt(two));
    }
    return norms;
}

/// envelope[t] is the t-th largest |m_uk - m_vk| (k other than u, v), maximised over all pairs of rows u, v.
std::vector<double> difference_envelope(const Reduced& m) {
    std::vector<double> envelope(m.n, 0.0), d(m.n);
    for (uint32_t u = 0; u < m.n; ++u) {
        set_up_row();
        for (uint32_t v = 0; v < u; ++v) {
            for (uint32_t k = 0; k < m.n; ++k)
                d[k] = k == u || k == v ? 0.0 : static_cast<double>(std::abs(m.at(u, k) - m.at(v, k)));
            std::sort(d.begin(), d.end(), std::greater<>());
            for (uint32_t t = 0; t < m.n; ++t) envelope[t] = std::max(envelope[t], d[t]);
        }
    }
    return envelope;
}

/// An upper bound of |sum_k (a_uk - a_vk)(b_vk - b_uk)| over all u, v and all orders of b. The bound follows from the
/// inequalities of Hoelder and Cauchy-Schwarz, with the triangle inequality for the row norms. If this bound exceeds
/// `enough` and n <= 256, the rearrangement inequality on the sorted absolute differences gives a second bound, and the
/// smaller bound is returned.
double bound_of_row_part(const Reduced& a, const Reduced& b, double enough) {
    const RowNorms na = row_norms(a), nb = row_norms(b);
    const double ra = static_cast<double>(a.range), rb = static_cast<double>(b.range);
    const double bound = std::min({2 * na.one * rb, 2 * nb.one * ra, 4 * na.two * nb.two}) * kSlack;
    if (bound <= enough || a.n > kEnvelopeMaxSize) return bound;
    const std::vector<double> ea = difference_envelope(a), eb = difference_envelope(b);
    return std::min(bound, std::inner_product(ea.begin(), ea.end(), eb.begin(), 0.0) * kSlack);
}

/// An upper bound of the absolute value of a permutation's linear costs and penalties.
double greatest_linear(const QapMatrices& m) {
    double sum = 0;
    for (size_t i = 0; m.has_linear() && i < m.n; ++i) {
        double top = 0;
        for (size_t k = 0; k < m.n; ++k) top = std::max(top, std::abs(static_cast<double>(m.linear[i * m.n + k])));
        sum += top;
    }
    return sum * kSlack;
}

/// A bound of |cost| for every permutation: by Hoelder's inequality or, if that bound exceeds `enough`, by the
/// rearrangement inequality on sorted absolute values.
double bound_of_cost(const QapMatrices& m, double enough) {
    const auto magnitude = [](int64_t e) { return std::abs(static_cast<double>(e)); };
    const auto sum = [&](const std::vector<int64_t>& v) {
        double total = 0;
        for (size_t k = 0; k < v.size(); ++k) {
            if (k % m.n == 0) set_up_row();
            total += magnitude(v[k]);
        }
        return total;
    };
    const auto top = [&](const std::vector<int64_t>& v) {
        return std::accumulate(v.begin(), v.end(), 0.0, [&](double s, int64_t e) { return std::max(s, magnitude(e)); });
    };
    const double quick = std::min(sum(m.a) * top(m.b), sum(m.b) * top(m.a)) * kSlack;
    if (quick + greatest_linear(m) <= enough) return quick + greatest_linear(m);
    const auto sorted_magnitudes = [&](const std::vector<int64_t>& v) {
        std::vector<double> d(v.size());
        std::transform(v.begin(), v.end(), d.begin(), magnitude);
        std::sort(d.begin(), d.end());
        return d;
    };
    const std::vector<double> a = sorted_magnitudes(m.a), b = sorted_magnitudes(m.b);
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0) * kSlack + greatest_linear(m);
}

void check_input(const QapMatrices& m, std::span<const uint8_t> fixed) {
    const size_t entries = size_t{m.n} * m.n;
    if (m.n == 0 || m.n > 65535)
        throw Error(ErrorKind::kInput, "QAP matrices: the size must be from 1 to 65535, found " + std::to_string(m.n));
    if (m.a.size() != entries || m.b.size() != entries)
        throw Error(ErrorKind::kInput, "QAP matrices: " + std::to_string(entries) + " entries each are needed, found " +
                                           std::to_string(m.a.size()) + " and " + std::to_string(m.b.size()));
    if (!fixed.empty() && fixed.size() != m.n)
        throw Error(ErrorKind::kInput, "fixed positions: " + std::to_string(m.n) + " entries are needed, found " +
                                           std::to_string(fixed.size()));
    if (m.has_linear() && m.linear.size() != entries)
        throw Error(ErrorKind::kInput, "QAP matrices: " + std::to_string(entries) + " linear costs are needed, found " +
                                           std::to_string(m.linear.size()));
    for (const auto* v : {&m.a, &m.b, &m.linear})
        for (const int64_t e : *v)
            if (e > kMaxEntry || e < -kMaxEntry)
                throw Error(ErrorKind::kInput,
                            "QAP matrices: entries must be at most 2^60 in magnitude, found " + std::to_string(e));
    // A delta is at most twice the largest |cost|, so costs below 2^62 keep costs and deltas exact.
    if (bound_of_cost(m, 0x1p62) >= 0x1p62)
        throw Error(
            ErrorKind::kInput,
            "QAP matrices: costs must stay below 2^62 in magnitude, but a permutation's cost could exceed that");
}

template <class T>
void store_as(const AlignedBytes& memory, size_t index, int64_t value) {
    reinterpret_cast<T*>(memory.get())[index] = static_cast<T>(value);  // modulo 2^32 in 32-bit tables
}

void store_entry(const AlignedBytes& memory, uint32_t table_bytes, size_t index, int64_t value) {
    if (table_bytes == 8)
        store_as<int64_t>(memory, index, value);
    else
        store_as<int32_t>(memory, index, value);
}

AlignedBytes pack_words(const SwapData& data, const Reduced& m, int64_t centre) {
    const uint32_t e = data.elements_per_word();
    AlignedBytes words(size_t{data.groups} * data.padded * data.word_bytes());
    for (uint32_t u = 0; u < m.n; ++u) {
        set_up_row();
        for (uint32_t k = 0; k < m.n; ++k) {
            const int64_t value = m.at(u, k) - centre;
            const size_t word = size_t{k / e} * data.padded + u;
            if (data.width == SwapWidth::k8)
                store_as<uint8_t>(words, word * 4 + k % 4, value);
            else if (e == 2)
                store_as<int16_t>(words, word * 2 + k % 2, value);
            else
                store_entry(words, data.word_bytes(), word, value);
        }
    }
    return words;
}

/// Returns the entries of the matrix minus `centre`, row by row, and one more row of zeros. Each entry is as wide as an
/// element of a word.
AlignedBytes pack_rows(const SwapData& data, const Reduced& m, int64_t centre) {
    const uint32_t bytes = data.word_bytes() / data.elements_per_word();
    AlignedBytes rows((size_t{m.n} + 1) * m.n * bytes);
    for (size_t k = 0; k < m.v.size(); ++k) {
        if (k % m.n == 0) set_up_row();
        const int64_t value = m.v[k] - centre;
        if (bytes == 1)
            store_as<int8_t>(rows, k, value);
        else if (bytes == 2)
            store_as<int16_t>(rows, k, value);
        else
            store_entry(rows, bytes, k, value);
    }
    return rows;
}

/// True if for every solution each H_uu (see swap_neighbourhood_apply.hpp) fits the table's type, and the sum of all
/// H_uu fits 64 bits.
bool sums_fit(const SwapData& d, const Reduced& ra, const Reduced& rb) {
    const double parts = d.asymmetric ? 2 : 1;
    const double greatest = static_cast<double>(ra.range) * static_cast<double>(rb.range) * d.n * parts * kSlack;
    return greatest < (d.table_bytes() == 4 ? 0x1p31 : 0x1p63) && greatest * d.n < 0x1p62;
}

/// True if vpmaddubsw cannot overflow 16 bits. It adds two products of an unsigned byte (at most `ra`) and a signed
/// byte (from a range of size `rb` around 0).
bool fits_pairs_of_bytes(int64_t ra, int64_t rb) {
    return 2 * ra * ((rb + 1) / 2) <= 32767;
}

int64_t ceil_divide(int64_t a, int64_t b) {
    return a / b + (a % b > 0 ? 1 : 0);
}

int64_t floor_divide(int64_t a, int64_t b) {
    return a / b - (a % b < 0 ? 1 : 0);
}

SwapWidth choose_width(int64_t ra, int64_t rb, double diagonal_spread, double bound, Isa isa) {
    const int64_t range = std::max(ra, rb);
    // The largest int32 marks pairs that may not be taken, so 32-bit deltas must be smaller. Products for 64-bit deltas
    // have factors of at most 3 * range (swap_neighbourhood_apply.hpp). These factors fit 32 bits if range <= 2^29.
    if (bound >= 0x1p31 - 2)
        return range <= (int64_t{1} << 29) && diagonal_spread < 0x1p31 ? SwapWidth::k64Narrow : SwapWidth::k64;
    const bool bytes = isa == Isa::kPlain || isa == Isa::kAvx512 || fits_pairs_of_bytes(ra, rb);
    if (range <= 255 && bytes) return SwapWidth::k8;
    if (range <= 16383) return SwapWidth::k16;  // x_u - x_v is at most twice the range
    return range <= 65535 ? SwapWidth::k16Wide : SwapWidth::k32;
}

std::string describe(const SwapData& d) {
    static const char* const kWidths[] = {"8-bit entries, 32-bit deltas",  "16-bit entries, 32-bit deltas",
                                          "16-bit entries, 32-bit deltas", "32-bit entries, 32-bit deltas",
                                          "32-bit entries, 64-bit deltas", "64-bit entries, 64-bit deltas"};
    return std::string("swap neighbourhood: ") + (d.asymmetric ? "asymmetric, " : "symmetric, ") +
           kWidths[static_cast<size_t>(d.width)] + (d.diagonal ? ", diagonals" : "") +
           (d.has_linear ? ", linear costs" : "") + (d.penalty > 0 ? ", forbidden pairs" : "") +
           (d.has_fixed ? ", fixed positions" : "") +
           (d.has_equals ? ", no swaps of interchangeable facilities or locations" : "") +
           ", O(n^2) per iteration with all pairs, " + isa_name(d.isa);
}

void store_positions(SwapData& d, std::span<const uint8_t> fixed) {
    const uint32_t width = d.table_bytes();
    d.free = AlignedBytes(size_t{d.padded} * width);
    d.diag_a = AlignedBytes(size_t{d.padded} * width);
    d.diag_b = AlignedBytes(size_t{d.padded} * width);
    for (uint32_t i = 0; i < d.n; ++i) {
        const bool is_fixed = !fixed.empty() && fixed[i] != 0;
        d.has_fixed = d.has_fixed || is_fixed;
        store_entry(d.free, width, i, is_fixed ? 0 : -1);
        store_entry(d.diag_a, width, i, d.original->a[size_t{i} * (d.n + 1)]);
        store_entry(d.diag_b, width, i, d.original->b[size_t{i} * (d.n + 1)]);
    }
    d.row.resize(d.padded);
    for (uint32_t u = 0; u < d.padded; ++u) {
        const uint32_t first = u / kBlock * kBlock;
        d.row[u] = d.table_entries - first;
        d.table_entries += d.padded - first;
    }
}

void store_linear(SwapData& d, const std::vector<int64_t>& linear) {
    d.has_linear = !linear.empty();
    if (!d.has_linear) return;
    const uint32_t width = d.table_bytes();
    d.linear = AlignedBytes(size_t{d.n} * d.n * width);
    d.linear_transposed = AlignedBytes(size_t{d.n} * d.padded * width);
    for (size_t i = 0; i < d.n; ++i) {
        set_up_row();
        for (size_t k = 0; k < d.n; ++k) {
            const size_t cell = i * d.n + k;
            const bool is_forbidden = !d.original->forbidden.empty() && d.original->forbidden[cell] != 0;
            const int64_t value = linear[cell] / d.factor + (is_forbidden ? d.penalty : 0);
            store_entry(d.linear, width, cell, value);
            store_entry(d.linear_transposed, width, k * d.padded + i, value);
        }
    }
}

void store_classes(SwapData& d, const Interchangeable& equals) {
    d.has_equals = equals.any();
    if (!d.has_equals) return;
    const auto store = [&](AlignedBytes& memory, const std::vector<uint16_t>& classes) {
        memory = AlignedBytes(size_t{d.padded} * d.table_bytes());
        for (uint32_t k = 0; k < d.n; ++k)
            store_entry(memory, d.table_bytes(), k, classes.empty() ? k : uint32_t{classes[k]});
    };
    store(d.class_a, equals.facilities);
    store(d.class_b, equals.locations);
}

}  // namespace

SwapData::SwapData(const QapMatrices& matrices, std::span<const uint8_t> fixed, Isa chosen,
                   const Interchangeable& equals)
    : original(&matrices), n(matrices.n), padded((n + kBlock - 1) / kBlock * kBlock), isa(chosen) {
    check_input(matrices, fixed);
    NormalForm form(matrices);
    asymmetric = !form.symmetric;
    // The diagonals' part of a delta is -(a_uu - a_vv)(b_uu - b_vv), which is 0 if one diagonal is constant.
    diagonal = form.diagonals_vary;
    Reduced ra = reduce(std::move(form.a), n, 1, !diagonal);
    Reduced rb = reduce(std::move(form.b), n, form.was_symmetric ? 2 : 1, !diagonal);
    const ReducedLinear linear_costs = reduce_linear(matrices);
    if (linear_costs.divisor > 0) {
        keep_divisor(ra, std::gcd(ra.divisor, linear_costs.divisor));
        keep_divisor(rb, std::gcd(rb.divisor, linear_costs.divisor / ra.divisor));
    }
    factor = ra.divisor * rb.divisor;

    double bound = bound_of_row_part(ra, rb, 0x1p31 - 3);
    if (asymmetric) {
        bound += bound_of_row_part(transposed(ra), transposed(rb), 0x1p31 - 3);
        bound += static_cast<double>(ra.range) * static_cast<double>(rb.range);  // the term of the pair itself
    }
    double diagonal_spread = 0;
    if (diagonal) {
        const auto spread = [this](const std::vector<int64_t>& m) {
            int64_t low = m[0], high = m[0];
            for (uint32_t i = 1; i < n; ++i)
                low = std::min(low, m[size_t{i} * (n + 1)]), high = std::max(high, m[size_t{i} * (n + 1)]);
            return static_cast<double>(high - low);
        };
        bound += spread(matrices.a) * spread(matrices.b) * kSlack;
        diagonal_spread = std::max(spread(matrices.a), spread(matrices.b));
    }
    bound += 2 * static_cast<double>(linear_costs.range / factor);
    if (matrices.penalty > 0) {
        // 2 * bound and penalty / factor are each at least twice any D without penalties. So the smaller one is enough.
        const double twice = std::min(2 * bound, static_cast<double>(matrices.penalty / factor));
        penalty = (static_cast<int64_t>(twice) / 2 + 2) * 2;
        limit = penalty / 2;
        bound = twice / 2 + 2 * static_cast<double>(penalty);  // a swap adds at most two forbidden pairs
    }
    width = choose_width(ra.range, rb.range, diagonal_spread, bound, isa);

    groups = (n + elements_per_word() - 1) / elements_per_word();
    const bool centred = width <= SwapWidth::k16Wide;
    const int64_t a_centre = centred && width != SwapWidth::k8 ? (ra.range + 1) / 2 : 0;  // bytes of a are unsigned
    const int64_t b_centre = centred ? (rb.range + 1) / 2 : 0;
    a_diagonal = -a_centre, b_diagonal = -b_centre;
    a = pack_words(*this, ra, a_centre);
    if (asymmetric) a_transposed = pack_words(*this, transposed(ra), a_centre);
    b = pack_rows(*this, rb, b_centre);
    if (asymmetric) b_transposed = pack_rows(*this, transposed(rb), b_centre);
    sums_are_costs = !diagonal && linear_costs.v.empty() && sums_fit(*this, ra, rb);
    store_linear(*this, linear_costs.v);
    store_positions(*this, fixed);
    store_classes(*this, equals);
    description = describe(*this);
}

int64_t SwapData::delta_of(int64_t d) const {
    if (penalty == 0) return d * factor;
    const int64_t more = floor_divide(d + penalty / 2, penalty);  // number of forbidden pairs that the swap adds
    return (d - more * penalty) * factor + more * original->penalty;
}

int64_t SwapData::first_at_least(int64_t delta) const {
    if (penalty == 0) return ceil_divide(delta, factor);
    // A swap adds or removes at most two forbidden pairs, and other costs change by less than half a penalty. So
    // |delta| stays below 4 penalties.
    if (delta / 4 >= original->penalty) return std::numeric_limits<int64_t>::max();
    if (delta / 4 <= -original->penalty) return std::numeric_limits<int64_t>::min();
    const int64_t more = floor_divide(delta + original->penalty / 2, original->penalty);
    const int64_t d = ceil_divide(delta - more * original->penalty, factor);
    return more * penalty + std::clamp(d, -penalty / 2, penalty / 2);
}

int64_t SwapData::cost(const uint16_t* p) const {
    return evaluate(*original, p);
}

}  // namespace qapfw::qap
