// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <numeric>

#include "plugins/cas/cas.hpp"
#include "tests/unit/plugins/cas/cas_test_tools.hpp"

namespace {

using namespace qapfw;

struct Ant {
    std::vector<std::uint16_t> donor, child, order, pool;
    std::uint32_t sampled = 0;
};

Ant construct(const std::vector<std::uint16_t>& donor, const std::vector<std::uint16_t>& free,
              const std::vector<std::uint32_t>& thresholds, const std::vector<std::uint64_t>& trail,
              std::uint64_t iteration, std::uint32_t number) {
    const auto n = static_cast<std::uint32_t>(donor.size()), f = static_cast<std::uint32_t>(free.size());
    Ant ant{donor, std::vector<std::uint16_t>(n), std::vector<std::uint16_t>(f), std::vector<std::uint16_t>(f)};
    ant.sampled =
        kernels::construct_cunning_ant({free.data(), thresholds.data(), f, n}, trail.data(), donor.data(),
                                       ant.child.data(), ant.order.data(), ant.pool.data(), {5, iteration, number});
    return ant;
}

std::vector<std::uint16_t> counting(std::uint32_t n) {
    std::vector<std::uint16_t> p(n);
    std::iota(p.begin(), p.end(), std::uint16_t{0});
    return p;
}

}  // namespace

TEST_CASE("a cunning ant is a permutation that differs from its donor only at sampled free positions") {
    const std::uint32_t n = 23;
    std::vector<std::uint16_t> donor = counting(n), free;
    std::rotate(donor.begin(), donor.begin() + 7, donor.end());
    for (std::uint16_t k = 0; k < n; ++k) {
        if (k % 5 != 0) free.push_back(k);
    }
    const auto f = static_cast<std::uint32_t>(free.size());
    const std::vector<std::uint32_t> thresholds = cas::cunning_thresholds(f, 0.5);
    std::vector<std::uint64_t> trail(std::size_t{f} * n);
    for (std::uint32_t k = 0; k < trail.size(); ++k) trail[k] = 1 + kernels::draw(1, 2, 3, 4, k) % 1000;
    double sampled = 0;
    for (std::uint32_t number = 0; number < 500; ++number) {
        const Ant ant = construct(donor, free, thresholds, trail, 9, number);
        std::vector<std::uint16_t> sorted = ant.child;
        std::sort(sorted.begin(), sorted.end());
        REQUIRE(sorted == counting(n));
        std::uint32_t changed = 0;
        for (std::uint32_t k = 0; k < n; ++k) {
            if (ant.child[k] == donor[k]) continue;
            ++changed;
            const auto* const last = ant.order.data() + ant.sampled;
            CHECK(std::any_of(ant.order.data(), last, [&](std::uint16_t i) { return free[i] == k; }));
        }
        CHECK(changed <= ant.sampled);
        sampled += ant.sampled;
    }
    CHECK(sampled / 500 == doctest::Approx(f * 0.5).epsilon(0.1));
}

TEST_CASE("every free position is sampled equally often and in every order") {
    const std::uint32_t n = 12;
    std::vector<std::uint32_t> five(n, 0);  // with these thresholds every ant samples 5 positions
    for (std::uint32_t l = 5; l < n; ++l) five[l] = 0xFFFFFFFFu;
    const std::vector<std::uint64_t> trail(std::size_t{n} * n, 1);
    std::vector<double> places(std::size_t{n} * 5, 0), expected(std::size_t{n} * 5, 12'000.0 / n);
    for (std::uint32_t number = 0; number < 12'000; ++number) {
        const Ant ant = construct(counting(n), counting(n), five, trail, 1, number);
        REQUIRE(ant.sampled == 5);
        for (std::uint32_t k = 0; k < 5; ++k) places[std::size_t{k} * n + ant.order[k]] += 1;
    }
    int cells = 0;
    const double statistic = test::chi_square(places, expected, cells);
    CHECK(cells == 60);
    CHECK(statistic < test::chi_square_limit(cells - 5));
}

TEST_CASE("values are drawn in proportion to their trails") {
    const std::uint32_t n = 10;
    const std::vector<std::uint32_t> all(n, 0);  // thresholds of 0: every ant samples all n positions
    std::vector<std::uint64_t> trail(std::size_t{n} * n);
    for (std::uint32_t k = 0; k < trail.size(); ++k) {
        trail[k] = std::uint64_t{1 + (k * 7 + k / n) % 13} << 40;  // large trails: sums beyond 32 bits
    }
    std::vector<double> observed(std::size_t{n} * n, 0), expected(std::size_t{n} * n, 0);
    for (std::uint32_t number = 0; number < 30'000; ++number) {
        const Ant ant = construct(counting(n), counting(n), all, trail, 3, number);
        const std::uint16_t first = ant.order[0];  // all values are free at the first choice
        observed[std::size_t{first} * n + ant.child[first]] += 1;
        double sum = 0;
        for (std::uint32_t v = 0; v < n; ++v) sum += static_cast<double>(trail[std::size_t{first} * n + v]);
        for (std::uint32_t v = 0; v < n; ++v) {
            expected[std::size_t{first} * n + v] += static_cast<double>(trail[std::size_t{first} * n + v]) / sum;
        }
    }
    int cells = 0;
    const double statistic = test::chi_square(observed, expected, cells);
    CHECK(cells > 90);
    CHECK(statistic < test::chi_square_limit(cells - 10));
}

TEST_CASE("a choice between two values left over follows their trails too") {
    const std::uint32_t n = 2;
    const std::vector<std::uint32_t> all(n, 0);
    const std::vector<std::uint64_t> trail = {3, 1, 1, 1};
    double kept = 0;
    for (std::uint32_t number = 0; number < 20'000; ++number) {
        kept += construct({0, 1}, {0, 1}, all, trail, 0, number).child[0] == 0 ? 1 : 0;
    }
    // Position 0 comes first in half of the cases, and then keeps 0 with probability 3/4. If position 1 comes first,
    // position 0 gets 0 with probability 1/2.
    CHECK(kept / 20'000 == doctest::Approx(0.625).epsilon(0.02));
}

TEST_CASE("portions of ranges up to 2^62 are exact") {
    CHECK(kernels::portion(std::uint64_t{1} << 62, 0xFFFFFFFFu) == (std::uint64_t{1} << 62) - (std::uint64_t{1} << 30));
    CHECK(kernels::portion(10, 0x80000000u) == 5);
    CHECK(kernels::portion(7, 0xFFFFFFFFu) == 6);
    CHECK(kernels::portion(12345678901234567, std::uint64_t{1} << 32) == 12345678901234567);
    CHECK(kernels::portion((std::uint64_t{5} << 32) + 3, 0x40000000u) == ((std::uint64_t{5} << 32) + 3) / 4);
}
