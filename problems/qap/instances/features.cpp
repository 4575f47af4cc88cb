// SPDX-License-Identifier: Apache-2.0
#include "problems/qap/instances/features.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace qapfw::qap {
namespace {

constexpr std::uint32_t kMostForFeatures = 256;

/// The rank is computed modulo this prime. Except for rare accidents, the result is the true rank.
constexpr std::uint64_t kPrime = 2'147'483'647;

struct MatrixFeatures {
    double density, skew, values, symmetric, rank;
};

std::uint64_t power(std::uint64_t base, std::uint64_t exponent) {
    std::uint64_t result = 1;
    for (; exponent > 0; exponent /= 2, base = base * base % kPrime) {
        if (exponent % 2 == 1) result = result * base % kPrime;
    }
    return result;
}

/// Rank of a matrix modulo kPrime, by elimination in O(n^3) steps.
std::uint32_t rank_of(const std::vector<std::int64_t>& matrix, std::size_t n) {
    std::vector<std::uint64_t> left(matrix.size());
    const auto prime = static_cast<std::int64_t>(kPrime);
    std::ranges::transform(matrix, left.begin(), [&](std::int64_t entry) {
        return static_cast<std::uint64_t>((entry % prime + prime) % prime);
    });
    std::size_t rank = 0;
    for (std::size_t column = 0; column < n; ++column) {
        std::size_t pivot = rank;
        while (pivot < n && left[pivot * n + column] == 0) ++pivot;
        if (pivot == n) continue;
        const auto row = [&](std::size_t k) { return left.begin() + static_cast<std::ptrdiff_t>(k * n); };
        std::swap_ranges(row(rank), row(rank) + static_cast<std::ptrdiff_t>(n), row(pivot));
        const std::uint64_t inverse = power(left[rank * n + column], kPrime - 2);
        for (std::size_t i = rank + 1; i < n; ++i) {
            const std::uint64_t factor = left[i * n + column] * inverse % kPrime;
            if (factor == 0) continue;
            for (std::size_t j = column; j < n; ++j) {
                left[i * n + j] = (left[i * n + j] + (kPrime - factor) * left[rank * n + j]) % kPrime;
            }
        }
        ++rank;
    }
    return static_cast<std::uint32_t>(rank);
}

MatrixFeatures features_of_matrix(const std::vector<std::int64_t>& matrix, std::size_t n) {
    std::vector<std::int64_t> entries;
    bool is_symmetric = true;
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
            if (i != j) entries.push_back(matrix[i * n + j]);
            is_symmetric = is_symmetric && matrix[i * n + j] == matrix[j * n + i];
        }
    }
    double sum = 0, squares = 0, nonzeros = 0;
    for (const std::int64_t entry : entries) {
        sum += static_cast<double>(entry);
        squares += static_cast<double>(entry) * static_cast<double>(entry);
        nonzeros += entry != 0 ? 1 : 0;
    }
    const auto count = static_cast<double>(entries.size());
    const double mean = sum / count, variance = std::max(0.0, squares / count - mean * mean);
    std::ranges::sort(entries);
    const auto values = std::unique(entries.begin(), entries.end()) - entries.begin();
    return {nonzeros / count, mean == 0 ? 0 : std::sqrt(variance) / std::abs(mean), static_cast<double>(values),
            is_symmetric ? 1.0 : 0.0, static_cast<double>(rank_of(matrix, n)) / static_cast<double>(n)};
}

}  // namespace

void tell_features(const QapMatrices& matrices, const sdk::EmitFeature& emit) {
    if (matrices.n < 2 || matrices.n > kMostForFeatures || matrices.has_linear()) return;
    MatrixFeatures sparser = features_of_matrix(matrices.a, matrices.n);
    MatrixFeatures denser = features_of_matrix(matrices.b, matrices.n);
    if (denser.density < sparser.density) std::swap(sparser, denser);
    emit("sparser density", sparser.density);
    emit("sparser skew", sparser.skew);
    emit("sparser values", sparser.values);
    emit("sparser symmetric", sparser.symmetric);
    emit("sparser rank", sparser.rank);
    emit("denser density", denser.density);
    emit("denser skew", denser.skew);
    emit("denser values", denser.values);
    emit("denser symmetric", denser.symmetric);
    emit("denser rank", denser.rank);
}

}  // namespace qapfw::qap
