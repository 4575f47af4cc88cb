// SPDX-License-Identifier: Apache-2.0
// Random matrices of all forms for which the QAP has separate cost code.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "problems/qap/matrices.hpp"

namespace qapfw::qap::test {

struct MatrixForm {
    const char* name;
    bool a_symmetric, b_symmetric, diagonals;
    int64_t least, greatest;
};
constexpr MatrixForm kMatrixForms[] = {
    {"bytes", true, true, false, 0, 255},
    {"one-sided, with diagonals", false, true, true, 0, 900},
    {"two-sided, of both signs", false, false, true, -300, 300},
    {"16 bits, whose products fill 32", true, true, false, 8000, 11000},
    {"beyond 16 bits", true, false, true, -100'000, 100'000},
    {"beyond 32 bits", false, true, true, 0, int64_t{1} << 36},
};

inline QapMatrices draw(const MatrixForm& form, uint32_t n, std::mt19937_64& random) {
    QapMatrices m;
    m.n = n;
    const auto fill = [&](std::vector<int64_t>& to, bool symmetric, int64_t greatest) {
        std::uniform_int_distribution<int64_t> entry(form.least, greatest);
        to.resize(std::size_t{n} * n);
        for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t j = 0; j < n; ++j) {
                to[i * n + j] = symmetric && j < i ? to[j * n + i] : i == j && !form.diagonals ? 0 : entry(random);
            }
        }
    };
    fill(m.a, form.a_symmetric, form.greatest);
    fill(m.b, form.b_symmetric, form.greatest > 1'000'000 ? 1000 : form.greatest);
    return m;
}

}  // namespace qapfw::qap::test
