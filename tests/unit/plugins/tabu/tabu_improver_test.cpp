// SPDX-License-Identifier: Apache-2.0
#include "plugins/tabu/tabu_improver.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>

#include "tests/support/test_improver.hpp"
#include "tests/support/toy_bays.hpp"

namespace {

using namespace qapfw;
using tabu::TabuImprover;
using test::TestHost;
using test::TestProblem;
using test::ToyBays;

/// Improves `solutions` (as many as there are costs) by searches of 40 iterations. With `stop`, the searches end before
/// their first iteration.
void improve(const TestHost& host, const qapfw_problem_ref* problem, std::vector<unsigned char>& solutions,
             std::vector<qapfw_cost>& costs, bool stop = false) {
    test::TestImprover<TabuImprover> improver(host.get(), problem, {{"iterations", "40"}});
    improver.request.seed = 5;
    if (stop) improver.request.should_stop = [](void*) -> std::int32_t { return 1; };
    CHECK(improver.improve(solutions.data(), costs) == (stop ? 0 : costs.size() * 40 * 66));
}

}  // namespace

TEST_CASE("the tabu improver keeps each solution's bits and tells the real cost that evaluate gives") {
    TestHost host;
    TestProblem<ToyBays> problem(host, {{"n", "12"}});
    const std::uint64_t bytes = problem.ref().solution_bytes();
    const std::uint32_t tail = problem.ref().encoding().segments[1].offset;
    constexpr std::size_t kCount = 5;
    std::vector<unsigned char> solutions(bytes * kCount, 0);
    std::vector<qapfw_cost> costs(kCount);
    for (std::size_t k = 0; k < kCount; ++k) {
        void* at = sdk::solution_at(solutions.data(), bytes, k);
        std::iota(sdk::permutation_of(at), sdk::permutation_of(at) + 12, std::uint16_t{0});
        for (std::size_t b = k; b < 11; b += 2 + k) solutions[bytes * k + tail + b] = 1;
        costs[k].f = problem.object().cost(at);
    }
    const std::vector<unsigned char> before = solutions;
    const std::vector<qapfw_cost> first = costs;
    improve(host, problem.get(), solutions, costs);
    for (std::size_t k = 0; k < kCount; ++k) {
        CAPTURE(k);
        CHECK(costs[k].f < first[k].f);
        CHECK(costs[k].f == problem.object().cost(sdk::solution_at(solutions.data(), bytes, k)));
        const auto from = static_cast<std::ptrdiff_t>(bytes * k + tail),
                   to = static_cast<std::ptrdiff_t>(bytes * (k + 1));
        CHECK(std::equal(solutions.begin() + from, solutions.begin() + to, before.begin() + from));
    }
    // A second search starts from the results of the first. Costs must not rise, although deltas are rounded.
    const std::vector<qapfw_cost> second = costs;
    improve(host, problem.get(), solutions, costs);
    for (std::size_t k = 0; k < kCount; ++k) CHECK(costs[k].f <= second[k].f);
}

TEST_CASE("a tabu improver that must stop leaves solutions unchanged if it has not begun them") {
    TestHost host;
    TestProblem<ToyBays> problem(host, {{"n", "12"}});
    std::vector<unsigned char> solutions(problem.ref().solution_bytes(), 0);
    void* const start = solutions.data();
    std::iota(sdk::permutation_of(start), sdk::permutation_of(start) + 12, std::uint16_t{0});
    const std::vector<unsigned char> before = solutions;
    std::vector<qapfw_cost> costs(1);
    costs[0].f = 1e9;  // no solution has this cost: an improver that computes anything replaces it
    improve(host, problem.get(), solutions, costs, true);
    CHECK(solutions == before);
    CHECK(costs[0].f == 1e9);
}

TEST_CASE("a search that perturbs itself leaves the local optimum that it would not leave without a tenure") {
    TestHost host;
    TestProblem<ToyBays> problem(host, {{"n", "12"}});
    const auto cost_after = [&](const test::Given& more) {
        test::Given settings = more;
        settings.insert({{"iterations", "400"}, {"tenure", "0"}});
        test::TestImprover<TabuImprover> improver(host.get(), problem.get(), settings);
        improver.request.seed = 5;
        std::vector<unsigned char> solution(problem.ref().solution_bytes(), 0);
        std::iota(sdk::permutation_of(solution.data()), sdk::permutation_of(solution.data()) + 12, std::uint16_t{0});
        std::vector<qapfw_cost> costs(1);
        costs[0].f = problem.object().cost(solution.data());
        CHECK(improver.improve(solution.data(), costs) == 400 * 66);
        CHECK(costs[0].f == problem.object().cost(solution.data()));
        return costs[0].f;
    };
    const double stuck = cost_after({});
    // The default of perturb_after is 0, so the solution is never perturbed.
    CHECK(cost_after({{"perturb_swaps", "3"}, {"perturb_from", "current"}}) == stuck);
    const double best = cost_after({{"perturb_after", "n"}, {"perturb_swaps", "3"}}),
                 current = cost_after({{"perturb_after", "n"}, {"perturb_swaps", "3"}, {"perturb_from", "current"}});
    CHECK(best < stuck);
    CHECK(current < stuck);
}
