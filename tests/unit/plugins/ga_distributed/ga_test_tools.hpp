// SPDX-License-Identifier: Apache-2.0
// What the tests of the genetic algorithms share: solvers behind their C functions, threads, an improver, brute force.
#pragma once

#include <algorithm>
#include <atomic>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/test_host.hpp"
#include "tests/support/toy_problems.hpp"

namespace qapfw::test {
inline namespace ga {  // other tests of the same program have tools with the same names

using Given = std::map<std::string, std::string>;

/// A host whose loops run on `workers` real threads.
class ThreadedHost {
  public:
    explicit ThreadedHost(const TestHost& base, std::uint32_t workers) : host_(*base.get()) {
        host_.worker_count = workers;
        host_.parallel_for = workers == 1 ? &loop<1> : workers == 2 ? &loop<2> : &loop<5>;
    }
    const qapfw_host* get() const { return &host_; }

  private:
    template <std::uint32_t kWorkers>
    static qapfw_status loop(void*, std::uint64_t count, qapfw_loop_body body, void* user) {
        std::atomic<std::uint64_t> next{0};
        std::atomic<qapfw_status> result{QAPFW_OK};
        std::vector<std::thread> threads;
        for (std::uint32_t worker = 0; worker < kWorkers; ++worker) {
            threads.emplace_back([&, worker] {
                for (std::uint64_t k = next++; k < count; k = next++) {
                    if (const qapfw_status status = body(user, k, worker); status != QAPFW_OK) result = status;
                }
            });
        }
        for (std::thread& thread : threads) thread.join();
        return result;
    }
    qapfw_host host_;
};

/// A solver behind its C functions.
template <class T>
class Solver {
  public:
    using Table = sdk::SolverTrampolines<T>;

    Solver(const qapfw_host* host, const qapfw_problem_ref* problem, const Given& given,
           const qapfw_improver_ref* improver = nullptr)
        : values_(Values::of<T>(given, sdk::ProblemRef(problem).n())) {
        status = Table::create(host, values_.get(), problem, improver, &solver_);
    }
    Solver(const Solver&) = delete;
    ~Solver() {
        if (solver_ != nullptr) Table::destroy(solver_);
    }
    void run(const qapfw_run& run) { REQUIRE(Table::run(solver_, &run) == QAPFW_OK); }
    qapfw_status run_status(const TestRun& run) { return Table::run(solver_, run.get()); }
    void save(StateBytes& state) {
        const qapfw_writer writer = state.writer();
        REQUIRE(Table::save(solver_, &writer) == QAPFW_OK);
    }
    void load(StateBytes& state) {
        const qapfw_reader reader = state.reader();
        REQUIRE(Table::load(solver_, &reader) == QAPFW_OK);
    }
    qapfw_status status = QAPFW_OK;

  private:
    Values values_;
    qapfw_solver* solver_ = nullptr;
};

/// Tries one random exchange: an improver whose draws show which coordinates it was given.
struct OneExchange {
    OneExchange(const sdk::Host&, const sdk::Parameters&, const sdk::ProblemRef& p) : problem(p) {}
    struct Workspace {
        explicit Workspace(const OneExchange& improver) : problem(improver.problem) {}
        std::uint64_t improve(const qapfw_batch& batch, const qapfw_improve_request& request) {
            for (std::uint64_t k = 0; k < batch.count; ++k) {
                auto* p = sdk::permutation_of(sdk::solution_at(batch.solutions, problem.solution_bytes(), k));
                const kernels::Philox4 words =
                    kernels::draw4(request.seed, std::uint64_t{request.generation} << 32,
                                   request.first_individual + static_cast<std::uint32_t>(k), request.stream, 0);
                std::uint16_t& a = p[kernels::below(words.word[0], problem.length())];
                std::uint16_t& b = p[kernels::below(words.word[1], problem.length())];
                std::swap(a, b);
                const qapfw_cost swapped = problem.evaluate_one(p);
                if (swapped.i < batch.costs[k].i)
                    batch.costs[k] = swapped;
                else
                    std::swap(a, b);
            }
            return batch.count;
        }
        sdk::ProblemRef problem;
    };
    sdk::ProblemRef problem;
};

struct Improver {
    Improver(const qapfw_host* host, const qapfw_problem_ref* problem) {
        using Table = sdk::ImproverTrampolines<OneExchange>;
        Values values = Values::of<OneExchange>({});
        REQUIRE(Table::create(host, values.get(), problem, &object) == QAPFW_OK);
        ref = {sizeof ref, object, &Table::table, Table::get_capability, "test"};
    }
    Improver(const Improver&) = delete;
    ~Improver() { ref.table->destroy(object); }
    qapfw_improver* object = nullptr;
    qapfw_improver_ref ref{};
};

inline std::int64_t brute_force(TestProblem<ToyOrdering>& problem, bool fixed_first = false) {
    std::vector<std::uint16_t> p(problem.ref().length());
    std::iota(p.begin(), p.end(), std::uint16_t{0});
    std::optional<std::int64_t> best;
    do {
        if (fixed_first && p[0] != 2) continue;
        best = std::min(best.value_or(problem.object().cost(p.data())), problem.object().cost(p.data()));
    } while (std::next_permutation(p.begin(), p.end()));
    return *best;
}

/// What a run reported: one entry per round in `digests`, costs and iterations of the last one.
struct Outcome {
    std::vector<std::uint64_t> digests;
    std::int64_t cost = 0;
    std::vector<unsigned char> best;
    std::uint64_t evaluations = 0;
    bool operator==(const Outcome&) const = default;
};

struct Task {
    std::uint64_t generations = 100;
    std::uint64_t seed = 3;
    const qapfw_improver_ref* improver = nullptr;
};

template <class T>
Outcome solve(const qapfw_host* host, TestProblem<ToyOrdering>& problem, const Given& given, const Task& task) {
    Solver<T> solver(host, problem.get(), given, task.improver);
    REQUIRE(solver.status == QAPFW_OK);
    TestRun run(task.seed, task.generations, problem.ref().solution_bytes());
    solver.run(*run.get());
    const auto* p = sdk::permutation_of(static_cast<const void*>(run.best.data()));
    CHECK(run.best_cost.i == problem.object().cost(p));
    return {run.digests, run.best_cost.i, run.best, run.evaluations};
}

/// The first `first` generations, saved and loaded into a fresh solver for the rest of task.generations.
template <class T>
Outcome solve_in_two_parts(const qapfw_host* host, TestProblem<ToyOrdering>& problem, const Given& given,
                           const Task& task, std::uint64_t first) {
    StateBytes state;
    TestRun half(task.seed, first, problem.ref().solution_bytes());
    TestRun rest(task.seed, task.generations - first, problem.ref().solution_bytes(), true);
    Solver<T> one(host, problem.get(), given, task.improver), two(host, problem.get(), given, task.improver);
    one.run(*half.get());
    one.save(state);
    two.load(state);
    two.run(*rest.get());
    Outcome outcome{half.digests, rest.best_cost.i, rest.best, half.evaluations + rest.evaluations};
    outcome.digests.insert(outcome.digests.end(), rest.digests.begin(), rest.digests.end());
    return outcome;
}

/// A run whose should_stop says yes after so many questions.
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

/// Stops a run at many moments; each time it must report a real solution, and go on exactly from its saved state.
template <class T>
void check_stopped_rounds(TestProblem<ToyOrdering>& problem, const TestHost& host, const Given& given,
                          const qapfw_improver_ref* improver) {
    const Task task{20, 3, improver};
    const Outcome whole = solve<T>(host.get(), problem, given, task);
    const std::uint64_t bytes = problem.ref().solution_bytes();
    for (const int questions : {0, 1, 5, 14, 15, 16, 17, 20, 40, 60, 90, 130, 170}) {
        StoppedRun stopped(3, questions, bytes);
        Solver<T> cut(host.get(), problem.get(), given, improver);
        cut.run(stopped.services);
        CHECK(stopped.incomplete == 1);
        CHECK(stopped.cost ==
              problem.object().cost(sdk::permutation_of(static_cast<const void*>(stopped.best.data()))));
        if (stopped.generations >= 20) continue;
        StateBytes state;
        cut.save(state);
        Solver<T> again(host.get(), problem.get(), given, improver);
        again.load(state);
        TestRun rest(3, 20 - stopped.generations, bytes, true);
        again.run(*rest.get());
        std::vector<std::uint64_t> digests = stopped.digests;
        digests.insert(digests.end(), rest.digests.begin(), rest.digests.end());
        CHECK(digests == whole.digests);
        CHECK(rest.best == whole.best);
    }
}

/// A run never ends worse than the best of its warm starts, also with more of them than individuals.
template <class T>
void check_warm_starts(TestProblem<ToyOrdering>& problem, const TestHost& host,
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
        Solver<T> solver(host.get(), problem.get(), given);
        solver.run(services);
        CHECK(run.best_cost.i <= good.cost);
    }
}

}  // namespace ga
}  // namespace qapfw::test
