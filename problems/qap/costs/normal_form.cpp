// SPDX-License-Identifier: Apache-2.0
#include "problems/qap/costs/normal_form.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "problems/qap/setup.hpp"

namespace qapfw::qap {
namespace {

using Matrix = std::vector<int64_t>;

bool is_constant(const std::vector<int64_t>& values) {
    return std::all_of(values.begin(), values.end(), [&](int64_t v) { return v == values[0]; });
}

/// Takes the diagonal out of a matrix, leaves zeros in its place, and returns it.
std::vector<int64_t> take_diagonal(Matrix& m, std::size_t n) {
    std::vector<int64_t> diagonal(n);
    for (std::size_t i = 0; i < n; ++i) std::swap(diagonal[i], m[i * n + i]);
    return diagonal;
}

void add_transposed(Matrix& m, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) {
        set_up_row();
        for (std::size_t j = 0; j < i; ++j) m[i * n + j] = m[j * n + i] = m[i * n + j] + m[j * n + i];
    }
}

int64_t sum_of(const std::vector<int64_t>& values) {
    return std::accumulate(values.begin(), values.end(), int64_t{0});
}

}  // namespace

bool is_symmetric(const Matrix& m, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) {
        set_up_row();
        for (std::size_t j = 0; j < i; ++j) {
            if (m[i * n + j] != m[j * n + i]) return false;
        }
    }
    return true;
}

NormalForm::NormalForm(const QapMatrices& matrices) : n(matrices.n) {
    require_memory_of(n, kBytesOfPreparation, "preparing searches");
    a = set_up_copy(matrices.a, n);
    b = set_up_copy(matrices.b, n);
    a_diagonal = take_diagonal(a, n);
    b_diagonal = take_diagonal(b, n);
    diagonals_vary = !is_constant(a_diagonal) && !is_constant(b_diagonal);
    const bool a_is = is_symmetric(a, n), b_is = is_symmetric(b, n);
    symmetric = a_is || b_is;
    was_symmetric = a_is && b_is;
    if (a_is != b_is) add_transposed(a_is ? b : a, n);
}

int64_t NormalForm::constant_diagonal_cost() const {
    return is_constant(a_diagonal) ? a_diagonal[0] * sum_of(b_diagonal) : b_diagonal[0] * sum_of(a_diagonal);
}

}  // namespace qapfw::qap
