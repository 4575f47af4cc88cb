// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>

#include "plugins/local_search/iterated_greedy.hpp"
#include "plugins/local_search/random_restart.hpp"
#include "plugins/local_search/two_opt.hpp"
#include "qapfw/kernels/digest.hpp"
#include "tests/support/process_checks.hpp"
#include "tests/support/solver_checks.hpp"
#include "tests/support/test_improver.hpp"
#include "tests/support/test_solver.hpp"
#include "tests/support/toy_bays.hpp"
#include "tests/support/toy_problems.hpp"

namespace {

using namespace qapfw;
using local_search::GreedyTwoOpt;
using local_search::IteratedGreedy;
using local_search::RandomRestart;
using local_search::TwoOpt;
using test::TestHost;
using test::TestImprover;
using test::TestProblem;
using test::TestRun;
using test::TestSolver;
using test::ToyBays;
using test::ToyOrdering;

std::vector<std::uint16_t> identity(const TestProblem<ToyOrdering>& problem) {
    std::vector<std::uint16_t> p(problem.ref().solution_bytes() / 2, 0);
    std::iota(p.begin(), p.begin() + problem.ref().length(), std::uint16_t{0});
    return p;
}

bool is_local_optimum(TestProblem<ToyOrdering>& problem, std::vector<std::uint16_t> p) {
    const std::int64_t cost = problem.object().cost(p.data());
    for (std::uint32_t i = 0; i < problem.ref().length(); ++i) {
        for (std::uint32_t j = i + 1; j < problem.ref().length(); ++j) {
            std::swap(p[i], p[j]);
            if (problem.object().cost(p.data()) < cost) return false;
            std::swap(p[i], p[j]);
        }
    }
    return true;
}

/// The identity with every third bit set.
std::vector<unsigned char> bays(TestProblem<ToyBays>& problem) {
    std::vector<unsigned char> solution(problem.ref().solution_bytes(), 0);
    void* const start = solution.data();
    std::iota(sdk::permutation_of(start), sdk::permutation_of(start) + problem.ref().length(), std::uint16_t{0});
    const qapfw_segment& segment = problem.ref().encoding().segments[1];
    for (std::uint32_t k = 2; k < segment.length; k += 3) solution[segment.offset + k] = 1;
    return solution;
}

}  // namespace

TEST_CASE_TEMPLATE("2-opt without a limit ends in a local optimum with its exact cost", T, TwoOpt, GreedyTwoOpt) {
    TestHost host;
    TestProblem<ToyOrdering> problem(host, {{"n", "12"}});
    std::vector<std::uint16_t> p = identity(problem);
    qapfw_cost cost{.i = problem.object().cost(p.data())};
    const std::int64_t before = cost.i;
    TestImprover<T> improver(host.get(), problem.get(), {{"passes", "0"}, {"iterations", "0"}});
    CHECK(improver.improve_one(p.data(), cost) > 0);
    CHECK(cost.i < before);
    CHECK(cost.i == problem.object().cost(p.data()));
    CHECK(is_local_optimum(problem, p));
}

TEST_CASE_TEMPLATE("2-opt that is to stop leaves a solution it has not begun as it is", T, TwoOpt, GreedyTwoOpt) {
    TestHost host;
    TestProblem<ToyOrdering> problem(host, {{"n", "9"}});
    std::vector<std::uint16_t> p = identity(problem);
    const std::vector<std::uint16_t> before = p;
    qapfw_cost cost{.i = 1'000'000};  // no solution has this cost; an improver that computes a cost would replace it
    TestImprover<T> improver(host.get(), problem.get(), {{"passes", "0"}, {"iterations", "0"}});
    improver.request.should_stop = [](void*) -> std::int32_t { return 1; };
    CHECK(improver.improve_one(p.data(), cost) == 0);
    CHECK(p == before);
    CHECK(cost.i == 1'000'000);
}

TEST_CASE("2-opt with a limit of one takes exactly the best swap") {
    TestHost host;
    TestProblem<ToyOrdering> problem(host, {{"n", "9"}});
    std::vector<std::uint16_t> p = identity(problem), q = p, best = p;
    for (std::uint32_t i = 0; i < 9; ++i) {
        for (std::uint32_t j = i + 1; j < 9; ++j) {
            std::swap(q[i], q[j]);
            if (problem.object().cost(q.data()) < problem.object().cost(best.data())) best = q;
            std::swap(q[i], q[j]);
        }
    }
    qapfw_cost cost{.i = problem.object().cost(p.data())};
    TestImprover<TwoOpt> improver(host.get(), problem.get(), {{"iterations", "1"}});
    improver.improve_one(p.data(), cost);
    CHECK(p == best);
}

TEST_CASE("2-opt with acceptance sweep makes each swap that improves more than the last one made") {
    TestHost host;
    TestProblem<ToyOrdering> problem(host, {{"n", "9"}});
    std::vector<std::uint16_t> p = identity(problem), expected = p;
    std::int64_t last = 0;
    std::size_t made = 0;
    for (std::uint32_t i = 0; i < 9; ++i) {
        for (std::uint32_t j = i + 1; j < 9; ++j) {
            const std::int64_t before = problem.object().cost(expected.data());
            std::swap(expected[i], expected[j]);
            const std::int64_t delta = problem.object().cost(expected.data()) - before;
            if (delta < last) {
                last = delta;
                ++made;
            } else {
                std::swap(expected[i], expected[j]);
            }
        }
    }
    CHECK(made > 1);
    qapfw_cost cost{.i = problem.object().cost(p.data())};
    TestImprover<TwoOpt> improver(host.get(), problem.get(), {{"iterations", "1"}, {"acceptance", "sweep"}});
    improver.improve_one(p.data(), cost);
    CHECK(p == expected);
    CHECK(cost.i == problem.object().cost(p.data()));
}

TEST_CASE("greedy 2-opt sweeps once and goes on at the next pair") {
    TestHost host;
    TestProblem<ToyOrdering> problem(host, {{"n", "9"}});
    std::vector<std::uint16_t> p = identity(problem), expected = p;
    for (std::uint32_t i = 0; i < 9; ++i) {
        for (std::uint32_t j = i + 1; j < 9; ++j) {
            const std::int64_t before = problem.object().cost(expected.data());
            std::swap(expected[i], expected[j]);
            if (problem.object().cost(expected.data()) >= before) std::swap(expected[i], expected[j]);
        }
    }
    qapfw_cost cost{.i = problem.object().cost(p.data())};
    TestImprover<GreedyTwoOpt> improver(host.get(), problem.get(), {{"passes", "1"}});
    improver.improve_one(p.data(), cost);
    CHECK(p == expected);
}

TEST_CASE("iterated greedy reports its evaluations, never ends worse than it began, and repeats itself") {
    TestHost host;
    TestProblem<ToyOrdering> problem(host, {{"n", "9"}});
    for (const char* rebuild : {"false", "true"}) {
        std::vector<std::uint16_t> first;
        for (int again = 0; again < 2; ++again) {
            std::vector<std::uint16_t> p = identity(problem);
            qapfw_cost cost{.i = problem.object().cost(p.data())};
            const std::int64_t before = cost.i;
            TestImprover<IteratedGreedy> improver(host.get(), problem.get(),
                                                  {{"iterations", "20"}, {"removed", "3"}, {"rebuild", rebuild}});
            const std::uint64_t whole = rebuild[0] == 't' ? 45 : 0;  // 1 + 2 + ... + 9 positions
            CHECK(improver.improve_one(p.data(), cost) == whole + 20 * (7 + 8 + 9));
            CHECK(cost.i < before);
            CHECK(cost.i == problem.object().cost(p.data()));
            std::vector<std::uint16_t> sorted(p.begin(), p.begin() + 9);
            std::sort(sorted.begin(), sorted.end());
            CHECK(std::equal(sorted.begin(), sorted.end(), identity(problem).begin()));
            if (again == 0) first = p;
            CHECK(p == first);
        }
    }
}

TEST_CASE("iterated greedy with one element out and put back ends where no element has a better place") {
    TestHost host;
    TestProblem<ToyOrdering> problem(host, {{"n", "9"}});
    std::vector<std::uint16_t> p = identity(problem);
    qapfw_cost cost{.i = problem.object().cost(p.data())};
    TestImprover<IteratedGreedy> improver(host.get(), problem.get(), {{"iterations", "2000"}, {"removed", "1"}});
    improver.improve_one(p.data(), cost);
    for (std::size_t from = 0; from < 9; ++from) {
        for (std::size_t to = 0; to < 9; ++to) {
            std::vector<std::uint16_t> moved = p;
            const std::uint16_t element = moved[from];
            moved.erase(moved.begin() + static_cast<std::ptrdiff_t>(from));
            moved.insert(moved.begin() + static_cast<std::ptrdiff_t>(to), element);
            CHECK(problem.object().cost(moved.data()) >= cost.i);
        }
    }
}

TEST_CASE("random restart with 2-opt beats random restart alone and repeats itself") {
    TestHost host;
    TestProblem<ToyOrdering> problem(host, {{"n", "14"}});
    TestImprover<TwoOpt> improver(host.get(), problem.get(), {});
    const auto solve = [&](const qapfw_improver_ref* with) {
        return test::solve<RandomRestart>(host.get(), problem, {{"batch", "8"}}, {5, 11, with});
    };
    const auto alone = solve(nullptr), improved = solve(improver.get());
    CHECK(improved.cost < alone.cost);
    CHECK(solve(improver.get()) == improved);
    CHECK(alone.digests.size() == 5);
}

TEST_CASE_TEMPLATE("2-opt keeps the bits and tells the real cost that evaluate gives, in a local optimum", T, TwoOpt,
                   GreedyTwoOpt) {
    TestHost host;
    TestProblem<ToyBays> problem(host, {{"n", "13"}});
    const std::vector<unsigned char> start = bays(problem);
    std::vector<unsigned char> solution = start;
    void* const at = solution.data();
    qapfw_cost cost{.f = problem.object().cost(at)};
    const double before = cost.f;
    TestImprover<T> improver(host.get(), problem.get(), {{"passes", "0"}, {"iterations", "0"}});
    CHECK(improver.improve_one(at, cost) > 0);
    CHECK(cost.f < before);
    CHECK(cost.f == problem.object().cost(at));
    const auto tail = static_cast<std::ptrdiff_t>(problem.ref().encoding().segments[1].offset);
    CHECK(std::equal(solution.begin() + tail, solution.end(), start.begin() + tail));
    std::uint16_t* p = sdk::permutation_of(at);
    for (std::uint32_t i = 0; i < 13; ++i) {
        for (std::uint32_t j = i + 1; j < 13; ++j) {
            std::swap(p[i], p[j]);
            CHECK(problem.object().cost(at) >= cost.f);
            std::swap(p[i], p[j]);
        }
    }
}

TEST_CASE("random restart draws bits too, and its digest sees them") {
    TestHost host;
    TestProblem<ToyBays> problem(host, {{"n", "26"}});
    std::vector<std::uint32_t> ones;
    constexpr std::uint32_t kSeeds = 40;
    for (std::uint32_t seed = 0; seed < kSeeds; ++seed) {
        TestSolver<RandomRestart> solver(host.get(), problem.get(), {{"batch", "1"}});
        TestRun run(seed, 1, problem.ref().solution_bytes());
        solver.run(*run.get());
        CHECK(run.best_cost.f == problem.object().cost(run.best.data()));
        const std::uint8_t* bits = problem.object().bits(run.best.data());
        std::uint64_t elements =
            kernels::digest_solution(sdk::permutation_of(static_cast<const void*>(run.best.data())), 26);
        ones.push_back(0);
        for (std::uint32_t k = 0; k < 25; ++k) {
            REQUIRE(bits[k] <= 1);
            ones.back() += bits[k];
            elements += kernels::digest_element(26 + k, bits[k]);
        }
        const std::uint64_t own = kernels::digest_search(elements, run.best_cost.i, run.best_cost.i, 0);
        CHECK(run.digests == std::vector<std::uint64_t>{kernels::digest_in_round(0, own)});
    }
    const std::uint32_t sum = std::accumulate(ones.begin(), ones.end(), 0u);
    CHECK(sum > 4 * kSeeds);  // mean number of ones per seed: 5.3, since each of 25 bits is 1 with probability 5.5 / 26
    CHECK(sum < 7 * kSeeds);
    CHECK(*std::min_element(ones.begin(), ones.end()) <= 1);
    CHECK(*std::max_element(ones.begin(), ones.end()) >= 9);
}

TEST_CASE("random restart on several processes, even more than it has solutions, equals a run on one") {
    const auto improver = [](const qapfw_host* host, const qapfw_problem_ref* problem) {
        return std::make_shared<test::TestImprover<TwoOpt>>(host, problem);
    };
    test::check_processes<RandomRestart>({{"n", "9"}, {"fix_first", "true"}}, {{"batch", "3"}}, {8, 4, nullptr},
                                         improver);
}

TEST_CASE("a batch of random restart that was cut short leaves no trace in the state") {
    test::TestHost host;
    test::TestProblem<test::ToyOrdering> problem(host, {{"n", "9"}});
    test::check_stopped_rounds<RandomRestart>(problem, host, {{"batch", "5"}}, nullptr);
}
