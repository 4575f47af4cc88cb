// SPDX-License-Identifier: Apache-2.0
// A layout in flexible bays (FBS: flexible bay structure) in the form that operators use, with tools for their tests.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "qapfw/kernels/fbs_operators.hpp"

namespace qapfw::kernels::test {

struct Individual {
    std::vector<std::uint16_t> perm;
    std::vector<std::uint8_t> bits;

    explicit Individual(std::uint32_t n) : perm(n), bits(n - 1) {}
    Individual(std::vector<std::uint16_t> p, std::vector<std::uint8_t> b) : perm(std::move(p)), bits(std::move(b)) {}
    bool operator==(const Individual&) const = default;

    auto view() { return fbs_solution(perm.data(), bits.data()); }
    auto sequence() { return fbs_solution(perm.data(), FbsNoBits{}); }
    std::uint32_t size() const { return static_cast<std::uint32_t>(perm.size()); }
    bool bit(std::size_t k) const { return k == bits.size() || bits[k] != 0; }
    std::size_t position(std::uint16_t department) const {
        return static_cast<std::size_t>(std::find(perm.begin(), perm.end(), department) - perm.begin());
    }
    bool valid() const {
        std::vector<std::uint16_t> sorted = perm;
        std::sort(sorted.begin(), sorted.end());
        for (std::size_t k = 0; k < sorted.size(); ++k) {
            if (sorted[k] != k) return false;
        }
        return std::all_of(bits.begin(), bits.end(), [](std::uint8_t b) { return b <= 1; });
    }
};

/// Returns a random individual with about `bays` bays. If `bays` is 0, it has about sqrt(n) bays.
inline Individual random_individual(std::uint32_t n, std::uint32_t index, std::uint32_t bays = 0) {
    Individual individual(n);
    fbs_randomize(individual.view(), n, bays, 42, 0, index, 1);
    return individual;
}

/// The departments of each bay.
inline std::vector<std::vector<std::uint16_t>> bays_of(const Individual& s) {
    std::vector<std::vector<std::uint16_t>> bays(1);
    for (std::size_t k = 0; k < s.perm.size(); ++k) {
        bays.back().push_back(s.perm[k]);
        if (k < s.bits.size() && s.bits[k]) bays.emplace_back();
    }
    return bays;
}

}  // namespace qapfw::kernels::test
