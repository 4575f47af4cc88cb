// SPDX-License-Identifier: Apache-2.0
// Checks that the device code of the distributed GA has the CPU's trajectory on an emulated GPU.
#include <doctest/doctest.h>

#include "plugins/ga_distributed/ga_distributed.hpp"
#include "tests/support/device_checks.hpp"

using namespace qapfw;

TEST_CASE("the individuals of all GPUs are improved side by side") {
    const test::Given given = {{"subpopulations", "5"}, {"size", "4"}, {"exchange_every", "3"}, {"round", "2"}};
    test::check_side_by_side<sdk::PopulationSolver<ga_distributed::GaDistributed>>(given, 8);
    test::check_failing_share<sdk::PopulationSolver<ga_distributed::GaDistributed>>(given);
}

#if !defined(QAPFW_THREAD_SANITIZER)  // emulated GPUs are slow with this sanitizer: only the case above runs
namespace {

using Solver = sdk::PopulationSolver<ga_distributed::GaDistributed>;
using test::Anywhere;
using test::DeviceToy;
using test::Given;
using test::kMuchShared;
using test::kNoShared;
using test::OneExchange;
using test::Outcome;
using test::Place;
using test::Task;
using test::TestImprover;

Outcome solve(const Place& place, DeviceToy<>& toy, const Given& given, const Task& task) {
    return test::solve_on<Solver>(place, toy, given, task);
}

}  // namespace

TEST_CASE(
    "subpopulations on a GPU follow the CPU's trajectory on sizes from 1 to beyond a warp, in shared memory or not") {
    for (const char* n : {"1", "2", "3", "9", "40"}) {
        for (const char* crossover : {"pmx", "ox"}) {
            CAPTURE(n);
            CAPTURE(crossover);
            DeviceToy<> toy(Given{{"n", n}});
            const Given given = {{"subpopulations", "2"}, {"size", "7"},           {"crossover", crossover},
                                 {"round", "4"},          {"exchange_every", "3"}, {"mutation_rate", "0.4"}};
            const Task task{10, 6, nullptr};
            const Outcome expected = solve({}, toy, given, task);
            CHECK(solve({1, kMuchShared}, toy, given, task) == expected);
            CHECK(solve({1, kNoShared}, toy, given, task) == expected);
        }
    }
}

TEST_CASE("subpopulations of one individual, larger than a GPU's block, and with a fixed position") {
    DeviceToy<> toy(Given{{"n", "9"}, {"fix_first", "true"}});
    for (const char* size : {"1", "2", "300"}) {
        CAPTURE(size);
        const Given given = {
            {"subpopulations", "2"}, {"size", size}, {"exchange_every", "2"}, {"mutation_per", "position"}};
        const Task task{4, 5, nullptr};
        const Outcome expected = solve({}, toy, given, task);
        CHECK(sdk::permutation_of(static_cast<const void*>(expected.best.data()))[0] == 2);
        CHECK(solve({1, kMuchShared}, toy, given, task) == expected);
        CHECK(solve({1, kNoShared}, toy, given, task) == expected);
    }
}

TEST_CASE("one GPU, several GPUs and the CPU agree on the shuffle of all and on the exchange of a share") {
    DeviceToy<> toy(Given{{"n", "12"}});
    const TestImprover<Anywhere<OneExchange>> improver(toy.host.get(), toy.problem.get());
    for (const char* share : {"1", "0.1", "0"}) {
        for (const qapfw_improver_ref* with : {static_cast<const qapfw_improver_ref*>(nullptr), improver.get()}) {
            const Given given = {
                {"subpopulations", "5"}, {"size", "6"}, {"exchange_every", "4"}, {"exchange_share", share}};
            const Task task{13, 6, with};
            const Outcome expected = solve({}, toy, given, task);
            CHECK(expected.digests.size() >= 4);
            for (const std::uint32_t devices : {1u, 2u, 3u, 5u}) CHECK(solve({devices}, toy, given, task) == expected);
        }
    }
}

TEST_CASE("first individuals of subpopulations on GPUs, with solutions to begin from too, are the CPU's") {
    test::check_first_individuals<Solver>({{"subpopulations", "5"}, {"size", "3"}, {"round", "1"}});
}

TEST_CASE("a state of subpopulations saved on a GPU continues on the CPU, and the other way round") {
    DeviceToy<> toy(Given{{"n", "9"}});
    const TestImprover<Anywhere<OneExchange>> improver(toy.host.get(), toy.problem.get());
    const Given given = {{"subpopulations", "3"}, {"size", "5"}, {"round", "3"}, {"exchange_every", "4"}};
    for (const qapfw_improver_ref* with : {static_cast<const qapfw_improver_ref*>(nullptr), improver.get()}) {
        test::check_resume_elsewhere<Solver>(toy, given, {12, 4, with}, 6);
        test::check_beyond_32_bits_on_devices<Solver>(toy, given, {12, 4, with});
    }
}

TEST_CASE("a round of subpopulations cut short on a GPU reports a real solution and leaves no trace in the state") {
    DeviceToy<> toy(Given{{"n", "9"}});
    // With an improver, the solver calls should_stop in every generation.
    const TestImprover<Anywhere<OneExchange>> improver(toy.host.get(), toy.problem.get());
    const Given given = {{"subpopulations", "3"}, {"size", "5"}, {"round", "4"}, {"exchange_every", "8"}};
    test::check_stopped_on_devices<Solver>(toy, given, improver.get(), {0, 1, 2, 3, 5, 8, 13, 18});
}
#endif
