// SPDX-License-Identifier: Apache-2.0
#include "qapfw/sdk/insertion_neighbourhood.hpp"

#include <doctest/doctest.h>

#include <numeric>

#include "tests/support/test_host.hpp"
#include "tests/support/toy_orders.hpp"

namespace {

using namespace qapfw;
using test::TestHost;
using test::TestProblem;

/// Makes a random walk. Before each step, the delta of every insertion must equal the change of the cost, computed from
/// scratch.
template <class Problem>
void check_insertions(bool is_fast, bool fixed) {
    TestHost host;
    TestProblem<Problem> problem(host, {{"n", "11"}, {"fix_first", fixed ? "true" : "false"}});
    sdk::InsertionNeighbourhood neighbourhood(problem.ref());
    CHECK(neighbourhood.is_fast() == is_fast);
    CHECK(neighbourhood.count() == (fixed ? 10u * 9u : 11u * 10u));
    std::vector<std::uint16_t> order(problem.ref().solution_bytes() / 2, 0);
    sdk::base_solution(problem.ref(), order.data());
    CHECK(neighbourhood.reset(order.data()).i == problem.object().cost(order.data()));
    const std::uint32_t first = fixed ? 1 : 0;
    for (std::uint32_t step = 0; step < 30; ++step) {
        for (std::uint32_t from = first; from < 11; ++from) {
            const std::span<const qapfw_cost> deltas = neighbourhood.deltas(from);
            REQUIRE(deltas.size() == 11);
            CHECK(deltas[from].i == 0);
            for (std::uint32_t to = first; to < 11; ++to) {
                std::vector<std::uint16_t> changed = order;
                changed.erase(changed.begin() + from);
                changed.insert(changed.begin() + to, order[from]);
                CHECK(deltas[to].i == problem.object().cost(changed.data()) - problem.object().cost(order.data()));
            }
        }
        const std::uint32_t from = first + kernels::below(kernels::draw(3, 0, 0, 1, 2 * step), 11 - first);
        const std::uint32_t to = first + kernels::below(kernels::draw(3, 0, 0, 1, 2 * step + 1), 11 - first);
        neighbourhood.apply(from, to, neighbourhood.delta(from, to));
        const std::uint16_t element = order[from];
        order.erase(order.begin() + from);
        order.insert(order.begin() + to, element);
        CHECK(neighbourhood.cost().i == problem.object().cost(order.data()));
        CHECK(std::memcmp(neighbourhood.solution(), order.data(), 2 * order.size()) == 0);
    }
}

}  // namespace

TEST_CASE(
    "deltas of insertions equal those of recomputed costs, computed by a member, by a class, and by evaluations") {
    for (const bool fixed : {false, true}) {
        CAPTURE(fixed);
        check_insertions<test::ToyInsertions>(true, fixed);
        check_insertions<test::ToyRows>(true, fixed);
        check_insertions<test::ToyOrdering>(false, fixed);
    }
}

TEST_CASE("an insertion moves the free elements between its positions and leaves fixed ones where they are") {
    const std::vector<std::uint16_t> free = {0, 2, 3, 5};
    std::vector<std::uint16_t> order = {10, 11, 12, 13, 14, 15};
    sdk::make_insertion(order.data(), free, 0, 5);
    CHECK(order == std::vector<std::uint16_t>{12, 11, 13, 15, 14, 10});
    sdk::make_insertion(order.data(), free, 5, 2);
    CHECK(order == std::vector<std::uint16_t>{12, 11, 10, 13, 14, 15});
    sdk::make_insertion(order.data(), free, 3, 3);
    CHECK(order == std::vector<std::uint16_t>{12, 11, 10, 13, 14, 15});
}

TEST_CASE("a scan of insertions that are evaluated stops when it is asked to") {
    TestHost host;
    TestProblem<test::ToyOrdering> problem(host, {{"n", "9"}});
    sdk::InsertionNeighbourhood neighbourhood(problem.ref());
    std::vector<std::uint16_t> order(problem.ref().solution_bytes() / 2, 0);
    sdk::base_solution(problem.ref(), order.data());
    neighbourhood.reset(order.data());
    neighbourhood.watch({[](void*) -> std::int32_t { return 1; }, nullptr});
    CHECK_THROWS_AS(neighbourhood.deltas(0), sdk::Stopped);
}
