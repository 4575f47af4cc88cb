// SPDX-License-Identifier: Apache-2.0
// Operators and moves of solutions with several kinds of segments.
#include "qapfw/sdk/segments.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <set>

#include "qapfw/sdk/moves.hpp"
#include "tests/support/test_host.hpp"
#include "tests/support/toy_segments.hpp"

using namespace qapfw;
using test::TestHost;
using test::TestProblem;
using test::ToyAssignment;
using test::ToySegments;

namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes drawn(const TestProblem<ToySegments>& problem, const kernels::SegmentList& list, std::uint32_t individual) {
    Bytes solution(problem.ref().solution_bytes());
    sdk::base_solution(problem.ref(), solution.data());
    kernels::draw_segments(list, solution.data(), 3, 0, individual);
    return solution;
}

}  // namespace

TEST_CASE("drawn, crossed and mutated solutions of any segments are valid, differ, and keep fixed elements") {
    TestHost host;
    for (const char* fixed : {"false", "true"}) {
        TestProblem<ToySegments> problem(host, {{"fixed", fixed}});
        std::set<Bytes> all;
        for (std::uint32_t crossover = 0; crossover < kernels::kCrossoverCount; ++crossover) {
            const sdk::SegmentArrays arrays(problem.ref(), crossover, kernels::kAnyOrderMutation);
            const kernels::SegmentList list = arrays.list();
            for (std::uint32_t k = 0; k < 50; ++k) {
                Bytes mother = drawn(problem, list, 2 * k), father = drawn(problem, list, 2 * k + 1), child = mother;
                Bytes scratch(mother.size());
                CHECK(problem.object().defect(mother.data()) == "");
                kernels::cross_segments(list, child.data(), mother.data(), father.data(), scratch.data(), 3, 1, k);
                CHECK(problem.object().defect(child.data()) == "");
                const std::uint32_t apart = kernels::segments_distance(list, mother.data(), father.data());
                CHECK(kernels::segments_distance(list, child.data(), father.data()) <= apart + 4);
                Bytes mutant = child;
                kernels::mutate_segments(list, mutant.data(), 1, 3, 1, k);
                CHECK(problem.object().defect(mutant.data()) == "");
                CHECK(kernels::segments_distance(list, mutant.data(), child.data()) >= 1);
                kernels::mutate_segments(list, mutant.data(), 40, 3, 2, k);
                CHECK(problem.object().defect(mutant.data()) == "");
                all.insert({mother, child, mutant});
            }
        }
        CHECK(all.size() > 200);
    }
}

TEST_CASE("a crossover of values and bits takes each element from either parent") {
    TestHost host;
    TestProblem<ToyAssignment> problem(host, {});
    const sdk::SegmentArrays arrays(problem.ref(), 0, 0);
    Bytes mother(problem.ref().solution_bytes()), father(mother);
    for (std::uint32_t k = 0; k < 10; ++k) reinterpret_cast<std::uint16_t*>(father.data())[k] = 3;
    std::uint32_t of_father = 0;
    for (std::uint32_t individual = 0; individual < 100; ++individual) {
        Bytes child = mother, scratch(mother.size());
        kernels::cross_segments(arrays.list(), child.data(), mother.data(), father.data(), scratch.data(), 1, 1,
                                individual);
        of_father += kernels::segments_distance(arrays.list(), child.data(), mother.data());
    }
    CHECK(of_father > 400);
    CHECK(of_father < 600);
}

TEST_CASE("the moves of a solution are all there, change it, keep it valid, and cost what evaluation says") {
    TestHost host;
    for (const bool fixed : {false, true}) {
        TestProblem<ToySegments> problem(host, {{"fixed", fixed ? "true" : "false"}});
        const sdk::SegmentArrays arrays(problem.ref(), 0, 0);
        sdk::MoveNeighbourhood moves(problem.ref());
        Bytes solution = drawn(problem, arrays.list(), 7);
        const qapfw_cost cost = moves.reset(solution.data());
        CHECK(cost.i == problem.object().cost(solution.data()));
        std::set<Bytes> neighbours;
        sdk::MoveList::Cursor at;
        std::uint64_t count = 0;
        moves.scan(at, [&](const qapfw_move& move, qapfw_cost delta) {
            Bytes changed = solution;
            sdk::make_move(problem.ref().encoding(), changed.data(), move);
            CHECK(changed != solution);
            CHECK(problem.object().defect(changed.data()) == "");
            CHECK(problem.object().cost(changed.data()) == cost.i + delta.i);
            neighbours.insert(changed);
            ++count;
            return true;
        });
        CHECK(neighbours.size() == count);
        CHECK(count <= moves.list().count());
        // At least these moves exist: swaps in the order, other values, flips, and swaps of counted values that differ.
        CHECK(count >= (fixed ? 3 + 4 + 2 + 3 : 6 + 6 + 3 + 8));
    }
}

TEST_CASE("deltas of an assignment problem equal those of evaluation, also for swaps") {
    TestHost host;
    TestProblem<ToyAssignment> problem(host, {});
    sdk::MoveNeighbourhood moves(problem.ref());
    CHECK(moves.is_fast());
    Bytes solution(problem.ref().solution_bytes());
    for (std::uint32_t k = 0; k < 10; ++k) reinterpret_cast<std::uint16_t*>(solution.data())[k] = k % 4;
    moves.reset(solution.data());
    for (int step = 0; step < 20; ++step) {
        qapfw_move best{};
        qapfw_cost least{.i = 1'000'000};
        sdk::MoveList::Cursor at;
        std::uint64_t exchanges = 0;
        moves.scan(at, [&](const qapfw_move& move, qapfw_cost delta) {
            Bytes changed(solution.size());
            std::memcpy(changed.data(), moves.solution(), changed.size());
            sdk::make_move(problem.ref().encoding(), changed.data(), move);
            const auto* const places = reinterpret_cast<const std::uint16_t*>(changed.data());
            CHECK(problem.object().cost(places) == moves.cost().i + delta.i);
            exchanges += move.kind == QAPFW_MOVE_EXCHANGE ? 1 : 0;
            if (delta.i < least.i) {
                best = move;
                least = delta;
            }
            return true;
        });
        CHECK((exchanges > 0 || step > 0));
        moves.apply(best, least);
        CHECK(moves.cost().i == problem.object().cost(static_cast<const std::uint16_t*>(moves.solution())));
    }
}

TEST_CASE("single moves are proposed, reported and accepted in every segment; wrong ones are refused with a message") {
    TestHost host;
    TestProblem<ToySegments> problem(host, {{"fixed", "true"}});
    Bytes solution(problem.ref().solution_bytes());
    sdk::base_solution(problem.ref(), solution.data());
    sdk::Moves moves(problem.ref());
    moves.reset(solution.data());
    const auto same = [&](qapfw_cost delta) {
        const std::int64_t before = moves.cost().i;
        moves.accept();
        CHECK(before + delta.i == problem.object().cost(moves.solution()));
        CHECK(problem.object().defect(moves.solution()) == "");
    };
    same(moves.propose({QAPFW_MOVE_EXCHANGE, 0, 1, 3}));
    same(moves.propose_set(1, 2, 3));
    same(moves.propose_flip(2, 1));
    same(moves.propose({QAPFW_MOVE_EXCHANGE, 3, 1, 4}));
    const auto refusal = [&](const qapfw_move& move) -> std::string {
        try {
            moves.propose(move);
        } catch (const Error& error) {
            return error.what();
        }
        return {};
    };
    CHECK(refusal({QAPFW_MOVE_SET, 1, 2, 4}) == "a move of position 2 of segment 1: a value is not below its bound");
    CHECK(refusal({QAPFW_MOVE_SET, 1, 0, 1}) == "a move of position 0 of segment 1: position 0 is fixed");
    CHECK(refusal({QAPFW_MOVE_SET, 3, 1, 1}) ==
          "a move of position 1 of segment 3: elements of this segment can only be swapped");
}
