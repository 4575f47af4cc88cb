// SPDX-License-Identifier: Apache-2.0
// The device code of the cunning ant system on an emulated GPU: same trajectory as on the CPU.
#include <doctest/doctest.h>

#include <cstring>

#include "qapfw/sdk/free_positions.hpp"
#include "tests/unit/plugins/cas/cas_test_tools.hpp"
#include "tests/unit/plugins/cas/emulated_kernels.hpp"

#if !defined(__SANITIZE_THREAD__)  // fibers confuse the thread sanitizer
namespace {

using namespace qapfw;
using test::EmulatedDevice;
using test::Given;
using test::StateBytes;
using test::TestHost;
using test::TestProblem;
using test::TestRun;
using test::ToyOrdering;

/// A toy problem, and what its kernels would see of it.
struct DeviceToy {
    explicit DeviceToy(const Given& given) : problem(host, given) {
        const std::uint32_t n = problem.ref().length();
        std::vector<std::uint16_t> fixed_ones;
        place = sdk::free_positions(problem.ref());
        for (std::uint16_t k = 0; k < n; ++k) {
            if (std::find(place.begin(), place.end(), k) == place.end()) fixed_ones.push_back(k);
        }
        place.insert(place.end(), fixed_ones.begin(), fixed_ones.end());
        for (std::uint32_t k = 0; k < n * n; ++k) {  // as ToyOrdering draws them
            weights.push_back(static_cast<std::int64_t>(kernels::below(kernels::draw(7, 0, 0, 1, k), 201)) - 100);
        }
        view = {weights.data(), place.data(), static_cast<std::int32_t>(n)};
    }
    TestHost host;
    TestProblem<ToyOrdering> problem;
    std::vector<std::int64_t> weights;
    std::vector<std::uint16_t> place;
    test::ToyView view{};
};

struct Outcome {
    std::vector<std::uint64_t> digests;
    std::int64_t cost;
    std::vector<unsigned char> best;
    std::uint64_t evaluations;
    bool operator==(const Outcome&) const = default;
};

struct Part {
    StateBytes *load = nullptr, *save = nullptr;
};

/// A run on `devices` emulated GPUs, on the CPU where there are none.
Outcome solve(DeviceToy& toy, const Given& given, std::uint64_t iterations, std::uint32_t devices, Part part = {}) {
    std::vector<std::unique_ptr<EmulatedDevice>> gpus;
    std::vector<const qapfw_device*> tables;
    for (std::uint32_t d = 0; d < devices; ++d) {
        tables.push_back(gpus.emplace_back(std::make_unique<EmulatedDevice>(toy.view))->get());
    }
    test::Solver solver(toy.host.get(), toy.problem.get(), given);
    REQUIRE(solver.status == QAPFW_OK);
    if (part.load != nullptr) REQUIRE(solver.load(*part.load) == QAPFW_OK);
    TestRun run(6, iterations, toy.problem.ref().solution_bytes(), part.load != nullptr);
    qapfw_run services = *run.get();
    services.devices = tables.data();
    services.device_count = devices;
    solver.run(services);
    if (part.save != nullptr) solver.save(*part.save);
    for (const auto& gpu : gpus) CHECK(gpu->launches > 0);
    return {run.digests, run.best_cost.i, run.best, run.evaluations};
}

}  // namespace

TEST_CASE("the kernels follow the CPU's trajectory on sizes from 1 to beyond a warp") {
    for (const char* n : {"1", "2", "3", "9", "40"}) {
        CAPTURE(n);
        DeviceToy toy(Given{{"n", n}});
        const Given given = {{"ants", "5"}, {"gamma", "0.6"}, {"round", "2"}};
        CHECK(solve(toy, given, 7, 1) == solve(toy, given, 7, 0));
    }
}

TEST_CASE("the kernels follow the CPU's trajectory with a fixed position and with one ant") {
    DeviceToy toy(Given{{"n", "14"}, {"fix_first", "true"}});
    for (const char* ants : {"1", "9"}) {
        const Given given = {{"ants", ants}, {"gamma", "0.3"}};
        const Outcome found = solve(toy, given, 8, 1);
        CHECK(found == solve(toy, given, 8, 0));
        CHECK(sdk::permutation_of(static_cast<const void*>(found.best.data()))[0] == 2);
    }
}

TEST_CASE("one GPU, several GPUs and the CPU agree on several colonies that exchange") {
    DeviceToy toy(Given{{"n", "16"}});
    const Given given = {{"ants", "4"}, {"colonies", "3"}, {"exchange_every", "3"}, {"round", "3"}};
    const Outcome expected = solve(toy, given, 9, 0);
    CHECK(expected.digests.size() == 3);
    for (const std::uint32_t devices : {1u, 2u, 3u}) CHECK(solve(toy, given, 9, devices) == expected);
}

TEST_CASE("a state saved on a GPU goes on on the CPU and the other way round") {
    DeviceToy toy(Given{{"n", "12"}});
    const Given given = {{"ants", "4"}, {"colonies", "2"}, {"exchange_every", "2"}, {"round", "1"}};
    const Outcome whole = solve(toy, given, 6, 0);
    for (const auto& [first, second] : {std::pair{0u, 1u}, {1u, 0u}, {1u, 2u}, {2u, 1u}}) {
        StateBytes state;
        Outcome half = solve(toy, given, 3, first, {.load = nullptr, .save = &state});
        const Outcome rest = solve(toy, given, 3, second, {.load = &state, .save = nullptr});
        half.digests.insert(half.digests.end(), rest.digests.begin(), rest.digests.end());
        CHECK(half.digests == whole.digests);
        CHECK(rest.best == whole.best);
    }
}

TEST_CASE("an improver that has no GPU version is named") {
    DeviceToy toy(Given{{"n", "6"}});
    EmulatedDevice gpu(toy.view);
    const qapfw_improver_ref ref{sizeof(qapfw_improver_ref), nullptr, nullptr, nullptr, "slow_descent"};
    CHECK_THROWS_WITH(cas::DeviceImprover(&ref, *gpu.get(), 3),
                      "improver 'slow_descent' does not run on GPUs: choose device.backend = \"cpu\" or another one");
}
#endif
