// SPDX-License-Identifier: Apache-2.0
// What the tests of the cunning ant system share: solvers as the framework makes them, threads, chi-square.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "plugins/cas/cas_solver.hpp"
#include "plugins/cas/device_share.hpp"
#include "tests/support/test_host.hpp"
#include "tests/support/toy_problems.hpp"

namespace qapfw::test {

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
class Solver {
  public:
    using Table = sdk::SolverTrampolines<cas::CasSolver>;

    Solver(const qapfw_host* host, const qapfw_problem_ref* problem, const Given& given,
           const qapfw_improver_ref* improver = nullptr)
        : values_(Values::of<cas::CasSolver>(given, sdk::ProblemRef(problem).n())) {
        status = Table::create(host, values_.get(), problem, improver, &solver_);
    }
    Solver(const Solver&) = delete;
    ~Solver() {
        if (solver_ != nullptr) Table::destroy(solver_);
    }
    void run(const TestRun& run) { REQUIRE(Table::run(solver_, run.get()) == QAPFW_OK); }
    void run(const qapfw_run& run) { REQUIRE(Table::run(solver_, &run) == QAPFW_OK); }
    qapfw_status run_status(const TestRun& run) { return Table::run(solver_, run.get()); }
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

/// Sum of (observed - expected)^2 / expected, over cells pooled until each is expected at least 8 times; `cells` is
/// how many remain.
inline double chi_square(const std::vector<double>& observed, const std::vector<double>& expected, int& cells) {
    double statistic = 0, seen = 0, wanted = 0;
    cells = 0;
    double left = 0;
    for (const double e : expected) left += e;
    for (std::size_t k = 0; k < expected.size(); ++k) {
        seen += observed[k];
        wanted += expected[k];
        left -= expected[k];
        if (wanted < 8 || (left < 8 && k + 1 < expected.size())) continue;
        statistic += (seen - wanted) * (seen - wanted) / wanted;
        ++cells;
        seen = wanted = 0;
    }
    return statistic;
}

/// The value that a chi-square of `degrees` degrees of freedom exceeds with probability about 0.0001 (Wilson and
/// Hilferty).
inline double chi_square_limit(int degrees) {
    const double spread = 2.0 / (9.0 * degrees);
    return degrees * std::pow(1 - spread + 3.719 * std::sqrt(spread), 3);
}

}  // namespace qapfw::test
