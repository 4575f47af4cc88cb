// SPDX-License-Identifier: Apache-2.0
// Checks that the device code of the memetic algorithm has the CPU's trajectory on emulated GPUs.
#include <doctest/doctest.h>

#include <atomic>
#include <initializer_list>
#include <thread>
#include <vector>

#include "tests/support/device_checks.hpp"
#include "tests/support/process_checks.hpp"
#include "tests/support/sanitized.hpp"
#include "tests/unit/plugins/memetic/memetic_test_tools.hpp"

namespace {

using namespace qapfw;
using test::Anywhere;
using test::DeviceToy;
using test::Given;
using test::Outcome;
using test::small_memetic;
using test::SweepImprover;
using test::Task;
using test::TestImprover;
using Memetic = memetic::MemeticSolver;

Outcome solve_on(std::uint32_t gpus, const DeviceToy<>& toy, const Given& given, const Task& task) {
    return test::solve_on<Memetic>({gpus}, toy, given, task);
}

/// Counts the workspaces that the improver makes on GPUs. It makes one for each place.
std::atomic<int> workspaces;
template <class T, bool kHostWaits>
struct Counting : Anywhere<T> {
    using Anywhere<T>::Anywhere;
    struct DeviceWorkspace : Anywhere<T>::DeviceWorkspace {
        static constexpr bool kCountsEnqueued = !kHostWaits;
        DeviceWorkspace(const Counting& improver, const qapfw_device* device, std::uint64_t capacity)
            : Anywhere<T>::DeviceWorkspace(improver, device, capacity) {
            ++workspaces;
        }
    };
};

}  // namespace

TEST_CASE("searches that the host waits for are at several places on a GPU, whose number leaves the search as it is") {
    const DeviceToy<> toy(Given{{"n", "9"}});
    const Given given = small_memetic({{"restart_after", "3"}, {"first_islands", "6"}});
    const auto check = [&](const auto& improver, std::initializer_list<int> places) {
        const Outcome expected = solve_on(0, toy, given, {4, 3, improver.get()});
        for (std::uint32_t gpus = 1; const int wanted : places) {
            CAPTURE(gpus);
            workspaces = 0;
            CHECK(solve_on(gpus++, toy, given, {4, 3, improver.get()}) == expected);
            CHECK(workspaces == wanted);
        }
    };
    // Six islands and five threads. Each list has the expected number of places on one GPU, on two and on three.
    check(TestImprover<Counting<SweepImprover, true>>(toy.host.get(), toy.problem.get()), {4, 4, 3});
    check(TestImprover<Counting<SweepImprover, false>>(toy.host.get(), toy.problem.get()), {1, 2, 3});
}

#if !defined(QAPFW_THREAD_SANITIZER)  // emulated GPUs are slow with this sanitizer: only the cases above run
namespace {

/// Arms with every crossover and replacement. Some arms have fewer elites than an island can hold.
const char* const kArms =
    "crossover=cycle mutation=0.5 moves=1-4 replacement=worst improver=given|"
    "crossover=uniform replacement=parent elites=2 improver=given|"
    "crossover=none moves=2-5 replacement=walk elites=3|"
    "crossover=pmx mutation=1 replacement=worst improver=given|crossover=ox crossover_rate=0.5 elites=3|crossover=mox|"
    "crossover=path_relinking";

struct Silent : Anywhere<SweepImprover> {
    using Anywhere<SweepImprover>::Anywhere;
    struct DeviceWorkspace : Anywhere<SweepImprover>::DeviceWorkspace {
        using Anywhere<SweepImprover>::DeviceWorkspace::DeviceWorkspace;
        static constexpr bool kCountsEach = false;
    };
};

}  // namespace

TEST_CASE("islands on GPUs follow the CPU's trajectory, with an improver and without, whatever their number") {
    for (const char* n : {"1", "2", "9"}) {
        const DeviceToy<> toy(Given{{"n", n}});
        const TestImprover<Anywhere<SweepImprover>> improver(toy.host.get(), toy.problem.get());
        for (const qapfw_improver_ref* with : {static_cast<const qapfw_improver_ref*>(nullptr), improver.get()}) {
            const Given given = small_memetic({{"restart_after", "3"}, {"distance", "4"}});
            const Outcome expected = solve_on(0, toy, given, {9, 3, with});
            CHECK(expected.digests.size() == 9);
            const std::vector<std::uint32_t> numbers =
                qapfw::kSanitized ? std::vector<std::uint32_t>{2} : std::vector<std::uint32_t>{1, 2, 5};
            for (const std::uint32_t gpus : numbers) {
                CAPTURE(std::string(n));
                CAPTURE(gpus);
                CHECK(solve_on(gpus, toy, given, {9, 3, with}) == expected);
            }
        }
    }
}

TEST_CASE("a user's own arms race on GPUs as on the CPU") {
    const DeviceToy<> toy(Given{{"n", "12"}});
    const TestImprover<Anywhere<SweepImprover>> improver(toy.host.get(), toy.problem.get());
    const Given given =
        small_memetic({{"arms", kArms}, {"islands", "14"}, {"first_islands", "3"}, {"size", "20"}, {"rung", "1"}});
    const Outcome expected = solve_on(0, toy, given, {10, 3, improver.get()});
    CHECK(solve_on(1, toy, given, {10, 3, improver.get()}) == expected);
    CHECK(solve_on(3, toy, given, {10, 3, improver.get()}) == expected);
}

TEST_CASE("broods and populations larger than a warp follow the CPU's trajectory") {
    const DeviceToy<> toy(Given{{"n", "9"}});
    const TestImprover<Anywhere<SweepImprover>> improver(toy.host.get(), toy.problem.get());
    const char* const arms =
        "crossover=uniform improver=given broods=3|crossover=pmx mutation=0.5 replacement=worst improver=given "
        "elites=4|"
        "crossover=none moves=1-3 elites=2 improver=given";
    const Given given = small_memetic({{"arms", arms},
                                       {"islands", "5"},
                                       {"brood", "14"},
                                       {"size", "80"},
                                       {"first_size", "20"},
                                       {"round", "600"},
                                       {"restart_after", "1"},
                                       {"rung", "1"}});
    const Outcome expected = solve_on(0, toy, given, {9, 3, improver.get()});
    for (const std::uint32_t gpus : {1u, 3u}) CHECK(solve_on(gpus, toy, given, {9, 3, improver.get()}) == expected);
}

TEST_CASE("first elites, with warm starts and fixed elements") {
    test::check_first_individuals<Memetic>(small_memetic({{"islands", "5"}}));
}

TEST_CASE("a run goes on from one backend to the other, and from one number of GPUs to another") {
    const DeviceToy<> toy(Given{{"n", "9"}});
    const TestImprover<Anywhere<SweepImprover>> improver(toy.host.get(), toy.problem.get());
    for (const std::uint64_t first : {4u, 1u, 6u}) {
        test::check_resume_elsewhere<Memetic>(toy, small_memetic({{"restart_after", "2"}}), {10, 3, improver.get()},
                                              first);
        if (qapfw::kSanitized) break;
    }
}

TEST_CASE("a round cut short on GPUs reports a real solution and leaves no trace in the saved state") {
    const DeviceToy<> toy(Given{{"n", "9"}});
    const TestImprover<Anywhere<SweepImprover>> improver(toy.host.get(), toy.problem.get());
    for (const qapfw_improver_ref* with : {static_cast<const qapfw_improver_ref*>(nullptr), improver.get()}) {
        test::check_stopped_on_devices<Memetic>(toy, small_memetic(), with, {1, 5, 20, 30});
    }
}

TEST_CASE("several processes with GPUs share out the islands and leave the search as it is") {
    const Given instance{{"n", "9"}}, given = small_memetic({{"islands", "7"}, {"restart_after", "3"}});
    const DeviceToy<> toy(instance);
    const Outcome expected = solve_on(0, toy, given, {8, 3, nullptr});
    test::ThreadExchange exchange(2);
    Outcome outcomes[2];
    const auto run_rank = [&](std::uint32_t rank) {
        const DeviceToy<> own(instance);
        const test::EmulatedGpus gpus(own.view, 2, test::kMuchShared);
        test::ThreadExchange::Member member = exchange.member(rank);
        member.table.context = &member;
        test::TestSolver<Memetic> solver(own.host.get(), own.problem.get(), given);
        test::TestRun run(3, 8, own.problem.ref().solution_bytes());
        qapfw_run services = *run.get();
        gpus.give_to(services);
        services.exchange = &member.table;
        solver.run(services);
        outcomes[rank] = test::outcome(run, own.problem);
    };
    std::thread other([&] { run_rank(1); });
    run_rank(0);
    other.join();
    CHECK(outcomes[0] == expected);
    CHECK(outcomes[1] == expected);
}

TEST_CASE("an improver that does not report the work of each solution is refused with a message") {
    const DeviceToy<> toy(Given{{"n", "6"}});
    const TestImprover<Silent> improver(toy.host.get(), toy.problem.get());
    const test::EmulatedGpus gpus(toy.view, 1, test::kMuchShared);
    test::TestSolver<Memetic> solver(toy.host.get(), toy.problem.get(), small_memetic(), improver.get());
    test::TestRun run(3, 2, toy.problem.ref().solution_bytes());
    qapfw_run services = *run.get();
    gpus.give_to(services);
    CHECK(solver.run_status(services) == QAPFW_ERROR_UNSUPPORTED);
    CHECK(toy.host.error.find("does not count the evaluations of each solution on GPUs") != std::string::npos);
}
#endif
