// SPDX-License-Identifier: Apache-2.0
#include "problems/qap/costs/normal_form.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "problems/qap/setup.hpp"

namespace qapfw::qap {
namespace {

template <class Entry>
bool is_constant(const std::vector<Entry>& values) {
    return std::all_of(values.begin(), values.end(), [&](Entry v) { return v == values[0]; });
}

/// Returns the diagonal of a matrix, and sets the diagonal's entries in the matrix to zero.
template <class Entry>
std::vector<Entry> take_diagonal(std::vector<Entry>& m, std::size_t n) {
    std::vector<Entry> diagonal(n);
    for (std::size_t i = 0; i < n; ++i) std::swap(diagonal[i], m[i * n + i]);
    return diagonal;
}

/// Calls each(entry, mirrored) for all pairs of entries that the diagonal mirrors, until `each` returns false. Returns
/// true if `each` never returned false. Visits the matrix square by square, so that the columns of a square stay in the
/// cache.
template <class Matrix, class Each>
bool for_mirrored(Matrix& m, std::size_t n, const Each& each) {
    constexpr std::size_t kSquare = 64;
    for (std::size_t top = 0; top < n; top += kSquare) {
        for (std::size_t left = 0; left <= top; left += kSquare) {
            set_up_row();
            for (std::size_t i = top; i < std::min(n, top + kSquare); ++i) {
                for (std::size_t j = left; j < std::min(i, left + kSquare); ++j) {
                    if (!each(m[i * n + j], m[j * n + i])) return false;
                }
            }
        }
    }
    return true;
}

template <class Entry>
void add_transposed(std::vector<Entry>& m, std::size_t n) {
    for_mirrored(m, n, [](Entry& below, Entry& above) {
        below = above = below + above;
        return true;
    });
}

template <class Entry>
int64_t sum_of(const std::vector<Entry>& values) {
    return std::accumulate(values.begin(), values.end(), int64_t{0});
}

}  // namespace

template <class Entry>
bool is_symmetric(const std::vector<Entry>& m, std::size_t n) {
    return for_mirrored(m, n, [](Entry below, Entry above) { return below == above; });
}

template <class Entry>
NormalFormOf<Entry>::NormalFormOf(const QapMatrices& matrices) : n(matrices.n) {
    require_memory_of(n, kBytesOfPreparation, "preparing searches");
    a = set_up_copy<Entry>(matrices.a, n);
    b = set_up_copy<Entry>(matrices.b, n);
    a_diagonal = take_diagonal(a, n);
    b_diagonal = take_diagonal(b, n);
    diagonals_vary = !is_constant(a_diagonal) && !is_constant(b_diagonal);
    const bool a_is = is_symmetric(a, n), b_is = is_symmetric(b, n);
    symmetric = a_is || b_is;
    was_symmetric = a_is && b_is;
    if (a_is != b_is) add_transposed(a_is ? b : a, n);
}

template <class Entry>
int64_t NormalFormOf<Entry>::constant_diagonal_cost() const {
    return is_constant(a_diagonal) ? a_diagonal[0] * sum_of(b_diagonal) : b_diagonal[0] * sum_of(a_diagonal);
}

template bool is_symmetric(const std::vector<int64_t>& m, std::size_t n);
template struct NormalFormOf<int32_t>;
template struct NormalFormOf<int64_t>;

}  // namespace qapfw::qap
