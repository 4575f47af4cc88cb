// SPDX-License-Identifier: Apache-2.0
// What the tests of PGAGrid share: solvers as the framework makes them, threads, an improver, problems with real costs.
#pragma once

#include <algorithm>
#include <atomic>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "plugins/pga_grid/pga_grid_solver.hpp"
#include "tests/support/test_host.hpp"
#include "tests/support/toy_problems.hpp"

namespace qapfw::test {

using Given = std::map<std::string, std::string>;

/// A host whose loops run on two real threads.
class TwoThreads {
  public:
    explicit TwoThreads(const TestHost& base) : host_(*base.get()) { host_.parallel_for = &loop; }
    const qapfw_host* get() const { return &host_; }

  private:
    static qapfw_status loop(void*, std::uint64_t count, qapfw_loop_body body, void* user) {
        std::atomic<std::uint64_t> next{0};
        std::atomic<qapfw_status> result{QAPFW_OK};
        const auto work = [&](std::uint32_t worker) {
            for (std::uint64_t k = next++; k < count; k = next++) {
                if (const qapfw_status status = body(user, k, worker); status != QAPFW_OK) result = status;
            }
        };
        std::thread second(work, 1);
        work(0);
        second.join();
        return result;
    }
    qapfw_host host_;
};

/// A host with one worker.
inline qapfw_host one_worker(const TestHost& base) {
    qapfw_host host = *base.get();
    host.worker_count = 1;
    host.parallel_for = [](void*, std::uint64_t count, qapfw_loop_body body, void* user) -> qapfw_status {
        for (std::uint64_t k = count; k-- > 0;) {  // backwards: the order must not matter
            if (const qapfw_status status = body(user, k, 0); status != QAPFW_OK) return status;
        }
        return QAPFW_OK;
    };
    return host;
}

/// A solver behind its C functions.
class Solver {
  public:
    using Table = sdk::SolverTrampolines<pga_grid::PgaGridSolver>;

    Solver(const qapfw_host* host, const qapfw_problem_ref* problem, const Given& given,
           const qapfw_improver_ref* improver = nullptr)
        : values_(Values::of<pga_grid::PgaGridSolver>(given)) {
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

/// Exchanges neighbours where that is an improvement, in one sweep.
class SweepImprover {
  public:
    static constexpr qapfw_parameter kParameters[] = {{.name = "unused",
                                                       .type = QAPFW_PARAMETER_INTEGER,
                                                       .flags = 0,
                                                       .default_text = "0",
                                                       .minimum = 0,
                                                       .maximum = 1,
                                                       .choices = nullptr,
                                                       .unit = nullptr,
                                                       .symbol = nullptr,
                                                       .summary = "Nothing."}};
    SweepImprover(const sdk::Host&, const sdk::Parameters&, const sdk::ProblemRef& p) : problem(p) {}
    class Workspace {
      public:
        explicit Workspace(const SweepImprover& improver) : problem_(improver.problem) {}
        std::uint64_t improve(const qapfw_batch& batch, const qapfw_improve_request&) {
            CHECK(problem_.evaluate_one(batch.solutions).i == batch.costs->i);  // right on entry
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

/// ToyOrdering with a quarter of its cost as a real number.
class RealOrdering : public ToyOrdering {
  public:
    using ToyOrdering::kParameters;
    RealOrdering(const sdk::Host& host, const sdk::Parameters& parameters)
        : ToyOrdering(host, parameters), info_(ToyOrdering::info()) {
        info_.cost_kind = QAPFW_COST_FLOAT64;
    }
    const qapfw_problem_info& info() const { return info_; }
    void evaluate(const qapfw_batch& batch) const {
        ToyOrdering::evaluate(batch);
        for (std::uint64_t k = 0; k < batch.count; ++k) {
            batch.costs[k].f = static_cast<double>(batch.costs[k].i) / 4;
        }
    }

  private:
    qapfw_problem_info info_;
};

inline bool is_permutation_of_all(const std::uint16_t* p, std::uint32_t n) {
    std::vector<bool> seen(n, false);
    for (std::uint32_t k = 0; k < n; ++k) {
        if (p[k] >= n || seen[p[k]]) return false;
        seen[p[k]] = true;
    }
    return true;
}

}  // namespace qapfw::test
