// SPDX-License-Identifier: Apache-2.0
// Checks that the solver ga_independent has the same trajectory on an emulated GPU as on the CPU.
#include <doctest/doctest.h>

#include "plugins/ga_independent/ga_independent.hpp"
#include "tests/support/device_checks.hpp"
#include "tests/unit/plugins/ga_independent/target_run.hpp"

using namespace qapfw;

TEST_CASE("the individuals of all GPUs are improved side by side") {
    const test::Given given = {{"blocks", "5"}, {"size", "4"}, {"restart_share", "0"}, {"round", "3"}};
    test::check_side_by_side<sdk::PopulationSolver<ga_independent::GaIndependent>>(given, 8);
    test::check_failing_share<sdk::PopulationSolver<ga_independent::GaIndependent>>(given);
}

#if !defined(QAPFW_THREAD_SANITIZER)  // emulated GPUs are slow with this sanitizer: only the case above runs
namespace {

using Solver = sdk::PopulationSolver<ga_independent::GaIndependent>;
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

TEST_CASE("blocks on a GPU follow the CPU's trajectory on sizes from 1 to beyond a warp, in shared memory or not") {
    for (const char* n : {"1", "2", "3", "9", "40"}) {
        for (const char* crossover : {"pmx", "ox"}) {
            CAPTURE(n);
            CAPTURE(crossover);
            DeviceToy<> toy(Given{{"n", n}});
            const Given given = {{"blocks", "2"}, {"size", "7"},          {"crossover", crossover},
                                 {"round", "4"},  {"restart_check", "3"}, {"mutation_rate", "0.4"}};
            const Task task{10, 6, nullptr};
            const Outcome expected = solve({}, toy, given, task);
            CHECK(expected.digests.size() == 3);
            CHECK(solve({1, kMuchShared}, toy, given, task) == expected);
            CHECK(solve({1, kNoShared}, toy, given, task) == expected);
        }
    }
}

TEST_CASE("blocks of one individual, larger than a GPU's block, and with a fixed position") {
    DeviceToy<> toy(Given{{"n", "9"}, {"fix_first", "true"}});
    for (const char* size : {"1", "2", "300"}) {
        CAPTURE(size);
        const Given given = {{"blocks", "2"}, {"size", size}, {"restart_check", "2"}, {"mutation_per", "position"}};
        const Task task{4, 5, nullptr};
        const Outcome expected = solve({}, toy, given, task);
        CHECK(sdk::permutation_of(static_cast<const void*>(expected.best.data()))[0] == 2);
        CHECK(solve({1, kMuchShared}, toy, given, task) == expected);
        CHECK(solve({1, kNoShared}, toy, given, task) == expected);
    }
}

TEST_CASE("one GPU, several GPUs and the CPU agree, with and without an improver, over restarts") {
    DeviceToy<> toy(Given{{"n", "8"}});
    const TestImprover<Anywhere<OneExchange>> improver(toy.host.get(), toy.problem.get());
    const Given given = {{"blocks", "5"}, {"size", "6"}, {"round", "8"}, {"restart_check", "5"}};
    for (const qapfw_improver_ref* with : {static_cast<const qapfw_improver_ref*>(nullptr), improver.get()}) {
        const Task task{40, 6, with};
        const Outcome expected = solve({}, toy, given, task);
        CHECK(expected.evaluations > 41 * 30);  // some blocks restarted
        for (const std::uint32_t devices : {1u, 2u, 3u, 5u}) CHECK(solve({devices}, toy, given, task) == expected);
    }
}

TEST_CASE("first individuals of blocks on GPUs, with solutions to begin from too, are the CPU's") {
    test::check_first_individuals<Solver>({{"blocks", "5"}, {"size", "3"}, {"round", "1"}});
}

TEST_CASE("a state of blocks saved on a GPU continues on the CPU, and the other way round") {
    DeviceToy<> toy(Given{{"n", "9"}});
    const TestImprover<Anywhere<OneExchange>> improver(toy.host.get(), toy.problem.get());
    const Given given = {{"blocks", "3"}, {"size", "5"}, {"round", "3"}, {"restart_check", "4"}};
    for (const qapfw_improver_ref* with : {static_cast<const qapfw_improver_ref*>(nullptr), improver.get()}) {
        test::check_resume_elsewhere<Solver>(toy, given, {12, 4, with}, 6);
        test::check_beyond_32_bits_on_devices<Solver>(toy, given, {12, 4, with});
    }
}

TEST_CASE("all blocks on all GPUs stop at the generation in which the CPU's first one reaches the target") {
    DeviceToy<> toy(Given{{"n", "8"}});
    const TestImprover<Anywhere<OneExchange>> improver(toy.host.get(), toy.problem.get());
    const std::int64_t optimum = test::brute_force(toy.problem.object());
    const Given given = {{"blocks", "5"}, {"size", "8"}, {"round", "400"}, {"restart_check", "7"}};
    for (const qapfw_improver_ref* with : {static_cast<const qapfw_improver_ref*>(nullptr), improver.get()}) {
        test::TargetRun expected(8, optimum);
        test::TestSolver<Solver> on_cpu(toy.host.get(), toy.problem.get(), given, with);
        on_cpu.run(expected.services);
        CHECK(expected.cost == optimum);
        CHECK(expected.generations < 400);
        for (const auto& [devices, shared] : {std::pair{1u, kMuchShared}, {1u, kNoShared}, {2u, kMuchShared}}) {
            const test::EmulatedGpus gpus(toy.view, devices, shared);
            test::TargetRun run(8, optimum);
            gpus.give_to(run.services);
            test::TestSolver<Solver> solver(toy.host.get(), toy.problem.get(), given, with);
            solver.run(run.services);
            CHECK(run.generations == expected.generations);
            CHECK(run.digests == expected.digests);
            CHECK(run.statistics == expected.statistics);
            CHECK(run.evaluations == expected.evaluations);
        }
    }
}

TEST_CASE(
    "with the asynchronous found flag the target is reached as well, and the run says that it is not repeatable") {
    DeviceToy<> toy(Given{{"n", "8"}});
    const std::int64_t optimum = test::brute_force(toy.problem.object());
    const Given given = {{"blocks", "4"}, {"size", "8"}, {"round", "400"}, {"found_flag", "asynchronous"}};
    for (const std::uint32_t devices : {0u, 1u, 2u}) {
        const test::EmulatedGpus gpus(toy.view, devices, kMuchShared);
        test::TargetRun run(8, optimum);
        gpus.give_to(run.services);
        test::TestSolver<Solver> solver(toy.host.get(), toy.problem.get(), given);
        solver.run(run.services);
        CHECK(run.cost == optimum);
        CHECK(run.statistics.at("reproducible") == 0);
        CHECK(run.generations <= 400);
    }
}

TEST_CASE("a round cut short on a GPU is reported with a real solution and leaves no trace in the saved state") {
    DeviceToy<> toy(Given{{"n", "9"}});
    // With an improver, the solver calls should_stop in every generation.
    const TestImprover<Anywhere<OneExchange>> improver(toy.host.get(), toy.problem.get());
    const Given given = {{"blocks", "3"}, {"size", "5"}, {"round", "4"}};
    test::check_stopped_on_devices<Solver>(toy, given, improver.get(), {0, 1, 2, 3, 5, 8, 13, 18});
}
#endif
