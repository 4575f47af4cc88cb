// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cstring>
#include <sstream>

#include "plugins/cas/cas.hpp"
#include "qapfw/sdk/free_positions.hpp"
#include "tests/support/host_population.hpp"
#include "tests/support/toy_problems.hpp"
#include "tests/unit/plugins/cas/cas_test_tools.hpp"

namespace {

using namespace qapfw;
using test::Given;
using test::TestHost;
using test::TestProblem;
using test::TestRun;
using test::ToyOrdering;

/// A copy of the solutions, costs and trails of all colonies of a run.
struct State {
    std::uint64_t bytes;
    std::uint32_t ants;
    std::vector<std::uint16_t> solutions;
    std::vector<std::int64_t> costs;
    std::vector<std::uint64_t> found, trail;
    std::vector<kernels::DepositReference> references;
    std::int64_t cost(std::uint64_t k) const { return costs[k]; }
    const std::uint16_t* solution(std::uint64_t k) const { return solutions.data() + k * (bytes / 2); }
};

std::string text_of(double value) {
    std::ostringstream text;
    text.precision(17);
    text << value;
    return text.str();
}

struct Setting {
    Setting(const Given& problem_given, const cas::PaperParameters& paper, std::uint32_t colonies,
            std::uint32_t exchange_every = 0)
        : problem(host, problem_given),
          population(host.get(), problem.get(),
                     {{"ants", std::to_string(paper.ants)},
                      {"rho", text_of(paper.rho)},
                      {"gamma", text_of(paper.gamma)},
                      {"p_best", text_of(paper.p_best)},
                      {"colonies", std::to_string(colonies)},
                      {"exchange_every", std::to_string(exchange_every)}},
                     *run.get()),
          free(sdk::free_positions(problem.ref())),
          rules(cas::make_rules(paper, static_cast<std::uint32_t>(free.size()))),
          trail_size(free.size() * problem.ref().length()) {}

    /// Makes iteration t, counted from 0 as in the paper.
    void iterate(std::uint64_t t) {
        if (t == 0) population.algorithm.start(population.steps());
        population.algorithm.generation(population.steps(), t + 1);
    }
    State state() {
        const cas::View& v = population.view();
        const std::uint64_t ants = v.all_ants, colonies = ants / v.rules.ants;
        return {problem.ref().solution_bytes(),
                v.rules.ants,
                {v.ants, v.ants + ants * v.stride},
                {v.costs, v.costs + ants},
                {v.found, v.found + ants},
                {v.trail, v.trail + colonies * trail_size},
                {v.references, v.references + colonies}};
    }

    TestHost host;
    TestProblem<ToyOrdering> problem;
    TestRun run{17, 1, 1};
    test::HostPopulation<cas::Cas> population;
    std::vector<std::uint16_t> free;
    kernels::TrailRules rules;
    std::uint64_t trail_size;
};

}  // namespace

namespace {

/// Checks a colony's trails in `after` against limits. The limits follow from the deposits of the colony's ants in
/// `before`, the state one iteration earlier. Returns whether some trail is at the lower limit, and whether some trail
/// is at the upper limit.
std::pair<bool, bool> check_trails(const Setting& setting, const State& before, const State& after,
                                   std::uint32_t colony) {
    std::uint64_t deposits = 0;
    for (std::uint32_t k = colony * before.ants; k < (colony + 1) * before.ants; ++k) {
        deposits += kernels::deposit(setting.rules, before.references[colony], before.cost(k));
    }
    const kernels::TrailLimits limits = kernels::trail_limits(setting.rules, deposits);
    std::pair<bool, bool> reached{false, false};
    for (std::uint64_t k = 0; k < setting.trail_size; ++k) {
        const std::uint64_t trail = after.trail[colony * setting.trail_size + k];
        REQUIRE(trail >= limits.least);
        REQUIRE(trail <= limits.most);
        reached.first = reached.first || trail == limits.least;
        reached.second = reached.second || trail == limits.most;
    }
    return reached;
}

}  // namespace

TEST_CASE("every trail stays inside the limits of its iteration, and the limits are reached") {
    for (const std::uint32_t ants : {1u, 12u}) {
        for (const double rho : {0.0, 0.5, 0.98}) {
            Setting setting({{"n", "15"}}, {ants, rho, 0.4, 0.05}, 2);
            setting.iterate(0);
            bool least_seen = false, most_seen = false;
            for (std::uint64_t t = 1; t < 60; ++t) {
                const State before = setting.state();
                setting.iterate(t);
                for (std::uint32_t c = 0; c < 2; ++c) {
                    const auto [least, most] = check_trails(setting, before, setting.state(), c);
                    least_seen = least_seen || least;
                    most_seen = most_seen || most;
                }
            }
            CHECK(least_seen);
            CHECK((most_seen || ants > 1 || rho > 0.5));
        }
    }
}

TEST_CASE("the update is equation 1: evaporation and one deposit per ant at its own assignments") {
    Setting setting({{"n", "11"}, {"fix_first", "true"}}, {7, 0.75, 0.5, 0.005}, 1);
    for (std::uint64_t t = 0; t < 5; ++t) setting.iterate(t);
    const State before = setting.state();
    setting.population.algorithm.update_trail(setting.population.steps());
    const State after = setting.state();
    std::uint64_t deposits = 0;
    std::vector<std::uint64_t> expected = before.trail;
    for (std::uint64_t& trail : expected) trail = trail * 49152 / 65536;
    for (std::uint32_t k = 0; k < 7; ++k) {
        const std::uint64_t own = kernels::deposit(setting.rules, before.references[0], before.cost(k));
        deposits += own;
        for (std::size_t i = 0; i < setting.free.size(); ++i) {
            expected[i * 11 + before.solution(k)[setting.free[i]]] += own;
        }
    }
    const std::uint64_t most = deposits * 4;
    const auto least = static_cast<std::uint64_t>(static_cast<double>(most) * cas::least_trail_share(10, 0.005));
    for (std::size_t k = 0; k < expected.size(); ++k) {
        if (expected[k] >= most)
            CHECK(after.trail[k] == most);
        else if (expected[k] > least)
            CHECK(after.trail[k] == expected[k]);
        else
            CHECK(static_cast<double>(after.trail[k]) == doctest::Approx(static_cast<double>(least)).epsilon(1e-6));
    }
}

TEST_CASE("every first trail is tau_max") {
    Setting setting({{"n", "9"}}, {6, 0.5, 0.4, 0.005}, 2);
    setting.iterate(0);
    const State state = setting.state();
    for (std::uint32_t c = 0; c < 2; ++c) {
        std::uint64_t deposits = 0;
        for (std::uint32_t k = c * 6; k < c * 6 + 6; ++k) {
            deposits += kernels::deposit(setting.rules, state.references[c], state.cost(k));
        }
        for (std::uint64_t k = 0; k < setting.trail_size; ++k) {
            REQUIRE(state.trail[c * setting.trail_size + k] == 2 * deposits);
        }
    }
}

TEST_CASE("an ant never gets worse, and its cost and iteration are those of its solution") {
    Setting setting({{"n", "13"}}, {9, 0.5, 0.4, 0.005}, 2);
    setting.iterate(0);
    std::uint32_t improvements = 0;
    for (std::uint64_t t = 1; t < 40; ++t) {
        const State before = setting.state();
        setting.iterate(t);
        const State after = setting.state();
        for (std::uint32_t k = 0; k < 18; ++k) {
            CHECK(after.cost(k) == setting.problem.object().cost(after.solution(k)));
            const bool same = std::memcmp(after.solution(k), before.solution(k), after.bytes) == 0;
            CHECK((same ? after.cost(k) == before.cost(k) : after.cost(k) < before.cost(k)));
            CHECK(after.found[k] == (same ? before.found[k] : t));
            improvements += same ? 0 : 1;
        }
    }
    CHECK(improvements > 20);
}

TEST_CASE("a newcomer replaces the worst ant, once, and only if it is better") {
    Setting setting({{"n", "10"}}, {4, 0.5, 0.4, 0.005}, 2, 1);
    setting.iterate(0);
    const State before = setting.state();
    const auto ends = [&](std::uint32_t colony) {
        const auto first = before.costs.begin() + colony * 4;
        const auto [best, worst] = std::minmax_element(first, first + 4);
        return std::pair(best - before.costs.begin(), worst - before.costs.begin());
    };
    REQUIRE(setting.population.algorithm.meet(*setting.population.all, 1));
    const State after = setting.state();
    for (std::uint32_t colony = 0; colony < 2; ++colony) {
        const auto best = static_cast<std::uint64_t>(ends(1 - colony).first);
        const auto worst = static_cast<std::uint64_t>(ends(colony).second);
        const bool better = before.costs[best] < before.costs[worst];
        for (std::uint64_t k = colony * 4; k < colony * 4 + 4; ++k) {
            const std::uint64_t from = better && k == worst ? best : k;
            CHECK(std::memcmp(after.solution(k), before.solution(from), after.bytes) == 0);
            CHECK(after.costs[k] == before.costs[from]);
            CHECK(after.found[k] == before.found[from]);
        }
    }
    REQUIRE(setting.population.algorithm.meet(*setting.population.all, 2));
    CHECK(setting.state().solutions == after.solutions);  // a second exchange brings nothing new
}
