// SPDX-License-Identifier: Apache-2.0
// Checks that hold for every solver whose population is divided among emulated GPUs.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <utility>
#include <vector>

#include "qapfw/sdk/free_positions.hpp"
#include "tests/support/device_toy.hpp"
#include "tests/support/solver_checks.hpp"
#include "tests/support/test_improver.hpp"

namespace qapfw::test {

/// The place where a run works: `devices` emulated GPUs, or the CPU if 0. `load`: the state that the run begins with,
/// or null. `save`: gets the state at the end, or null.
struct Place {
    std::uint32_t devices = 0;
    std::uint32_t shared_bytes = kMuchShared;
    StateBytes *load = nullptr, *save = nullptr;
};
template <class T>
Outcome solve_on(const Place& place, const DeviceToy<>& toy, const Given& given, const Task& task) {
    const EmulatedGpus gpus(toy.view, place.devices, place.shared_bytes);
    TestSolver<T> solver(toy.host.get(), toy.problem.get(), given, task.improver);
    REQUIRE(solver.status == QAPFW_OK);
    if (place.load != nullptr) solver.load(*place.load);
    TestRun run(task.seed, task.generations, toy.problem.ref().solution_bytes(), place.load != nullptr);
    qapfw_run services = *run.get();
    services.initial = task.initial;
    gpus.give_to(services);
    solver.run(services);
    if (place.save != nullptr) solver.save(*place.save);
    gpus.check_all_worked();
    return outcome(run, toy.problem);
}

/// Checks that generations 0 and 1 are the same on GPUs as on the CPU, also with more warm starts than individuals on
/// one GPU. `given` must have at least five groups, and rounds of one generation.
template <class T>
void check_first_individuals(const Given& given) {
    const DeviceToy<> toy(Given{{"n", "9"}, {"fix_first", "true"}});
    const TestImprover<Anywhere<OneExchange>> improver(toy.host.get(), toy.problem.get());
    const std::uint64_t bytes = toy.problem.ref().solution_bytes();
    std::vector<unsigned char> warm(9 * bytes);
    for (std::uint64_t w = 0; w < 9; ++w) {
        std::uint16_t* const solution = sdk::permutation_of(static_cast<void*>(warm.data() + w * bytes));
        sdk::base_solution(toy.problem.ref(), solution);
        std::swap(solution[1 + w % 7], solution[2 + w % 7]);
    }
    std::vector<Outcome> seen;
    for (const std::uint64_t count : {0u, 3u, 9u}) {
        for (const qapfw_improver_ref* with : {static_cast<const qapfw_improver_ref*>(nullptr), improver.get()}) {
            CAPTURE(count);
            const Task task{1, 6, with, {warm.data(), nullptr, count}};
            const Outcome expected = solve_on<T>({}, toy, given, task);
            CHECK(expected.digests.size() == 1);
            for (const std::uint32_t devices : {1u, 2u, 5u})
                CHECK(solve_on<T>({devices}, toy, given, task) == expected);
            CHECK(solve_on<T>({1, kNoShared}, toy, given, task) == expected);
            CHECK(std::find(seen.begin(), seen.end(), expected) == seen.end());
            seen.push_back(expected);
        }
    }
}

/// Checks that a state saved after `first` generations can be resumed on other devices (CPU or GPUs). The result must
/// be that of the whole run on the CPU.
template <class T>
void check_resume_elsewhere(const DeviceToy<>& toy, const Given& given, const Task& task, std::uint64_t first) {
    const Outcome whole = solve_on<T>({}, toy, given, task);
    for (const auto& [from, to] : {std::pair{0u, 1u}, {1u, 0u}, {1u, 2u}, {2u, 1u}}) {
        StateBytes state;
        Outcome half = solve_on<T>({from, kMuchShared, nullptr, &state}, toy, given, {first, task.seed, task.improver});
        const Outcome rest = solve_on<T>({to, kMuchShared, &state, nullptr}, toy, given,
                                         {task.generations - first, task.seed, task.improver});
        half.digests.insert(half.digests.end(), rest.digests.begin(), rest.digests.end());
        CHECK(half.digests == whole.digests);
        CHECK(rest.best == whole.best);
        CHECK(half.evaluations + rest.evaluations == whole.evaluations);
    }
}

/// Checks that generations with numbers above 2^32 have the same results on GPUs as on the CPU.
template <class T>
void check_beyond_32_bits_on_devices(const DeviceToy<>& toy, const Given& given, const Task& task) {
    StateBytes state;
    solve_on<T>({0, kMuchShared, nullptr, &state}, toy, given, task);
    state.set_generation(kBefore32Bits);
    const Outcome expected = solve_on<T>({0, kMuchShared, &state, nullptr}, toy, given, task);
    for (const std::uint32_t devices : {1u, 2u})
        CHECK(solve_on<T>({devices, kMuchShared, &state, nullptr}, toy, given, task) == expected);
    check_beyond_32_bits<T>(toy.host.get(), toy.problem, given, task);
}

/// For each number q in `questions`, runs on GPUs until q calls of should_stop have returned 0. The stopped run must
/// report a valid solution. After it is resumed on the CPU, it must end like a run that was never stopped.
template <class T>
void check_stopped_on_devices(const DeviceToy<>& toy, const Given& given, const qapfw_improver_ref* improver,
                              std::initializer_list<int> questions, std::uint32_t devices = 2) {
    const Outcome expected = solve_on<T>({}, toy, given, {20, 3, improver});
    for (const int asked : questions) {
        CAPTURE(asked);
        const EmulatedGpus gpus(toy.view, devices, kMuchShared);
        StoppedRun stopped(3, asked, toy.problem.ref().solution_bytes());
        gpus.give_to(stopped.services);
        TestSolver<T> cut(toy.host.get(), toy.problem.get(), given, improver);
        cut.run(stopped.services);
        CHECK(stopped.incomplete == 1);
        CHECK(stopped.cost == toy.problem.ref().evaluate_one(stopped.best.data()).i);
        REQUIRE(stopped.generations < 20);
        StateBytes state;
        cut.save(state);
        const Outcome rest =
            solve_on<T>({0, kMuchShared, &state, nullptr}, toy, given, {20 - stopped.generations, 3, improver});
        CHECK(rest.best == expected.best);
        CHECK(rest.digests.back() == expected.digests.back());
    }
}

/// Checks that the places of all GPUs call the improver at the same time, and that each place has one workspace. The
/// outcome must be that of the CPU. `given` must have at least five groups.
template <class T>
void check_side_by_side(const Given& given, std::uint64_t generations, std::uint32_t places_on_gpu = 1) {
    const DeviceToy<> toy(Given{{"n", "6"}});
    const TestImprover<Anywhere<OneExchange>> alone(toy.host.get(), toy.problem.get());
    const Outcome expected = solve_on<T>({}, toy, given, {generations, 6, alone.get()});
    for (const std::uint32_t devices : {1u, 2u, 3u, 5u}) {
        CAPTURE(devices);
        const TestImprover<Meeting<OneExchange>> together(toy.host.get(), toy.problem.get());
        CHECK(solve_on<T>({devices}, toy, given, {generations, 6, together.get()}) == expected);
        CHECK(together.object().calls->workspaces ==
              static_cast<int>(std::min(devices * std::clamp(5u / devices, 1u, places_on_gpu), 5u)));
        CHECK(together.object().calls->arrived.size() >= generations);
        CHECK(!together.object().calls->in_vain);
    }
}

/// Checks that a failure of the improver on one of several GPUs ends the run with the failure's message.
template <class T>
void check_failing_share(const Given& given) {
    const DeviceToy<> toy(Given{{"n", "6"}});
    const TestImprover<Failing> improver(toy.host.get(), toy.problem.get());
    const EmulatedGpus gpus(toy.view, 3, kMuchShared);
    TestSolver<T> solver(toy.host.get(), toy.problem.get(), given, improver.get());
    TestRun run(3, 20, toy.problem.ref().solution_bytes());
    qapfw_run services = *run.get();
    gpus.give_to(services);
    CHECK(solver.run_status(services) == QAPFW_ERROR_MEMORY);
    CHECK(toy.host.error == "no memory is left for generation 2");
}

}  // namespace qapfw::test
