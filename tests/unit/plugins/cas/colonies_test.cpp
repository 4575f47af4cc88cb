// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cstring>

#include "plugins/cas/colonies.hpp"
#include "qapfw/sdk/free_positions.hpp"
#include "tests/support/test_host.hpp"
#include "tests/support/toy_problems.hpp"
#include "tests/unit/plugins/cas/cas_test_tools.hpp"

namespace {

using namespace qapfw;
using test::Given;
using test::TestHost;
using test::TestProblem;
using test::TestRun;
using test::ToyOrdering;

cas::CasOptions options_for(const sdk::ProblemRef& problem, const cas::PaperParameters& paper, std::uint32_t colonies) {
    cas::CasOptions options{};
    options.free = sdk::free_positions(problem);
    options.rules = cas::make_rules(paper, static_cast<std::uint32_t>(options.free.size()));
    options.thresholds = cas::cunning_thresholds(static_cast<std::uint32_t>(options.free.size()), paper.gamma);
    options.colonies = colonies;
    options.values = problem.length();
    options.seed = 17;
    return options;
}

struct Setting {
    Setting(const Given& problem_given, const cas::PaperParameters& paper, std::uint32_t colonies)
        : problem(host, problem_given),
          options(options_for(problem.ref(), paper, colonies)),
          colonies_(cas::make_cpu_colonies(sdk::Host(host.get()), problem.ref(), nullptr, options)) {}

    void iterate(std::uint64_t t) {
        const sdk::Run services(run.get());
        if (t == 0) {
            colonies_->sample_randomly(services, {});
        } else {
            colonies_->update_trail();
            colonies_->construct(t, services);
        }
        colonies_->select(t, false);
    }
    cas::ColonyState state() {
        std::optional<cas::ColonyState> copy;
        colonies_->change([&](cas::ColonyState& s) { copy = s; });
        return *copy;
    }

    TestHost host;
    TestProblem<ToyOrdering> problem;
    TestRun run{1, 1, 1};
    cas::CasOptions options;
    std::unique_ptr<cas::Colonies> colonies_;
};

}  // namespace

namespace {

/// Checks all trails of a colony after an iteration against the limits of the deposits before it; tells whether some
/// trail stands at the least and at the largest value.
std::pair<bool, bool> check_trails(const cas::CasOptions& options, const cas::ColonyState& before,
                                   const cas::ColonyState& after, std::uint32_t colony) {
    std::uint64_t deposits = 0;
    for (std::uint32_t k = colony * before.ants; k < (colony + 1) * before.ants; ++k) {
        deposits += kernels::deposit(options.rules, before.references[colony], before.cost(k));
    }
    const kernels::TrailLimits limits = kernels::trail_limits(options.rules, deposits);
    std::pair<bool, bool> reached{false, false};
    for (std::uint64_t k = 0; k < options.trail_size(); ++k) {
        const std::uint64_t trail = after.trail[colony * options.trail_size() + k];
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
                const cas::ColonyState before = setting.state();
                setting.iterate(t);
                for (std::uint32_t c = 0; c < 2; ++c) {
                    const auto [least, most] = check_trails(setting.options, before, setting.state(), c);
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
    const cas::ColonyState before = setting.state();
    setting.colonies_->update_trail();
    const cas::ColonyState after = setting.state();
    std::uint64_t deposits = 0;
    std::vector<std::uint64_t> expected = before.trail;
    for (std::uint64_t& trail : expected) trail = trail * 49152 / 65536;
    for (std::uint32_t k = 0; k < 7; ++k) {
        const std::uint64_t own = kernels::deposit(setting.options.rules, before.references[0], before.cost(k));
        deposits += own;
        for (std::size_t i = 0; i < setting.options.free.size(); ++i) {
            expected[i * 11 + sdk::permutation_of(before.solution(k))[setting.options.free[i]]] += own;
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
    const cas::ColonyState state = setting.state();
    for (std::uint32_t c = 0; c < 2; ++c) {
        std::uint64_t deposits = 0;
        for (std::uint32_t k = c * 6; k < c * 6 + 6; ++k) {
            deposits += kernels::deposit(setting.options.rules, state.references[c], state.cost(k));
        }
        for (std::uint64_t k = 0; k < setting.options.trail_size(); ++k) {
            REQUIRE(state.trail[c * setting.options.trail_size() + k] == 2 * deposits);
        }
    }
}

TEST_CASE("an ant never gets worse, and its cost and iteration are those of its solution") {
    Setting setting({{"n", "13"}}, {9, 0.5, 0.4, 0.005}, 2);
    setting.iterate(0);
    std::uint32_t improvements = 0;
    for (std::uint64_t t = 1; t < 40; ++t) {
        const cas::ColonyState before = setting.state();
        setting.iterate(t);
        const cas::ColonyState after = setting.state();
        for (std::uint32_t k = 0; k < 18; ++k) {
            CHECK(after.cost(k) == setting.problem.object().cost(sdk::permutation_of(after.solution(k))));
            const bool same = std::memcmp(after.solution(k), before.solution(k), after.bytes) == 0;
            CHECK((same ? after.cost(k) == before.cost(k) : after.cost(k) < before.cost(k)));
            CHECK(after.found[k] == (same ? before.found[k] : t));
            improvements += same ? 0 : 1;
        }
    }
    CHECK(improvements > 20);
}

TEST_CASE("colonies of one process and of two processes draw the same numbers") {
    Setting both({{"n", "10"}}, {5, 0.5, 0.4, 0.005}, 2);
    Setting second({{"n", "10"}}, {5, 0.5, 0.4, 0.005}, 1);
    second.options.first_colony = 1;
    second.colonies_ =
        cas::make_cpu_colonies(sdk::Host(second.host.get()), second.problem.ref(), nullptr, second.options);
    for (std::uint64_t t = 0; t < 10; ++t) {
        both.iterate(t);
        second.iterate(t);
    }
    const cas::ColonyState all = both.state(), own = second.state();
    for (std::uint32_t k = 0; k < 5; ++k) CHECK(std::memcmp(all.solution(5 + k), own.solution(k), all.bytes) == 0);
    CHECK(std::equal(own.trail.begin(), own.trail.end(), all.trail.begin() + 100));
}

TEST_CASE("a newcomer replaces the worst ant, once, and only if it is better") {
    Setting setting({{"n", "10"}}, {4, 0.5, 0.4, 0.005}, 2);
    setting.iterate(0);
    cas::ColonyState state = setting.state();
    const cas::Champion best = cas::champion(state, 1);
    std::int64_t worst = state.cost(0);
    for (std::uint32_t k = 0; k < 4; ++k) worst = std::max(worst, state.cost(k));
    REQUIRE(best.cost < worst);
    cas::immigrate(state, 0, best);
    std::uint32_t copies = 0;
    for (std::uint32_t k = 0; k < 4; ++k) {
        if (std::memcmp(state.solution(k), best.solution.data(), state.bytes) == 0) ++copies;
    }
    CHECK(copies == 1);
    const std::vector<unsigned char> once = state.solutions;
    cas::immigrate(state, 0, best);
    CHECK(state.solutions == once);
    cas::Champion bad = best;
    bad.cost = worst + 1'000'000;
    bad.solution[0] ^= 1;
    cas::immigrate(state, 0, bad);
    CHECK(state.solutions == once);
}
