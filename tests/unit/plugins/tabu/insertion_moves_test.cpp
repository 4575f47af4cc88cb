// SPDX-License-Identifier: Apache-2.0
#include "plugins/tabu/insertion_moves.hpp"

#include <doctest/doctest.h>

#include "plugins/tabu/tabu_improver.hpp"
#include "tests/support/test_improver.hpp"
#include "tests/support/toy_orders.hpp"

namespace {

using namespace qapfw;

/// Improves the base solution by a tabu search over insertions and returns it. Checks the cost that the search reports.
template <class Problem>
std::vector<std::uint16_t> searched(const test::Given& size, const char* iterations, std::int64_t& cost) {
    test::TestHost host;
    test::TestProblem<Problem> problem(host, size);
    test::TestImprover<tabu::TabuImprover> improver(host.get(), problem.get(),
                                                    {{"iterations", iterations},
                                                     {"tenure", "6"},
                                                     {"min_tenure", "2"},
                                                     {"perturb_after", "20"},
                                                     {"perturb_swaps", "2"},
                                                     {"neighbourhood", "insertion"}});
    std::vector<std::uint16_t> order(problem.ref().solution_bytes() / 2, 0);
    sdk::base_solution(problem.ref(), order.data());
    std::vector<qapfw_cost> costs = {{.i = problem.object().cost(order.data())}};
    CHECK(improver.improve(order.data(), costs) > 0);
    cost = costs[0].i;
    CHECK(cost == problem.object().cost(order.data()));
    return order;
}

}  // namespace

TEST_CASE("tabu search over insertions goes on from local optima to the best order") {
    test::TestHost host;
    for (const bool fixed : {false, true}) {
        CAPTURE(fixed);
        const test::Given size = {{"n", "8"}, {"fix_first", fixed ? "true" : "false"}};
        std::int64_t cost = 0;
        searched<test::ToyRows>(size, "200", cost);
        CHECK(cost == test::brute_force(test::TestProblem<test::ToyOrdering>(host, size).object(), fixed));
    }
}

TEST_CASE("tabu search over insertions is the same with deltas and with evaluations") {
    const test::Given size = {{"n", "15"}};
    std::int64_t by_rows = 0, by_deltas = 0, by_costs = 0;
    const std::vector<std::uint16_t> order = searched<test::ToyRows>(size, "60", by_rows);
    CHECK(searched<test::ToyInsertions>(size, "60", by_deltas) == order);
    CHECK(searched<test::ToyOrdering>(size, "60", by_costs) == order);
    CHECK(by_rows == by_deltas);
    CHECK(by_rows == by_costs);
}
