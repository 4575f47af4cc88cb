// SPDX-License-Identifier: Apache-2.0
#include "plugins/mapping/rounds_on_copies.hpp"

#include <doctest/doctest.h>

#include "problems/sparse_qap/sparse_qap_problem.hpp"
#include "tests/support/test_solver.hpp"
#include "tests/support/threaded_host.hpp"

using namespace qapfw;
using namespace qapfw::mapping;
using sparse::SparseQapProblem;
using test::TestProblem;
using test::ThreadedHost;

namespace {

constexpr std::uint64_t kRoundsPlayed = 1500;

/// A walk and the Rounds object that plays rounds on it. The walk starts from the problem's first construction.
struct CopiedSearch {
    explicit CopiedSearch(const sdk::ProblemRef& problem)
        : walk(problem),
          rounds(walk, problem.length(), sdk::SampledWalk::facts(problem).movers),
          solution(problem.solution_bytes()) {
        sdk::SampledWalk::construct(problem, 0, 1, {}, solution.data());
        walk.reset(solution.data());
    }
    const std::vector<unsigned char>& now() {
        walk.solution(solution.data());
        return solution;
    }
    static RoundOrder order(std::uint64_t number) { return {5, number, 2.0, number % 3 == 0}; }

    sdk::SampledWalk walk;
    Rounds rounds;
    std::vector<unsigned char> solution;
};

}  // namespace

TEST_CASE("rounds on copies are those on one solution, with threads that come late or are held up") {
    const ThreadedHost one(1), seven(7);
    const TestProblem<SparseQapProblem> problem(one, {{"instance", "rgg2:1000"}, {"distance", "torus:10x10x10"}});
    CopiedSearch expected(problem.ref()), shared(problem.ref());
    Team alone{sdk::Host(one.get())}, team{sdk::Host(seven.get())};
    for (std::uint64_t k = 0; k < kRoundsPlayed; ++k) expected.rounds.play(CopiedSearch::order(k), alone);

    RoundsOnCopies copies(problem.ref(), shared.rounds, shared.walk, team.members());
    std::uint64_t played = 0;
    for (int times = 1; times <= 3; ++times) {
        if (times == 3) {  // pass 2 goes on with the copies of pass 1; pass 3 makes new copies
            shared.walk.reset(shared.now().data());
            copies.forget_copies();
        }
        copies.begin();
        team.gather(
            [&] {
                for (; played < kRoundsPlayed * static_cast<std::uint64_t>(times) / 3; ++played)
                    copies.play(CopiedSearch::order(played));
            },
            [&](std::uint32_t member) { copies.help(member, team); });
    }
    CHECK(shared.now() == expected.now());
    CHECK(RoundsOnCopies::members_for(shared.rounds, 7) == 2);  // 250 proposals make 4 parts, 2 for each thread
    CHECK(RoundsOnCopies::members_for(shared.rounds, 1) == 1);
}
