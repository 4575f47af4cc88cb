// SPDX-License-Identifier: Apache-2.0
// Checks that hold for every solver with a population: resumed runs, interrupted rounds, warm starts.
#pragma once

#include <algorithm>
#include <atomic>
#include <numeric>
#include <utility>
#include <vector>

#include "tests/support/test_solver.hpp"
#include "tests/support/toy_problems.hpp"

namespace qapfw::test {

/// Runs the first `first` generations and saves the state. Another solver loads it and runs the rest of
/// task.generations.
template <class T>
Outcome solve_in_two_parts(const qapfw_host* host, const TestProblem<ToyOrdering>& problem, const Given& given,
                           const Task& task, std::uint64_t first) {
    StateBytes state;
    TestRun half(task.seed, first, problem.ref().solution_bytes());
    TestRun rest(task.seed, task.generations - first, problem.ref().solution_bytes(), true);
    TestSolver<T> one(host, problem.get(), given, task.improver), two(host, problem.get(), given, task.improver);
    one.run(*half.get());
    one.save(state);
    two.load(state);
    two.run(*rest.get());
    Outcome outcome{half.digests, rest.best_cost.i, rest.best, half.evaluations + rest.evaluations};
    outcome.digests.insert(outcome.digests.end(), rest.digests.begin(), rest.digests.end());
    return outcome;
}

/// Generation 2^32 - 2. The number of generation 2^32 is the first that needs more than 32 bits.
inline constexpr std::uint64_t kBefore32Bits = (std::uint64_t{1} << 32) - 2;

/// Checks runs from generation kBefore32Bits to beyond 2^32. A run that is saved and resumed in the middle must end
/// with the digest and the state of an uninterrupted run.
template <class T>
void check_beyond_32_bits(const qapfw_host* host, const TestProblem<ToyOrdering>& problem, const Given& given,
                          const Task& task) {
    StateBytes state;
    const auto go_on = [&](std::uint64_t generations) {
        TestSolver<T> solver(host, problem.get(), given, task.improver);
        TestRun run(task.seed, generations, problem.ref().solution_bytes(), true);
        solver.load(state);
        solver.run(*run.get());
        state = {};
        solver.save(state);
        return run.digests;
    };
    TestSolver<T> solver(host, problem.get(), given, task.improver);
    TestRun run(task.seed, task.generations, problem.ref().solution_bytes());
    solver.run(*run.get());
    solver.save(state);
    state.set_generation(kBefore32Bits);
    const StateBytes late = state;
    const std::uint64_t whole = go_on(2 * task.generations).back();
    const StateBytes whole_end = std::exchange(state, late);
    go_on(task.generations);
    CHECK(go_on(task.generations).back() == whole);
    CHECK(!state.differs_beyond_generation(whole_end));
}

/// Runs rounds in slices of at most `most` iterations, and saves and loads the state after each slice. The digests of
/// complete rounds must be those of rounds without slices.
template <class T, class Problem>
void check_slices(const qapfw_host* host, const TestProblem<Problem>& problem, const Given& given, const Task& task,
                  std::uint64_t most) {
    const Outcome whole = solve<T>(host, problem, given, task);
    struct Sliced {
        std::uint64_t most, left, slices = 0;
        bool is_slice = false, ends = false;
        std::vector<std::uint64_t> digests = {};
    } sliced{most, task.generations};
    StateBytes state;
    while (sliced.left > 0) {
        TestRun run(task.seed, sliced.left, problem.ref().solution_bytes(), sliced.slices > 0);
        qapfw_run services = *run.get();
        services.context = &sliced;
        services.begin_round = [](void* c, std::uint64_t wanted) -> std::uint64_t {
            auto* self = static_cast<Sliced*>(c);
            if (std::exchange(self->ends, false) || self->left == 0) return 0;
            self->is_slice = self->most < wanted;
            return std::min(self->most, wanted);
        };
        services.is_slice = [](void* c) -> std::int32_t { return static_cast<Sliced*>(c)->is_slice ? 1 : 0; };
        services.end_round = [](void* c, const qapfw_round* round) -> qapfw_status {
            auto* self = static_cast<Sliced*>(c);
            CHECK((round->is_slice != 0) == self->is_slice);
            CHECK((round->complete != 0) == !self->is_slice);
            if (round->complete != 0) self->digests.push_back(round->digest);
            self->left -= std::min(self->left, round->iterations);
            ++self->slices;
            self->ends = true;
            return QAPFW_OK;
        };
        services.statistic = [](void*, const char*, double) {};
        services.should_stop = [](void*) -> std::int32_t { return 0; };
        TestSolver<T> solver(host, problem.get(), given, task.improver);
        if (sliced.slices > 0) solver.load(state);
        solver.run(services);
        state = {};
        solver.save(state);
    }
    CHECK(sliced.digests == whole.digests);
    CHECK(sliced.slices > whole.digests.size());
}

/// A run whose should_stop returns 0 in the first `questions` calls and 1 from then on.
class StoppedRun {
  public:
    StoppedRun(std::uint64_t seed, int questions, std::uint64_t bytes) : left_(questions), bytes_(bytes) {
        services.struct_size = sizeof services;
        services.context = this;
        services.seed = seed;
        services.begin_round = [](void* c, std::uint64_t wanted) {
            return static_cast<StoppedRun*>(c)->incomplete == 0 ? wanted : 0;
        };
        services.end_round = [](void* c, const qapfw_round* round) -> qapfw_status {
            auto* self = static_cast<StoppedRun*>(c);
            self->generations += round->iterations;
            if (round->complete != 0)
                self->digests.push_back(round->digest);
            else
                ++self->incomplete;
            const auto* bytes_of = static_cast<const unsigned char*>(round->best_solution);
            self->best.assign(bytes_of, bytes_of + self->bytes_);
            self->cost = round->best_cost.i;
            return QAPFW_OK;
        };
        services.should_stop = [](void* c) -> std::int32_t { return --static_cast<StoppedRun*>(c)->left_ < 0 ? 1 : 0; };
        services.statistic = [](void*, const char*, double) {};
    }
    StoppedRun(const StoppedRun&) = delete;
    qapfw_run services{};
    std::uint64_t generations = 0, incomplete = 0;
    std::vector<std::uint64_t> digests;
    std::vector<unsigned char> best;
    std::int64_t cost = 0;

  private:
    std::atomic<int> left_;
    std::uint64_t bytes_;
};

/// Stops runs at many moments. Each stopped run must report a valid solution. When the run is resumed, it must end like
/// a run without a stop.
template <class T>
void check_stopped_rounds(const TestProblem<ToyOrdering>& problem, const TestHost& host, const Given& given,
                          const qapfw_improver_ref* improver) {
    const Task task{20, 3, improver};
    const Outcome whole = solve<T>(host.get(), problem, given, task);
    const std::uint64_t bytes = problem.ref().solution_bytes();
    for (const int questions : {0, 1, 5, 14, 15, 16, 17, 20, 40, 60, 90, 130, 170}) {
        StoppedRun stopped(3, questions, bytes);
        TestSolver<T> cut(host.get(), problem.get(), given, improver);
        cut.run(stopped.services);
        CHECK(stopped.incomplete == 1);
        CHECK(stopped.cost == problem.ref().evaluate_one(stopped.best.data()).i);
        if (stopped.generations >= 20) continue;
        StateBytes state;
        cut.save(state);
        TestSolver<T> again(host.get(), problem.get(), given, improver);
        again.load(state);
        TestRun rest(3, 20 - stopped.generations, bytes, true);
        again.run(*rest.get());
        std::vector<std::uint64_t> digests = stopped.digests;
        digests.insert(digests.end(), rest.digests.begin(), rest.digests.end());
        CHECK(digests == whole.digests);
        CHECK(rest.best == whole.best);
    }
}

/// Checks that a run never ends worse than the best of its warm starts, also with more warm starts than individuals.
template <class T>
void check_warm_starts(const TestProblem<ToyOrdering>& problem, const TestHost& host,
                       const std::vector<Given>& configurations, const Outcome& good) {
    const std::uint64_t bytes = problem.ref().solution_bytes();
    std::vector<unsigned char> warm(3 * bytes, 0);
    for (std::uint64_t k = 0; k < 2; ++k) {
        std::iota(sdk::permutation_of(warm.data() + k * bytes),
                  sdk::permutation_of(warm.data() + k * bytes) + problem.ref().length(), std::uint16_t{0});
    }
    std::copy(good.best.begin(), good.best.end(), warm.begin() + static_cast<std::ptrdiff_t>(2 * bytes));
    for (const Given& given : configurations) {
        TestRun run(99, 2, bytes);
        qapfw_run services = *run.get();
        std::vector<qapfw_cost> costs(3);
        services.initial = {warm.data(), costs.data(), 3};
        TestSolver<T> solver(host.get(), problem.get(), given);
        solver.run(services);
        CHECK(run.best_cost.i <= good.cost);
    }
}

}  // namespace qapfw::test
