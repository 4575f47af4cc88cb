// SPDX-License-Identifier: Apache-2.0
#include "problems/qap/device/device_problem.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "problems/qap/costs/exact_cost.hpp"

namespace {

using namespace qapfw::qap;

struct Kind {
    bool a_symmetric, b_symmetric, a_diagonal, b_diagonal;
    std::int64_t least, greatest;
};

std::vector<std::int64_t> random_matrix(std::mt19937& random, std::uint32_t n, bool symmetric, bool diagonal,
                                        const Kind& kind) {
    std::uniform_int_distribution<std::int64_t> entry(kind.least, kind.greatest);
    std::vector<std::int64_t> m(std::size_t{n} * n);
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
            m[i * n + j] = symmetric && j < i ? m[j * n + i] : i == j && !diagonal ? 5 : entry(random);
        }
    }
    return m;
}

/// The cost, computed from `form` in the same way as in device code.
std::int64_t device_cost(const DeviceForm& form, const std::vector<std::uint16_t>& p) {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < form.n; ++i) {
        for (std::size_t j = 0; j < form.n; ++j) {
            sum += form.a[i * form.n + j] * form.b[std::size_t{p[form.order[i]]} * form.n + p[form.order[j]]];
        }
    }
    std::int64_t own = 0;
    for (std::size_t i = 0; form.linear && i < form.n; ++i) own += form.linear_costs[i * form.n + p[form.order[i]]];
    return (form.halves() ? sum / 2 : sum) * form.delta_scale + form.cost_offset + own;
}

}  // namespace

TEST_CASE("the device's form of an instance has the same cost for every permutation, and its bound holds") {
    std::mt19937 random(3);
    const Kind kinds[] = {{true, true, false, false, 0, 99},      {true, true, false, false, -50, 70},
                          {true, false, false, false, 0, 300},    {false, true, true, false, -9, 3000},
                          {false, false, false, false, 0, 70000}, {false, false, true, true, -5, 9},
                          {true, true, true, true, -5, 200},      {true, false, true, true, 0, 20},
                          {true, true, false, false, 0, 200},     {true, true, true, true, 0, 1}};
    for (const Kind& kind : kinds) {
        for (const std::uint32_t n : {1u, 2u, 3u, 11u}) {
            QapMatrices matrices{n, random_matrix(random, n, kind.a_symmetric, kind.a_diagonal, kind),
                                 random_matrix(random, n, kind.b_symmetric, kind.b_diagonal, kind)};
            if (random() % 2 == 0) matrices.linear = random_matrix(random, n, false, true, kind);
            std::vector<std::string> entries;
            if (n > 2) entries = {"2->1"};
            const FixedAssignments fixed = parse_fixed_assignments(entries, n, "test");
            const DeviceForm form(matrices, fixed);
            CHECK(std::ranges::min(form.a) >= 0);
            CHECK(std::ranges::min(form.b) >= 0);
            CHECK(form.movable == n - entries.size());
            std::vector<std::uint16_t> p(n);
            std::iota(p.begin(), p.end(), std::uint16_t{0});
            for (int trial = 0; trial < 20; ++trial) {
                std::shuffle(p.begin(), p.end(), random);
                REQUIRE(device_cost(form, p) == evaluate(matrices, p.data()));
                std::vector<std::uint16_t> q = p;
                if (n > 1) std::swap(q[0], q[n - 1]);
                const std::int64_t delta = evaluate(matrices, q.data()) - evaluate(matrices, p.data());
                CHECK(delta % form.delta_scale == 0);
                CHECK(static_cast<std::uint64_t>(std::abs(delta / form.delta_scale)) <= form.delta_bound);
            }
        }
    }
}

TEST_CASE("an instance is compiled with the narrowest exact types") {
    const auto form_of = [](std::int64_t entry) {
        return DeviceForm({3, {0, entry, 1, entry, 0, 2, 1, 2, 0}, {0, 1, 2, 1, 0, 3, 2, 3, 0}},
                          parse_fixed_assignments({}, 3, "test"));
    };
    const auto plan_of = [&](std::int64_t entry) { return plan_for(form_of(entry).traits(), 232448); };
    CHECK(plan_of(200).element_bytes == 1);
    CHECK(plan_of(200).value == ValueType::kFloat);
    CHECK(plan_of(60000).element_bytes == 2);
    CHECK(plan_of(100'000'000).element_bytes == 4);
    CHECK(plan_of(100'000'000).value == ValueType::kInt32);
    CHECK(plan_of(4'000'000'000).value == ValueType::kInt64);
    InstanceTraits traits{100, 100, 99, 99, true, false};
    traits.linear_range = 99;
    traits.whole = true;
    CHECK(plan_for(traits, 232448).value == ValueType::kFloat);
    CHECK(plan_for(traits, 232448).tile);
    traits.linear_range = 1u << 30;
    CHECK(plan_for(traits, 232448).value == ValueType::kInt64);
}

TEST_CASE("linear costs lie in shared memory where they take no search's place") {
    for (const std::uint64_t range : {std::uint64_t{99}, std::uint64_t{9999}, std::uint64_t{99999}}) {
        for (const std::uint32_t n : {12u, 50u, 60u, 100u}) {
            CAPTURE(n);
            CAPTURE(range);
            InstanceTraits traits{n, n, 99, 99, true, false};
            const DevicePlan without = plan_for(traits, 232448);
            CHECK_FALSE(without.linear_shared);
            traits.linear_range = range;
            const DevicePlan plan = plan_for(traits, 232448);
            CHECK(plan.blocks * plan.teams == without.blocks * without.teams);
            if (range < 256) CHECK(plan.linear_shared);
            if (plan.linear_shared) CHECK(plan.shared_bytes < without.shared_bytes);
        }
    }
    InstanceTraits wide{150, 150, 99, 99, true, false};
    wide.linear_range = 99999;
    CHECK_FALSE(plan_for(wide, 101376).linear_shared);  // not enough shared memory
}

TEST_CASE("few searches get more threads each, and as many as fit what they had") {
    for (const std::uint32_t n : {12u, 40u, 60u, 100u, 150u, 300u}) {
        CAPTURE(n);
        const InstanceTraits traits{n, n, 99, 99, true, false};
        const DevicePlan full = plan_for(traits, 232448);
        for (const std::uint32_t few : {1u, 2u, 4u}) {
            const DevicePlan plan = plan_for(traits, 232448, few);
            if (full.tile) CHECK(plan.warps >= full.warps);
            CHECK(plan.tile == full.tile);
            if (few >= full.teams * full.blocks) CHECK(plan.warps == full.warps);
            if (plan.alone) CHECK(plan.teams == 1);
        }
    }
    CHECK(plan_for({50, 50, 99, 99, true, false}, 232448, 1).alone);
    CHECK(plan_for({50, 50, 99, 99, true, false}, 232448, 2).alone);
    CHECK_FALSE(plan_for({100, 100, 99, 99, true, false}, 232448, 2).alone);  // too few registers
    CHECK_FALSE(plan_for({50, 50, 99, 99, true, false}, 232448, 4).alone);
    CHECK_FALSE(plan_for({50, 50, 99, 99, true, false}, 232448).alone);
    CHECK_FALSE(plan_for({99, 99, 3999999999, 3999999999, false, false}, 232448, 1).alone);  // not enough shared memory
    CHECK(plan_for({100, 100, 99, 99, true, false}, 232448, 1).warps >
          plan_for({100, 100, 99, 99, true, false}, 232448).warps);
}

TEST_CASE("a plan takes its choices from the tuning of the GPU, and every size has one") {
    const InstanceTraits traits{40, 40, 99, 99, true, false};
    TabuTuning other = kHopper;
    other.tile.warps[0] = {kAnySize, 2};
    other.latency.warps[1] = {kAnySize, 8};
    CHECK(plan_for(traits, 232448).warps == 1);
    CHECK(plan_for(traits, 232448, 0, other).warps == 2);
    CHECK(plan_for(traits, 232448, 1).warps == 4);
    CHECK(plan_for(traits, 232448, 1, other).warps == 8);
    other.tile.largest_n = 39;
    other.table.warps[0] = {kAnySize, 12};
    CHECK_FALSE(plan_for(traits, 232448, 0, other).tile);
    CHECK(plan_for(traits, 232448, 0, other).warps == 12);
    for (const TabuTuning& tuning : {kHopper, kAmpere, kAda}) {
        for (std::uint32_t n = 1; n < 1200; n = n * 5 / 4 + 1) {
            const DevicePlan plan = plan_for({n, n, 99, 99, true, false}, 101376, 0, tuning);
            CHECK(plan.warps * plan.teams * plan.blocks >= 1);
            CHECK(plan.warps * plan.teams * plan.blocks <= 64);
        }
    }
}

TEST_CASE("how many searches a multiprocessor holds is known from the hints that its kernels are compiled with") {
    std::mt19937 random(4);
    const Kind kind{true, true, false, false, 0, 99};
    for (const std::uint32_t n : {12u, 30u, 80u, 120u, 320u}) {
        CAPTURE(n);
        const QapMatrices matrices{n, random_matrix(random, n, true, false, kind),
                                   random_matrix(random, n, true, false, kind)};
        const FixedAssignments none = parse_fixed_assignments({}, n, "test");
        const DeviceProblem problem(matrices, none);
        const InstanceTraits traits = DeviceForm(matrices, none).traits();
        const auto searches_on = [&](std::uint32_t compute_capability) {
            qapfw_device gpu{};
            gpu.compute_capability = compute_capability;
            return problem.searches_on(gpu);
        };
        const auto hinted = [&](std::uint64_t shared_bytes) {
            const DevicePlan plan = plan_for(traits, shared_bytes);
            return plan.teams * plan.blocks;
        };
        CHECK(searches_on(90) == hinted(232448));
        CHECK(searches_on(100) == hinted(232448));
        CHECK(searches_on(80) == hinted(166912));
        CHECK(searches_on(87) == hinted(166912));
        CHECK(searches_on(89) == hinted(101376));
        CHECK(searches_on(120) == hinted(101376));
        CHECK(searches_on(90) >= 1);
    }
}
