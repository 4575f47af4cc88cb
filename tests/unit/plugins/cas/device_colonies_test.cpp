// SPDX-License-Identifier: Apache-2.0
// Checks that the device code of the cunning ant system has the CPU's trajectory on an emulated GPU.
#include <doctest/doctest.h>

#include "plugins/cas/cas.hpp"
#include "tests/support/device_checks.hpp"
#include "tests/support/sanitized.hpp"

using namespace qapfw;

TEST_CASE("the ants of all GPUs are improved side by side") {
    const test::Given given = {{"ants", "3"}, {"colonies", "5"}, {"exchange_every", "2"}, {"round", "2"}};
    test::check_side_by_side<sdk::PopulationSolver<cas::Cas>>(given, 6);
    test::check_failing_share<sdk::PopulationSolver<cas::Cas>>(given);
}

#if !defined(QAPFW_THREAD_SANITIZER)  // emulated GPUs are slow with this sanitizer: only the case above runs
namespace {

using CasSolver = sdk::PopulationSolver<cas::Cas>;
using test::Anywhere;
using test::DeviceToy;
using test::Given;
using test::OneExchange;
using test::Outcome;
using test::TestImprover;

/// Makes a run on `devices` emulated GPUs; 0: on the CPU.
Outcome solve(const DeviceToy<>& toy, const Given& given, std::uint64_t iterations, std::uint32_t devices,
              const qapfw_improver_ref* improver = nullptr) {
    return test::solve_on<CasSolver>({devices}, toy, given, {iterations, 6, improver});
}

}  // namespace

TEST_CASE("the kernels follow the CPU's trajectory on sizes from 1 to beyond four warps") {
    for (const char* n : {"1", "2", "3", "9", "40", "70", "110", "150"}) {
        CAPTURE(n);
        DeviceToy<> toy(Given{{"n", n}});
        const Given given = {{"ants", "5"}, {"gamma", "0.9"}, {"round", "2"}};
        CHECK(solve(toy, given, 7, 1) == solve(toy, given, 7, 0));
    }
}

TEST_CASE("the kernels follow the CPU's trajectory with a fixed position and with one ant") {
    DeviceToy<> toy(Given{{"n", "14"}, {"fix_first", "true"}});
    for (const char* ants : {"1", "9"}) {
        const Given given = {{"ants", ants}, {"gamma", "0.3"}};
        const Outcome found = solve(toy, given, 8, 1);
        CHECK(found == solve(toy, given, 8, 0));
        CHECK(sdk::permutation_of(static_cast<const void*>(found.best.data()))[0] == 2);
    }
}

TEST_CASE("an ant is the same whether trail rows are staged all at once, a few at a time, or not at all") {
    DeviceToy<> toy(Given{{"n", "40"}, {"fix_first", "true"}});
    const Given given = {{"ants", "5"}, {"gamma", "0.9"}};
    const Outcome expected = solve(toy, given, 4, 0);
    constexpr std::uint32_t kRow = 40 * 8;   // bytes of a row of trails
    constexpr std::uint32_t kEntries = 552;  // bytes of all other data of a construction
    for (const std::uint32_t shared : {kEntries + 39 * kRow, kEntries + 7 * kRow, kEntries + kRow - 1, kEntries - 8}) {
        CAPTURE(shared);
        CHECK(test::solve_on<CasSolver>({1, shared}, toy, given, {4, 6}) == expected);
    }
}

TEST_CASE("one GPU, several GPUs and the CPU agree on several colonies that exchange, with and without an improver") {
    DeviceToy<> toy(Given{{"n", "16"}});
    const TestImprover<Anywhere<OneExchange>> improver(toy.host.get(), toy.problem.get());
    const Given given = {{"ants", "4"}, {"colonies", "5"}, {"exchange_every", "3"}, {"round", "3"}};
    for (const qapfw_improver_ref* with : {static_cast<const qapfw_improver_ref*>(nullptr), improver.get()}) {
        const Outcome expected = solve(toy, given, 10, 0, with);  // the last round is shorter
        CHECK(expected.digests.size() == 4);
        for (const std::uint32_t devices : {3u, 1u, 2u, 5u}) {
            CHECK(solve(toy, given, 10, devices, with) == expected);
            if (qapfw::kSanitized) break;
        }
    }
}

TEST_CASE("colonies of one ant, of more ants than warps, and of long solutions exchange after every iteration") {
    struct Case {
        const char *n, *ants, *colonies;
    };
    for (const Case& one : {Case{"9", "1", "4"}, Case{"7", "35", "3"}, Case{"140", "3", "2"}, Case{"6", "4", "1"}}) {
        CAPTURE(one.ants);
        DeviceToy<> toy(Given{{"n", one.n}});
        const Given given = {
            {"ants", one.ants}, {"colonies", one.colonies}, {"exchange_every", "1"}, {"gamma", "0.6"}, {"round", "2"}};
        constexpr std::uint64_t kIterations = qapfw::kSanitized ? 4 : 12;
        CHECK(solve(toy, given, kIterations, 1) == solve(toy, given, kIterations, 0));
    }
}

TEST_CASE("a state saved on a GPU continues on the CPU, and the other way round") {
    DeviceToy<> toy(Given{{"n", "12"}});
    const TestImprover<Anywhere<OneExchange>> improver(toy.host.get(), toy.problem.get());
    const Given given = {{"ants", "4"}, {"colonies", "2"}, {"exchange_every", "2"}, {"round", "1"}};
    for (const qapfw_improver_ref* with : {static_cast<const qapfw_improver_ref*>(nullptr), improver.get()}) {
        test::check_resume_elsewhere<CasSolver>(toy, given, {6, 6, with}, 3);
        test::check_beyond_32_bits_on_devices<CasSolver>(toy, given, {6, 6, with});
    }
}

TEST_CASE("a round of ants cut short on GPUs reports a real solution and leaves no trace in the state") {
    DeviceToy<> toy(Given{{"n", "9"}});
    const TestImprover<Anywhere<OneExchange>> improver(toy.host.get(), toy.problem.get());
    const Given given = {{"ants", "4"}, {"colonies", "3"}, {"round", "4"}};
    test::check_stopped_on_devices<CasSolver>(toy, given, improver.get(), {0, 1, 2, 3, 4, 16, 17, 18, 25, 40});
}

namespace {

/// Begins every round, except the first two, before the report of the previous round has arrived.
struct HastySolver : CasSolver {
    explicit HastySolver(const sdk::SolverContext& context) : CasSolver(context) {
        quick_round_ = std::chrono::steady_clock::duration::max();
    }
};

}  // namespace

TEST_CASE("rounds that are begun ahead are the CPU's, and leave no trace where they are not granted or are cut short") {
    DeviceToy<> toy(Given{{"n", "9"}});
    const TestImprover<Anywhere<OneExchange>> improver(toy.host.get(), toy.problem.get());
    const Given given = {{"ants", "4"}, {"colonies", "3"}, {"exchange_every", "2"}, {"round", "3"}};
    for (const qapfw_improver_ref* with : {static_cast<const qapfw_improver_ref*>(nullptr), improver.get()}) {
        for (const std::uint64_t iterations : {13u, 12u, 14u}) {
            CHECK(test::solve_on<HastySolver>({1}, toy, given, {iterations, 6, with}) ==
                  solve(toy, given, iterations, 0, with));
            if (qapfw::kSanitized) break;
        }
        test::check_resume_elsewhere<HastySolver>(toy, given, {12, 6, with}, 9);
    }
    const auto stopped = [&](std::initializer_list<int> questions) {
        test::check_stopped_on_devices<HastySolver>(toy, given, improver.get(), questions, 1);
    };
    stopped({7, 12, 15, 31});
    if (!qapfw::kSanitized) stopped({6, 8, 9, 10, 11, 13, 14, 16, 20, 25, 30, 32, 33});
}

TEST_CASE("an improver that has no GPU version is named") {
    DeviceToy<> toy(Given{{"n", "6"}});
    const test::EmulatedDevice gpu(toy.view);
    const qapfw_improver_ref ref{sizeof(qapfw_improver_ref), nullptr, nullptr, nullptr, "slow_descent"};
    CHECK_THROWS_WITH(
        sdk::DeviceImprover(&ref, *gpu.get(), 3),
        "improver 'slow_descent' does not run on GPUs: choose device.backend = \"cpu\" or another improver");
}
#endif
