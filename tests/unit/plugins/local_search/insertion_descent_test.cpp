// SPDX-License-Identifier: Apache-2.0
#include "plugins/local_search/insertion_descent.hpp"

#include <doctest/doctest.h>

#include "plugins/local_search/annealing.hpp"
#include "plugins/local_search/two_opt.hpp"
#include "tests/support/test_improver.hpp"
#include "tests/support/toy_orders.hpp"
#include "tests/support/toy_segments.hpp"

namespace {

using namespace qapfw;
using test::TestHost;
using test::TestImprover;
using test::TestProblem;

/// Improves the base solution by insertions and returns the result. Checks the cost that the improver reports.
template <class Improver, class Problem>
std::vector<std::uint16_t> inserted(TestHost& host, TestProblem<Problem>& problem, test::Given given) {
    given["neighbourhood"] = "insertion";
    TestImprover<Improver> improver(host.get(), problem.get(), given);
    std::vector<std::uint16_t> order(problem.ref().solution_bytes() / 2, 0);
    sdk::base_solution(problem.ref(), order.data());
    std::vector<qapfw_cost> cost = {{.i = problem.object().cost(order.data())}};
    CHECK(improver.improve(order.data(), cost) > 0);
    CHECK(cost[0].i == problem.object().cost(order.data()));
    return order;
}

}  // namespace

TEST_CASE("descents by insertions end where no insertion improves, the same with deltas and with evaluations") {
    for (const char* fixed : {"false", "true"}) {
        CAPTURE(fixed);
        TestHost host;
        const test::Given size = {{"n", "14"}, {"fix_first", fixed}};
        TestProblem<test::ToyRows> rows(host, size);
        TestProblem<test::ToyInsertions> deltas(host, size);
        TestProblem<test::ToyOrdering> alone(host, size);
        const std::uint32_t first = fixed[0] == 't' ? 1 : 0;
        const auto check = [&]<class Improver>(const Improver*, const test::Given& given) {
            const std::vector<std::uint16_t> order = inserted<Improver>(host, rows, given);
            CHECK(test::is_insertion_optimum(rows.object(), order, first));
            CHECK(inserted<Improver>(host, deltas, given) == order);
            CHECK(inserted<Improver>(host, alone, given) == order);
            CHECK((first == 0 || order[0] == 2));
        };
        check(static_cast<const local_search::TwoOpt*>(nullptr), {});
        check(static_cast<const local_search::TwoOpt*>(nullptr), {{"acceptance", "sweep"}});
        check(static_cast<const local_search::GreedyTwoOpt*>(nullptr), {{"passes", "0"}});
    }
}

TEST_CASE("annealing by insertions finds the best order, the same with deltas and with evaluations") {
    TestHost host;
    const test::Given size = {{"n", "7"}, {"fix_first", "true"}}, given = {{"iterations", "4000"}};
    TestProblem<test::ToyInsertions> deltas(host, size);
    TestProblem<test::ToyOrdering> alone(host, size);
    const std::vector<std::uint16_t> order = inserted<local_search::Annealing>(host, deltas, given);
    CHECK(deltas.object().cost(order.data()) == test::brute_force(deltas.object(), true));
    CHECK(inserted<local_search::Annealing>(host, alone, given) == order);
}

TEST_CASE("insertions are refused if solutions are not orders") {
    TestHost host;
    TestProblem<test::ToySegments> segments(host, {});
    test::Values values = test::Values::of<local_search::TwoOpt>({{"neighbourhood", "insertion"}});
    const sdk::Host own(host.get());
    const sdk::Parameters parameters(std::data(local_search::TwoOpt::kParameters),
                                     static_cast<std::uint32_t>(std::size(local_search::TwoOpt::kParameters)),
                                     values.get());
    CHECK_THROWS_WITH(
        local_search::TwoOpt(own, parameters, segments.ref()),
        doctest::Contains("neighbourhood = \"insertion\" needs solutions that are one permutation; the solutions of"));
}
