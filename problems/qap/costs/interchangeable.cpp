// SPDX-License-Identifier: Apache-2.0
#include "problems/qap/costs/interchangeable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "problems/qap/costs/normal_form.hpp"
#include "problems/qap/setup.hpp"

namespace qapfw::qap {
namespace {

/// A matrix whose rows and columns are compared. Diagonal entries are compared only with each other.
struct Compared {
    const std::vector<int64_t>& m;
    std::size_t n;
    bool folded;                         ///< true: compare the matrix plus its transpose
    bool symmetric;                      ///< true: comparing rows is enough
    bool diagonal;                       ///< true: the diagonal is compared too
    const std::vector<int64_t>& linear;  ///< n * n, or empty
    bool by_column;                      ///< true: columns of `linear` are compared, not rows

    std::uint64_t at(std::size_t i, std::size_t k) const {
        const auto entry = static_cast<std::uint64_t>(m[i * n + k]);
        return folded ? entry + static_cast<std::uint64_t>(m[k * n + i]) : entry;
    }
    bool same(std::size_t i, std::size_t j) const {
        if (diagonal && m[i * (n + 1)] != m[j * (n + 1)]) return false;
        if (at(i, j) != at(j, i)) return false;
        for (std::size_t k = 0; !linear.empty() && k < n; ++k) {
            if (by_column ? linear[k * n + i] != linear[k * n + j] : linear[i * n + k] != linear[j * n + k])
                return false;
        }
        for (std::size_t k = 0; k < n; ++k) {
            if (k == i || k == j) continue;
            if (at(i, k) != at(j, k) || (!symmetric && at(k, i) != at(k, j))) return false;
        }
        return true;
    }
};

/// A pseudo-random number for each index.
std::uint64_t weight(std::uint64_t k) {
    k = (k + 1) * 0x9E3779B97F4A7C15u;
    k = (k ^ (k >> 31)) * 0xBF58476D1CE4E5B9u;
    return k ^ (k >> 29);
}

/// For each row the sum of its off-diagonal entries, each times the weight of its column, modulo 2^64.
std::vector<std::uint64_t> weighted_sums(const Compared& c) {
    std::vector<std::uint64_t> sums(c.n), weights(c.n);
    for (std::size_t k = 0; k < c.n; ++k) weights[k] = weight(k);
    for (std::size_t i = 0; i < c.n; ++i) {
        set_up_row();
        for (std::size_t k = 0; k < c.n; ++k) {
            if (k == i) continue;
            const auto entry = static_cast<std::uint64_t>(c.m[i * c.n + k]);
            sums[i] += weights[k] * entry;
            if (c.folded) sums[k] += weights[i] * entry;
        }
    }
    return sums;
}

/// The class of each index; empty if no two indices are interchangeable. Comparing two whole rows is slow, so their
/// weighted sums are compared first. If rows i and j are interchangeable, the sums differ only by the entries in
/// columns i and j.
std::vector<uint16_t> classes_of(const Compared& c) {
    const std::vector<std::uint64_t> sums = weighted_sums(c);
    std::vector<uint16_t> classes(c.n), leaders;
    for (std::size_t i = 0; i < c.n; ++i) {
        set_up_row();
        const auto leads = [&](uint16_t j) {
            return sums[i] - weight(j) * c.at(i, j) == sums[j] - weight(i) * c.at(j, i) && c.same(i, j);
        };
        const auto leader = std::find_if(leaders.begin(), leaders.end(), leads);
        classes[i] = leader == leaders.end() ? static_cast<uint16_t>(i) : *leader;
        if (leader == leaders.end()) leaders.push_back(classes[i]);
    }
    if (leaders.size() == c.n) classes.clear();
    return classes;
}

bool diagonal_varies(const std::vector<int64_t>& m, std::size_t n) {
    for (std::size_t i = 1; i < n; ++i) {
        if (m[i * (n + 1)] != m[0]) return true;
    }
    return false;
}

/// A text such as "2 classes of interchangeable facilities (164 and 92)"; of more than 8 classes only the 8 largest
/// sizes are listed.
std::string describe_classes(const std::vector<uint16_t>& classes, const char* of_what) {
    if (classes.empty()) return {};
    std::vector<std::uint32_t> sizes(classes.size());
    for (const uint16_t c : classes) ++sizes[c];
    std::sort(sizes.begin(), sizes.end(), std::greater<>());
    const auto count = static_cast<std::size_t>(
        std::find_if(sizes.begin(), sizes.end(), [](std::uint32_t size) { return size < 2; }) - sizes.begin());
    constexpr std::size_t kShown = 8;
    std::string list;
    for (std::size_t k = 0; k < std::min(count, kShown); ++k) {
        const bool last = k + 1 == count;
        list += fmt::format("{}{}", k == 0 ? "" : last ? " and " : ", ", sizes[k]);
    }
    if (count > kShown) list += ", ...";
    return fmt::format("{} class{} of interchangeable {} ({})", count, count == 1 ? "" : "es", of_what, list);
}

}  // namespace

Interchangeable::Interchangeable(const QapMatrices& matrices) {
    const std::size_t n = matrices.n;
    // There are no classes if n < 2, or if a matrix has a wrong size. Other code refuses such a matrix with a message.
    if (n < 2 || matrices.a.size() != n * n || matrices.b.size() != n * n) return;
    const bool a_is = is_symmetric(matrices.a, n), b_is = is_symmetric(matrices.b, n);
    const bool diagonals = diagonal_varies(matrices.a, n) && diagonal_varies(matrices.b, n);
    facilities = classes_of({matrices.a, n, b_is && !a_is, a_is || b_is, diagonals, matrices.linear, false});
    locations = classes_of({matrices.b, n, a_is && !b_is, a_is || b_is, diagonals, matrices.linear, true});
}

std::string Interchangeable::describe() const {
    const std::string of_a = describe_classes(facilities, "facilities"),
                      of_b = describe_classes(locations, "locations");
    if (!any()) return {};
    return fmt::format("{}{}{}: swaps within a class change no cost, so searches skip them", of_a,
                       !of_a.empty() && !of_b.empty() ? " and " : "", of_b);
}

}  // namespace qapfw::qap
