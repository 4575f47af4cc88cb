// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cstring>
#include <numeric>

#include "plugins/cas/cas.hpp"
#include "qapfw/sdk/free_positions.hpp"
#include "tests/support/process_checks.hpp"
#include "tests/support/sanitized.hpp"
#include "tests/support/test_improver.hpp"
#include "tests/support/test_solver.hpp"
#include "tests/support/threaded_host.hpp"
#include "tests/support/toy_problems.hpp"

namespace {

using namespace qapfw;
using test::brute_force;
using test::Given;
using test::OneExchange;
using test::Outcome;
using test::StateBytes;
using test::TestHost;
using test::TestImprover;
using test::TestProblem;
using test::TestRun;
using test::ThreadedHost;
using test::ToyOrdering;
using Solver = test::TestSolver<sdk::PopulationSolver<cas::Cas>>;

Outcome solve(const qapfw_host* host, TestProblem<ToyOrdering>& problem, const Given& given, std::uint64_t iterations,
              std::uint64_t seed = 3, const qapfw_improver_ref* improver = nullptr) {
    return test::solve<sdk::PopulationSolver<cas::Cas>>(host, problem, given, {iterations, seed, improver});
}

}  // namespace

TEST_CASE("cas alone finds the brute-force optimum of small instances, also with a fixed position") {
    TestHost host;
    for (const char* fixed : {"false", "true"}) {
        TestProblem<ToyOrdering> problem(host, {{"n", "8"}, {"fix_first", fixed}});
        const Outcome found = solve(host.get(), problem, {{"ants", "16"}, {"gamma", "0.4"}}, 300);
        const auto* p = sdk::permutation_of(static_cast<const void*>(found.best.data()));
        CHECK(found.cost == problem.object().cost(p));
        CHECK(found.cost == brute_force(problem.object(), std::string(fixed) == "true"));
        if (std::string(fixed) == "true") CHECK(p[0] == 2);
    }
}

TEST_CASE("sizes 1, 2 and 3 and colonies of one or two ants reach the optimum") {
    TestHost host;
    for (const char* n : {"1", "2", "3"}) {
        TestProblem<ToyOrdering> problem(host, {{"n", n}});
        for (const char* ants : {"1", "2"}) {
            for (const char* colonies : {"1", "3"}) {
                const Outcome found = solve(host.get(), problem, {{"ants", ants}, {"colonies", colonies}}, 60);
                CHECK(found.cost == brute_force(problem.object(), false));
            }
        }
    }
}

TEST_CASE("the trajectory is the same on one, two and many threads, with and without an improver") {
    TestHost base;
    TestProblem<ToyOrdering> problem(base, {{"n", "20"}});
    const Given given = {{"ants", "n"}, {"colonies", "3"}, {"exchange_every", "4"}, {"round", "2"}};
    for (const bool improves : {false, true}) {
        std::optional<Outcome> first;
        for (const std::uint32_t workers : {1u, 2u, 5u}) {
            const ThreadedHost host(workers);
            const TestImprover<OneExchange> improver(host.get(), problem.get());
            const Outcome found = solve(host.get(), problem, given, 20, 8, improves ? improver.get() : nullptr);
            CHECK(found.digests.size() == 10);
            CHECK(found.evaluations == 20 * 60 * (improves ? 2 : 1));
            if (!first) first = found;
            CHECK(found == *first);
        }
        CHECK(solve(base.get(), problem, given, 20, 9).digests != first->digests);
    }
}

TEST_CASE("how often a run meets the framework does not change the search") {
    TestHost host;
    TestProblem<ToyOrdering> problem(host, {{"n", "15"}});
    const Outcome often = solve(host.get(), problem, {{"round", "1"}, {"colonies", "2"}}, 24);
    const Outcome seldom = solve(host.get(), problem, {{"round", "24"}, {"colonies", "2"}}, 24);
    CHECK(often.best == seldom.best);
    CHECK(often.digests.back() == seldom.digests.back());
    CHECK(often.digests.size() == 24);
    CHECK(seldom.digests.size() == 1);  // one per round: the exchanges after 10 and 20 iterations do not end the round
}

TEST_CASE("a run saved and loaded goes on exactly as the one that was never interrupted") {
    TestHost host;
    TestProblem<ToyOrdering> problem(host, {{"n", "17"}});
    const Given given = {{"colonies", "2"}, {"exchange_every", "6"}, {"round", "3"}};
    const TestImprover<OneExchange> improver(host.get(), problem.get());
    const Outcome whole = solve(host.get(), problem, given, 30, 4, improver.get());
    StateBytes state;
    Solver first(host.get(), problem.get(), given, improver.get());
    TestRun half(4, 15, problem.ref().solution_bytes());
    first.run(*half.get());
    first.save(state);
    Solver second(host.get(), problem.get(), given, improver.get());
    second.load(state);
    TestRun rest(4, 15, problem.ref().solution_bytes(), true);
    second.run(*rest.get());
    std::vector<std::uint64_t> digests = half.digests;
    digests.insert(digests.end(), rest.digests.begin(), rest.digests.end());
    CHECK(digests == whole.digests);
    CHECK(rest.best == whole.best);
    CHECK(half.evaluations + rest.evaluations == whole.evaluations);
}

TEST_CASE("a round cut short is reported with a real solution and leaves no trace in the saved state") {
    TestHost host;
    TestProblem<ToyOrdering> problem(host, {{"n", "16"}});
    const Given given = {{"round", "5"}};
    const Outcome whole = solve(host.get(), problem, given, 20);
    for (const int calls : {0, 1, 20, 60, 100, 170, 300}) {  // calls of should_stop before it returns true
        struct Stopper {
            std::atomic<int> left;
            std::uint64_t digest_count = 0, incomplete = 0;
            std::vector<std::uint64_t> digests;
            std::vector<unsigned char> best;
            std::int64_t cost = 0;
            std::uint64_t bytes;
        } stopper{calls, 0, 0, {}, {}, 0, problem.ref().solution_bytes()};
        qapfw_run services = *TestRun(3, 20, 1).get();
        services.context = &stopper;
        services.begin_round = [](void* c, std::uint64_t wanted) -> std::uint64_t {
            return static_cast<Stopper*>(c)->left > 0 || static_cast<Stopper*>(c)->incomplete == 0 ? wanted : 0;
        };
        services.end_round = [](void* c, const qapfw_round* round) -> qapfw_status {
            auto* self = static_cast<Stopper*>(c);
            if (round->complete != 0)
                self->digests.push_back(round->digest);
            else
                ++self->incomplete;
            const auto* bytes = static_cast<const unsigned char*>(round->best_solution);
            self->best.assign(bytes, bytes + self->bytes);
            self->cost = round->best_cost.i;
            return QAPFW_OK;
        };
        services.should_stop = [](void* c) -> std::int32_t { return --static_cast<Stopper*>(c)->left < 0 ? 1 : 0; };
        Solver cut(host.get(), problem.get(), given);
        cut.run(services);
        CHECK(stopper.incomplete == 1);
        CHECK(stopper.cost ==
              problem.object().cost(sdk::permutation_of(static_cast<const void*>(stopper.best.data()))));
        StateBytes state;
        cut.save(state);
        Solver again(host.get(), problem.get(), given);
        again.load(state);
        const std::uint64_t done = 5 * stopper.digests.size();
        TestRun rest(3, 20 - done, problem.ref().solution_bytes(), true);
        again.run(*rest.get());
        std::vector<std::uint64_t> digests = stopper.digests;
        digests.insert(digests.end(), rest.digests.begin(), rest.digests.end());
        CHECK(digests == whole.digests);
    }
}

TEST_CASE("a run never ends worse than its warm starts, even with more of them than ants") {
    TestHost host;
    TestProblem<ToyOrdering> problem(host, {{"n", "30"}});
    const Outcome good = solve(host.get(), problem, {{"ants", "40"}}, 200);
    const std::uint64_t bytes = problem.ref().solution_bytes();
    std::vector<unsigned char> warm(3 * bytes, 0);
    for (std::uint64_t k = 0; k < 3; ++k) sdk::base_solution(problem.ref(), warm.data() + k * bytes);
    std::memcpy(warm.data() + 2 * bytes, good.best.data(), bytes);
    for (const char* ants : {"1", "2", "5"}) {
        TestRun run(99, 2, bytes);
        qapfw_run services = *run.get();
        std::vector<qapfw_cost> costs(3);
        services.initial = {warm.data(), costs.data(), 3};
        Solver solver(host.get(), problem.get(), {{"ants", ants}});
        solver.run(services);
        CHECK(run.best_cost.i <= good.cost);
    }
}

TEST_CASE("exchange spreads the best solution: many small colonies beat the same colonies alone" *
          doctest::skip(qapfw::kSanitized)) {
    TestHost host;
    TestProblem<ToyOrdering> problem(host, {{"n", "40"}});
    const Given alone = {{"ants", "6"}, {"colonies", "6"}, {"exchange_every", "0"}};
    Given together = alone;
    together["exchange_every"] = "5";
    std::int64_t sum_alone = 0, sum_together = 0;
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
        sum_alone += solve(host.get(), problem, alone, 200, seed).cost;
        sum_together += solve(host.get(), problem, together, 200, seed).cost;
    }
    CHECK(sum_together < sum_alone);
}

TEST_CASE("colonies on several processes follow the trajectory of one") {
    for (const char* every : {"0", "1", "3"}) {
        test::check_processes<sdk::PopulationSolver<cas::Cas>>(
            {{"n", "10"}}, {{"ants", "3"}, {"colonies", "4"}, {"exchange_every", every}, {"round", "2"}},
            {12, 5, nullptr});
    }
}

TEST_CASE("a saved state of other dimensions is refused") {
    TestHost host;
    TestProblem<ToyOrdering> problem(host, {{"n", "12"}});
    Solver first(host.get(), problem.get(), {{"ants", "4"}});
    TestRun run(1, 3, problem.ref().solution_bytes());
    first.run(*run.get());
    StateBytes state;
    first.save(state);
    Solver second(host.get(), problem.get(), {{"ants", "5"}});
    second.load(state);
    CHECK(second.run_status(*TestRun(1, 3, 1, true).get()) == QAPFW_ERROR_INPUT);
}
