// SPDX-License-Identifier: Apache-2.0
#include "framework/engine/incumbent.hpp"

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <algorithm>

#include "tests/unit/framework/engine/test_algorithms.hpp"

using namespace qapfw::framework;
using namespace qapfw::framework::testing;

namespace {

class RoundingToy : public Toy {
  public:
    using Toy::Toy;
    bool has_approximate_device() const { return true; }
};
constexpr qapfw_component kRoundingToy =
    qapfw::sdk::problem_component<RoundingToy>({.id = "toy", .version = "1", .summary = "A toy problem."});
const Component kRoundingComponent{&kRoundingToy, &kTestPlugin, "/test.so", "00ff"};

/// The toy problem with `component`, or with its usual component if `component` is null.
Choice toy_choice(const Component* component) {
    Choice choice = test_problem();
    if (component != nullptr) choice.component = component;
    return choice;
}

struct Bench {
    explicit Bench(const Component* component = nullptr, bool on_device = false)
        : choice(toy_choice(component)), incumbent(problem, on_device) {}
    Host host{1, {}};
    Choice choice;
    Problem problem{host, choice};
    Incumbent incumbent;

    /// The permutation 0 .. 8 with positions i and j swapped, and its cost.
    CostedSolution solution(std::uint32_t i, std::uint32_t j) {
        std::vector<std::uint32_t> p(Toy::kSize);
        for (std::uint32_t k = 0; k < Toy::kSize; ++k) p[k] = k;
        std::swap(p[i], p[j]);
        SolutionBuffer buffer(problem.info().encoding.solution_bytes);
        store_values(problem.info().encoding, {p}, buffer.data());
        return {problem.evaluate(buffer.data()), {p}};
    }
    std::vector<CostedSolution> all_sorted() {
        std::vector<CostedSolution> all;
        for (std::uint32_t i = 0; i < Toy::kSize; ++i) {
            for (std::uint32_t j = i + 1; j < Toy::kSize; ++j) all.push_back(solution(i, j));
        }
        std::sort(all.begin(), all.end(),
                  [](const CostedSolution& a, const CostedSolution& b) { return a.cost.i > b.cost.i; });
        return all;
    }
};

}  // namespace

TEST_CASE("improvements are kept best first, at most ten, and worse solutions are not") {
    Bench bench;
    const auto all = bench.all_sorted();  // worst first
    std::size_t improvements = 0;
    for (const CostedSolution& solution : all) improvements += bench.incumbent.offer(solution, "test") ? 1u : 0u;
    CHECK(improvements > 10);
    CHECK(bench.incumbent.all().size() == Incumbent::kSolutions);
    CHECK(bench.incumbent.best().cost.i == all.back().cost.i);
    for (std::size_t k = 1; k < bench.incumbent.all().size(); ++k) {
        CHECK(bench.incumbent.all()[k - 1].cost.i <= bench.incumbent.all()[k].cost.i);
        CHECK(bench.incumbent.all()[k - 1].values != bench.incumbent.all()[k].values);
    }
    CHECK_FALSE(bench.incumbent.offer(all.front(), "test"));
    CHECK_FALSE(bench.incumbent.offer(all.back(), "test"));
}

TEST_CASE("a solution that was evaluated before is taken with that cost, and no other one is") {
    Bench bench;
    const auto offer = [&](const CostedSolution& offered, const CostedSolution& known) {
        const SolutionBuffer buffer = solution_of(bench.problem.info().encoding, offered.values);
        bench.incumbent.offer(buffer.data(), offered.cost, "test", &known);
        return bench.incumbent.best().cost.i;
    };
    CostedSolution told = bench.solution(0, 1);
    const std::int64_t cost = told.cost.i;
    told.cost.i += 1000;  // wrong on purpose: if the solution were evaluated again, its cost would differ
    CHECK(offer(told, told) == cost + 1000);
    const CostedSolution other = bench.solution(2, 5);
    CHECK(offer(other, told) == other.cost.i);
}

TEST_CASE("a wrong cost is refused, but replaced by the exact one on a GPU where the problem's device code rounds") {
    for (const auto& [component, on_device] :
         {std::pair{static_cast<const Component*>(nullptr), false}, std::pair{&kRoundingComponent, false},
          std::pair{static_cast<const Component*>(nullptr), true}, std::pair{&kRoundingComponent, true}}) {
        const bool rounds = component != nullptr && on_device;
        Bench bench(component, on_device);
        const CostedSolution exact = bench.solution(1, 2);
        CostedSolution reported = exact;
        reported.cost.i -= 1;
        if (rounds) {
            CHECK(bench.incumbent.offer(reported, "test"));
        } else {
            CHECK_THROWS_AS(bench.incumbent.offer(reported, "test"), CostMismatch);
        }
        CHECK(bench.incumbent.best().cost.i == exact.cost.i);
    }
}

TEST_CASE("solutions of a checkpoint come back all, in the same order") {
    Bench bench;
    for (const CostedSolution& solution : bench.all_sorted()) bench.incumbent.offer(solution, "test");
    Incumbent again(bench.problem);
    again.restore(bench.incumbent.all(), "the checkpoint");
    REQUIRE(again.all().size() == Incumbent::kSolutions);
    for (std::size_t k = 0; k < again.all().size(); ++k) {
        CHECK(again.all()[k].values == bench.incumbent.all()[k].values);
        CHECK(again.all()[k].cost.i == bench.incumbent.all()[k].cost.i);
    }
}

TEST_CASE("a wrong cost is refused with both values, in either direction") {
    Bench bench;
    CostedSolution lie = bench.solution(0, 1);
    const std::int64_t true_cost = lie.cost.i;
    for (const std::int64_t difference : {-1, 1}) {
        Incumbent incumbent(bench.problem);
        lie.cost.i = true_cost + difference;
        CHECK_THROWS_WITH_AS(incumbent.offer(lie, "solver x"),
                             fmt::format("solver x reported cost {} for a solution that problem toy evaluates to {}",
                                         true_cost + difference, true_cost)
                                 .c_str(),
                             CostMismatch);
        CHECK(incumbent.best().cost.i == true_cost);
    }
}

TEST_CASE("a solution that is not a permutation is never accepted") {
    Bench bench;
    CostedSolution broken = bench.solution(0, 1);
    broken.values[0][3] = broken.values[0][4];
    CHECK_THROWS_AS(bench.incumbent.offer(broken, "solver x"), qapfw::Error);
    CHECK(bench.incumbent.empty());
}
