// SPDX-License-Identifier: Apache-2.0
#include "plugins/exact/exact.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <numeric>

#include "problems/qap/instances/qaplib_reader.hpp"
#include "problems/qap/qap_problem.hpp"
#include "tests/support/sanitized.hpp"
#include "tests/support/solver_checks.hpp"
#include "tests/support/test_solver.hpp"
#include "tests/support/threaded_host.hpp"
#include "tests/support/toy_problems.hpp"
#include "tests/unit/problems/qap/brute_force.hpp"
#include "tests/unit/problems/qap/support.hpp"

namespace {

using namespace qapfw;
using exact::Exact;
using qap::QapProblem;
using test::Given;
using test::Outcome;
using test::Task;
using test::TestHost;
using test::TestProblem;
using test::TestRun;
using test::TestSolver;
using test::ToyOrdering;

/// More rounds than any search here needs.
constexpr std::uint64_t kNoLimit = 1'000'000;

/// A run that remembers the last bound that the solver reported, and whether a bound was below the one before it.
struct BoundedRun : TestRun {
    explicit BoundedRun(std::uint64_t bytes) : TestRun(1, kNoLimit, bytes), services(*get()) {
        inner = services.end_round;
        services.context = this;
        services.end_round = [](void* c, const qapfw_round* round) -> qapfw_status {
            auto* self = static_cast<BoundedRun*>(c);
            if (round->has_lower_bound != 0) {
                self->is_rising = self->is_rising && (!self->has_bound || round->lower_bound.i >= self->bound);
                self->has_bound = true;
                self->bound = round->lower_bound.i;
            }
            return self->inner(static_cast<TestRun*>(self), round);
        };
        services.begin_round = [](void*, std::uint64_t wanted) { return wanted; };
    }
    qapfw_run services;
    qapfw_status (*inner)(void*, const qapfw_round*);
    bool has_bound = false, is_rising = true;
    std::int64_t bound = 0;
};

std::string write(const std::filesystem::path& path, const qap::QapMatrices& matrices) {
    std::ofstream(path) << qap::to_qaplib_text(matrices);
    return path.string();
}

std::string fixed_text(const qap::FixedAssignments& fixed) {
    std::string text;
    for (std::uint32_t i = 0; i < fixed.mask.size() && fixed.count > 0; ++i) {
        if (fixed.is_fixed(i))
            text += (text.empty() ? "" : "|") + std::to_string(i + 1) + "->" + std::to_string(fixed.location(i) + 1);
    }
    return text;
}

}  // namespace

constexpr int kInstances = qapfw::kSanitized ? 100 : 1000;

TEST_CASE("exact finds and proves the least cost of every random instance" * doctest::skip(qapfw::kThreadsAlone)) {
    const qap::test::TemporaryFolder folder;
    std::mt19937_64 random(11);
    const TestHost host;
    for (int round = 0; round < kInstances; ++round) {
        CAPTURE(round);
        const auto& form =
            qap::test::kMatrixForms[static_cast<std::size_t>(round) % std::size(qap::test::kMatrixForms)];
        const auto n = static_cast<std::uint32_t>(round < kInstances * 6 / 100 ? 8 : 1 + random() % 7);
        const qap::QapMatrices matrices = qap::test::draw_small(form, n, round % 3 == 0, random);
        qap::FixedAssignments fixed;
        if (round % 4 == 1) fixed = qap::test::draw_fixed(n, static_cast<std::uint32_t>(random() % (n + 1)), random);
        Given given{{"instance", write(folder.path() / "r.dat", matrices)}};
        if (fixed.count > 0) given["fixed"] = fixed_text(fixed);
        const TestProblem<QapProblem> problem(host, given);
        // Five descents nearly always find the optimum. After only one descent, the tree search must often find it.
        TestSolver<Exact> solver(host.get(), problem.get(), {{"descents", round % 2 == 0 ? "1" : "5"}});
        BoundedRun run(problem.ref().solution_bytes());
        solver.run(run.services);
        const std::int64_t least = qap::test::least_cost(matrices, fixed);
        REQUIRE(run.best_cost.i == least);
        CHECK(problem.ref().evaluate_one(run.best.data()).i == least);
        CHECK(run.bound == least);
        CHECK(run.is_rising);
    }
}

TEST_CASE("exact is right with linear costs, forbidden pairs and more locations than facilities" *
          doctest::skip(qapfw::kThreadsAlone)) {
    const qap::test::TemporaryFolder folder;
    std::mt19937_64 random(12);
    const TestHost host;
    const auto table = [&](const char* name, std::size_t rows, std::size_t columns, const auto& entry) {
        std::ofstream file(folder.path() / name);
        for (std::size_t i = 0; i < rows; ++i) {
            for (std::size_t j = 0; j < columns; ++j) file << (j > 0 ? "," : "") << entry(i, j);
            file << "\n";
        }
        return (folder.path() / name).string();
    };
    for (int round = 0; round < 60; ++round) {
        CAPTURE(round);
        const std::size_t m = round < 2 ? 9 : 2 + random() % 5, n = 2 + random() % (m - 1);
        const auto number = [&](std::size_t i, std::size_t j) {
            return i == j ? 0 : static_cast<int>(random() % 30) - 4;
        };
        Given given{{"instance", table("a.csv", n, n, number)}, {"matrix_b", table("b.csv", m, m, number)}};
        given["linear"] = table("l.csv", n, m, [&](std::size_t, std::size_t) { return random() % 100; });
        if (round % 2 == 0) {  // pairs (i, i) are never forbidden, so that there is a feasible solution
            given["forbidden"] =
                table("f.csv", n, m, [&](std::size_t i, std::size_t j) { return i != j && random() % 3 == 0 ? 1 : 0; });
        }
        const TestProblem<QapProblem> problem(host, given);
        std::vector<std::uint16_t> p(problem.ref().solution_bytes() / 2, 0);
        std::iota(p.begin(), p.begin() + static_cast<std::ptrdiff_t>(m), std::uint16_t{0});
        std::int64_t least = std::numeric_limits<std::int64_t>::max();
        do {
            least = std::min(least, problem.ref().evaluate_one(p.data()).i);
        } while (std::next_permutation(p.begin(), p.begin() + static_cast<std::ptrdiff_t>(m)));
        TestSolver<Exact> solver(host.get(), problem.get(), {{"descents", "1"}});
        BoundedRun run(problem.ref().solution_bytes());
        solver.run(run.services);
        REQUIRE(run.best_cost.i == least);
        CHECK(run.bound == least);
    }
}

TEST_CASE("exact tries everything where a problem has no bounds") {
    const TestHost host;
    for (const char* first : {"false", "true"}) {
        TestProblem<ToyOrdering> problem(host, {{"n", "7"}, {"fix_first", first}});
        TestSolver<Exact> solver(host.get(), problem.get(), {});
        BoundedRun run(problem.ref().solution_bytes());
        solver.run(run.services);
        CHECK(run.best_cost.i == test::brute_force(problem.object(), std::string(first) == "true"));
        CHECK(run.bound == run.best_cost.i);
    }
}

TEST_CASE("exact is the same on any number of threads, resumed, and cut short") {
    const auto folder = qap::test::data_folder();
    if (!folder) return;
    const TestHost one;
    const test::ThreadedHost three(3);
    const TestProblem<QapProblem> problem(one, {{"instance", (*folder / "qaplib" / "nug12.dat").string()}});
    const Task task{kNoLimit, 3};
    const Outcome whole = test::solve<Exact>(one.get(), problem, {}, task);
    CHECK(whole.cost == 578);
    CHECK(whole.digests.size() > 8);
    CHECK(test::solve<Exact>(three.get(), problem, {}, task) == whole);

    test::StateBytes state;
    TestRun half(3, 7, problem.ref().solution_bytes()), rest(3, kNoLimit, problem.ref().solution_bytes(), true);
    TestSolver<Exact> first(one.get(), problem.get(), {}), second(three.get(), problem.get(), {});
    first.run(*half.get());
    first.save(state);
    second.load(state);
    second.run(*rest.get());
    std::vector<std::uint64_t> digests = half.digests;
    digests.insert(digests.end(), rest.digests.begin(), rest.digests.end());
    CHECK(digests == whole.digests);
    CHECK(rest.best_cost.i == whole.cost);

    // A run that is stopped after `questions` calls of should_stop must not lose a part of the tree.
    for (const int questions : {0, 1, 60, 300, 330}) {
        test::StoppedRun stopped(3, questions, problem.ref().solution_bytes());
        TestSolver<Exact> cut(one.get(), problem.get(), {}), again(one.get(), problem.get(), {});
        cut.run(stopped.services);
        CHECK(stopped.incomplete == 1);
        test::StateBytes bytes;
        cut.save(bytes);
        again.load(bytes);
        TestRun to_end(3, kNoLimit, problem.ref().solution_bytes(), true);
        again.run(*to_end.get());
        CHECK(to_end.best_cost.i == whole.cost);
    }
}

TEST_CASE("exact does not end worse than its warm start") {
    const TestHost host;
    TestProblem<ToyOrdering> problem(host, {{"n", "9"}});
    const Outcome good = test::solve<Exact>(host.get(), problem, {}, {30, 3});
    test::check_warm_starts<Exact>(problem, host, {{{"descents", "1"}}}, good);
}

TEST_CASE("exact refuses a saved state of another problem" * doctest::skip(qapfw::kThreadsAlone)) {
    const TestHost host;
    TestProblem<ToyOrdering> small(host, {{"n", "5"}}), large(host, {{"n", "30"}});
    TestSolver<Exact> one(host.get(), large.get(), {{"nodes", "10"}}), other(host.get(), small.get(), {});
    TestRun run(1, 2, large.ref().solution_bytes());
    one.run(*run.get());
    test::StateBytes state;
    one.save(state);
    CHECK(other.load_status(state) == QAPFW_ERROR_INPUT);
}
