// SPDX-License-Identifier: Apache-2.0
// The device code of the distributed GA on an emulated GPU: same trajectory as on the CPU.
#include <doctest/doctest.h>

#include "plugins/ga_distributed/ga_distributed_solver.hpp"
#include "tests/unit/plugins/ga_distributed/ga_device_test_tools.hpp"

#if !defined(__SANITIZE_THREAD__)  // fibers confuse the thread sanitizer
namespace {

using namespace qapfw;
using ga_distributed::GaDistributed;
using test::DeviceToy;
using test::Given;
using test::ImproverAnywhere;
using test::kMuchShared;
using test::kNoShared;
using test::Outcome;
using test::Place;
using test::Task;

Outcome solve(const Place& place, DeviceToy& toy, const Given& given, const Task& task) {
    return test::solve_on<GaDistributed>(place, toy, given, task);
}

}  // namespace

TEST_CASE(
    "subpopulations on a GPU follow the CPU's trajectory on sizes from 1 to beyond a warp, in shared memory or not") {
    for (const char* n : {"1", "2", "3", "9", "40"}) {
        for (const char* crossover : {"pmx", "ox"}) {
            CAPTURE(n);
            CAPTURE(crossover);
            DeviceToy toy(Given{{"n", n}});
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
    DeviceToy toy(Given{{"n", "9"}, {"fix_first", "true"}});
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
    DeviceToy toy(Given{{"n", "12"}});
    const ImproverAnywhere improver(toy.host.get(), toy.problem.get());
    for (const char* share : {"1", "0.1", "0"}) {
        for (const qapfw_improver_ref* with : {static_cast<const qapfw_improver_ref*>(nullptr), &improver.ref}) {
            const Given given = {
                {"subpopulations", "5"}, {"size", "6"}, {"exchange_every", "4"}, {"exchange_share", share}};
            const Task task{13, 6, with};
            const Outcome expected = solve({}, toy, given, task);
            CHECK(expected.digests.size() >= 4);
            for (const std::uint32_t devices : {1u, 2u, 3u}) CHECK(solve({devices}, toy, given, task) == expected);
        }
    }
}

TEST_CASE("a state of subpopulations saved on a GPU goes on on the CPU and the other way round") {
    DeviceToy toy(Given{{"n", "9"}});
    const ImproverAnywhere improver(toy.host.get(), toy.problem.get());
    const Given given = {{"subpopulations", "3"}, {"size", "5"}, {"round", "3"}, {"exchange_every", "4"}};
    for (const qapfw_improver_ref* with : {static_cast<const qapfw_improver_ref*>(nullptr), &improver.ref}) {
        test::check_resume_elsewhere<GaDistributed>(toy, given, {12, 4, with}, 6);
    }
}

TEST_CASE("a round of subpopulations cut short on a GPU reports a real solution and leaves no trace in the state") {
    DeviceToy toy(Given{{"n", "9"}});
    const ImproverAnywhere improver(toy.host.get(), toy.problem.get());  // with one, a stop is seen every generation
    const Given given = {{"subpopulations", "3"}, {"size", "5"}, {"round", "4"}, {"exchange_every", "8"}};
    const Outcome expected = solve({}, toy, given, {20, 3, &improver.ref});
    for (const int questions : {0, 3, 16, 17, 18, 20, 25}) {
        const test::EmulatedGpus gpus(toy, 2, kMuchShared);
        test::StoppedRun stopped(3, questions, toy.problem.ref().solution_bytes());
        gpus.give_to(stopped.services);
        test::Solver<GaDistributed> cut(toy.host.get(), toy.problem.get(), given, &improver.ref);
        cut.run(stopped.services);
        CHECK(stopped.incomplete == 1);
        CHECK(stopped.cost ==
              toy.problem.object().cost(sdk::permutation_of(static_cast<const void*>(stopped.best.data()))));
        REQUIRE(stopped.generations < 20);
        test::StateBytes state;
        cut.save(state);
        const Outcome rest =
            solve({0, kMuchShared, &state, nullptr}, toy, given, {20 - stopped.generations, 3, &improver.ref});
        CHECK(rest.best == expected.best);
        CHECK(rest.digests.back() == expected.digests.back());
    }
}
#endif
