// SPDX-License-Identifier: Apache-2.0
#include "problems/qap/costs/owner_cost.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numeric>
#include <random>

using namespace qapfw::qap;

namespace {

OwnerNumbers random_numbers(uint32_t n, uint32_t m, uint64_t seed) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> value(-1, 1);
    OwnerNumbers out{.facilities = n, .locations = m, .a = {}, .b = {}, .linear = {}, .constant = value(random)};
    for (uint32_t k = 0; k < n * n; ++k) out.a.push_back(value(random));
    for (uint32_t k = 0; k < m * m; ++k) out.b.push_back(value(random));
    for (uint32_t k = 0; k < n * m; ++k) out.linear.push_back(value(random));
    return out;
}

std::vector<uint16_t> identity(uint32_t m) {
    std::vector<uint16_t> p(m);
    std::iota(p.begin(), p.end(), uint16_t{0});
    return p;
}

}  // namespace

TEST_CASE("the owner's costs lose nothing to cancellation") {
    const OwnerNumbers numbers{
        .facilities = 2, .locations = 2, .a = {0, 1e8, 1, 0}, .b = {0, 1e8, -1e16, 0}, .linear = {}, .constant = 0.25};
    CHECK(numbers.cost(identity(2).data()) == 0.25);
}

TEST_CASE("a change of the owner's cost is that of recomputed costs, with dummies too") {
    for (const uint32_t n : {1u, 4u, 7u}) {
        const OwnerNumbers numbers = random_numbers(n, 7, n);
        std::vector<uint16_t> p = identity(7);
        std::shuffle(p.begin(), p.end(), std::mt19937_64(3));
        for (uint32_t i = 0; i < 7; ++i) {
            for (uint32_t j = 0; j < 7; ++j) {
                if (i == j) continue;
                std::vector<uint16_t> swapped = p;
                std::swap(swapped[i], swapped[j]);
                const double recomputed = numbers.cost(swapped.data()) - numbers.cost(p.data());
                CHECK(std::abs(numbers.change(p.data(), i, j) - recomputed) < 1e-13);
            }
        }
    }
}

TEST_CASE("a descent ends where no allowed exchange improves the owner's cost") {
    const OwnerNumbers numbers = random_numbers(6, 8, 5);
    for (const int sense : {1, -1}) {
        std::vector<uint16_t> p = identity(8);
        const double before = sense * numbers.cost(p.data());
        const auto may_swap = [](uint32_t i, uint32_t j) { return i != 2 && j != 2; };
        descend(numbers, sense, p, may_swap, {});
        CHECK(sense * numbers.cost(p.data()) < before);
        CHECK(p[2] == 2);
        for (uint32_t i = 0; i < 8; ++i) {
            for (uint32_t j = i + 1; j < 8; ++j) {
                if (may_swap(i, j)) CHECK(sense * numbers.change(p.data(), i, j) > -1e-13);
            }
        }
    }
}
