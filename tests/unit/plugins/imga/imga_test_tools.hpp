// SPDX-License-Identifier: Apache-2.0
// What the tests of the island model GA share: solvers as the framework makes them, threads, an improver.
#pragma once

#include <algorithm>
#include <atomic>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "plugins/imga/imga_solver.hpp"
#include "tests/support/test_host.hpp"
#include "tests/support/toy_bays.hpp"
#include "tests/support/toy_problems.hpp"

namespace qapfw::test {

using Given = std::map<std::string, std::string>;

/// A host whose loops run on `kWorkers` real threads, in any order.
template <std::uint32_t kWorkers>
class ThreadedHost {
  public:
    explicit ThreadedHost(const TestHost& base) : host_(*base.get()) {
        host_.worker_count = kWorkers;
        host_.parallel_for = &loop;
    }
    const qapfw_host* get() const { return &host_; }

  private:
    static qapfw_status loop(void*, std::uint64_t count, qapfw_loop_body body, void* user) {
        std::atomic<std::uint64_t> next{0};
        std::atomic<qapfw_status> result{QAPFW_OK};
        std::vector<std::thread> threads;
        for (std::uint32_t worker = 0; worker < kWorkers && worker < count; ++worker) {
            threads.emplace_back([&, worker] {
                for (std::uint64_t k = next++; k < count; k = next++) {
                    if (const qapfw_status status = body(user, count - 1 - k, worker); status != QAPFW_OK) {
                        result = status;
                    }
                }
            });
        }
        for (std::thread& thread : threads) thread.join();
        return result;
    }
    qapfw_host host_;
};

/// A solver behind its C functions.
class Solver {
  public:
    using Table = sdk::SolverTrampolines<imga::ImgaSolver>;

    Solver(const qapfw_host* host, const qapfw_problem_ref* problem, const Given& given,
           const qapfw_improver_ref* improver = nullptr)
        : values_(Values::of<imga::ImgaSolver>(given)) {
        status = Table::create(host, values_.get(), problem, improver, &solver_);
    }
    Solver(const Solver&) = delete;
    ~Solver() {
        if (solver_ != nullptr) Table::destroy(solver_);
    }
    void run(const qapfw_run& run) { REQUIRE(Table::run(solver_, &run) == QAPFW_OK); }
    void save(StateBytes& state) {
        const qapfw_writer writer = state.writer();
        REQUIRE(Table::save(solver_, &writer) == QAPFW_OK);
    }
    qapfw_status load(StateBytes& state) {
        const qapfw_reader reader = state.reader();
        return Table::load(solver_, &reader);
    }

    qapfw_status status = QAPFW_OK;

  private:
    Values values_;
    qapfw_solver* solver_ = nullptr;
};

/// Exchanges neighbours where that is an improvement, in one sweep; checks the cost that it is given.
class SweepImprover {
  public:
    static constexpr qapfw_parameter kParameters[] = {imga::integer("unused", "0", 0, 1, nullptr, nullptr, "Nothing.")};
    SweepImprover(const sdk::Host&, const sdk::Parameters&, const sdk::ProblemRef& p) : problem(p) {}
    class Workspace {
      public:
        explicit Workspace(const SweepImprover& improver) : problem_(improver.problem) {}
        std::uint64_t improve(const qapfw_batch& batch, const qapfw_improve_request&) {
            CHECK(problem_.evaluate_one(batch.solutions).i == batch.costs->i);
            std::uint16_t* const p = sdk::permutation_of(batch.solutions);
            std::uint64_t evaluations = 0;
            for (std::uint32_t k = 1; k < problem_.length(); ++k, ++evaluations) {
                std::swap(p[k - 1], p[k]);
                const qapfw_cost swapped = problem_.evaluate_one(batch.solutions);
                if (problem_.less()(swapped, *batch.costs))
                    *batch.costs = swapped;
                else
                    std::swap(p[k - 1], p[k]);
            }
            return evaluations;
        }

      private:
        sdk::ProblemRef problem_;
    };
    sdk::ProblemRef problem;
};

class TestImprover {
  public:
    TestImprover(const qapfw_host* host, const qapfw_problem_ref* problem) : values_(Values::of<SweepImprover>({})) {
        using Table = sdk::ImproverTrampolines<SweepImprover>;
        REQUIRE(Table::create(host, values_.get(), problem, &improver_) == QAPFW_OK);
        ref_ = {sizeof ref_, improver_, &Table::table, Table::get_capability, "test"};
    }
    TestImprover(const TestImprover&) = delete;
    ~TestImprover() { ref_.table->destroy(improver_); }
    const qapfw_improver_ref* get() const { return &ref_; }

  private:
    Values values_;
    qapfw_improver* improver_ = nullptr;
    qapfw_improver_ref ref_{};
};

struct Outcome {
    std::vector<std::uint64_t> digests;
    std::int64_t cost_bits = 0;
    std::uint64_t evaluations = 0;
    bool operator==(const Outcome&) const = default;
};

inline Outcome outcome(const TestRun& run) {
    return {run.digests, run.best_cost.i, run.evaluations};
}

template <class Problem>
Outcome solve(const qapfw_host* host, TestProblem<Problem>& problem, const Given& given, std::uint64_t iterations,
              const qapfw_improver_ref* improver = nullptr, std::uint64_t seed = 3) {
    Solver solver(host, problem.get(), given, improver);
    REQUIRE(solver.status == QAPFW_OK);
    TestRun run(seed, iterations, problem.ref().solution_bytes());
    solver.run(*run.get());
    CHECK(problem.ref().evaluate_one(run.best.data()).i == run.best_cost.i);
    return outcome(run);
}

/// Small islands, so that tests are fast.
inline Given small_islands(Given given = {}) {
    given.insert({{"islands", "4"}, {"size", "10"}, {"migrate_every", "3"}, {"migrants", "2"}});
    given.insert({"mutation_rate", "0.3"});
    return given;
}

}  // namespace qapfw::test
