// SPDX-License-Identifier: Apache-2.0
#include "plugins/fbs_local_search/fbs_local_search.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "fbs_test_tools.hpp"
#include "problems/uaflp/uaflp_problem.hpp"
#include "tests/support/sanitized.hpp"
#include "tests/support/toy_bays.hpp"
#include "tests/support/toy_problems.hpp"

using namespace qapfw;
using namespace qapfw::fbs_local_search::test;
using qapfw::test::TestHost;
using qapfw::test::TestProblem;
using qapfw::test::ToyBays;
using qapfw::test::ToyOrdering;

namespace {

constexpr const char* kKinds[] = {"swap", "insert", "shift_border", "flip_bit", "swap_bays"};

/// Returns `given` with settings that switch on only the kinds of moves in `on`, a set of bits.
Given only(std::uint32_t on, Given given = {}) {
    for (std::uint32_t kind = 0; kind < 5; ++kind) given[kKinds[kind]] = (on >> kind & 1u) != 0 ? "true" : "false";
    return given;
}

/// ToyBays in which every third position k is fixed to element k.
class FixedBays : public ToyBays {
  public:
    FixedBays(const sdk::Host& host, const sdk::Parameters& parameters)
        : ToyBays(host, parameters), fixed_(2 * ToyBays::info().n), solution_(ToyBays::info().encoding.solution_bytes) {
        info_ = ToyBays::info();
        for (std::size_t k = 0; k < ToyBays::info().n; k += 3) fixed_[k] = 1;
        void* at = solution_.data();
        std::iota(sdk::permutation_of(at), sdk::permutation_of(at) + info_.n, std::uint16_t{0});
        info_.encoding.fixed = fixed_.data();
        info_.encoding.fixed_solution = solution_.data();
    }
    const qapfw_problem_info& info() const { return info_; }
    void evaluate(const qapfw_batch& batch) const {
        for (std::uint64_t k = 0; k < batch.count; ++k) {
            const std::uint16_t* p =
                sdk::permutation_of(sdk::solution_at(batch.solutions, info_.encoding.solution_bytes, k));
            for (std::size_t i = 0; i < ToyBays::info().n; i += 3) {
                if (p[i] != i) throw Error(ErrorKind::kInput, "a fixed position was changed");
            }
        }
        ToyBays::evaluate(batch);
    }

  private:
    std::vector<std::uint8_t> fixed_;
    std::vector<unsigned char> solution_;
    qapfw_problem_info info_{};
};

}  // namespace

TEST_CASE("without a limit it ends in a local optimum with the cost that evaluate gives") {
    TestHost host;
    TestProblem<ToyBays> problem(host, {{"n", "9"}});
    for (const char* improvement : {"first", "best"}) {
        for (const char* order : {"mixed", "descent"}) {
            CAPTURE(improvement);
            CAPTURE(order);
            Improver improver(host, problem.get(), {{"improvement", improvement}, {"order", order}});
            Bytes solution = random_solutions(problem.ref(), 1);
            qapfw_cost cost = costs_of(problem.ref(), solution)[0];
            const double before = cost.f;
            CHECK(improver.improve_one(solution, cost) > 0);
            CHECK(cost.f < before);
            CHECK(cost.f == costs_of(problem.ref(), solution)[0].f);
            CHECK(is_local_optimum(problem.ref(), solution));
        }
    }
}

TEST_CASE("each kind of move alone ends in a local optimum of that kind") {
    TestHost host;
    TestProblem<ToyBays> problem(host, {{"n", "8"}});
    for (std::uint32_t kind = 0; kind < 5; ++kind) {
        CAPTURE(kKinds[kind]);
        Improver improver(host, problem.get(), only(1u << kind));
        bool changed = false;
        for (std::uint32_t start = 0; start < 4; ++start) {
            Bytes solution = random_solutions(problem.ref(), 1, start);
            const Bytes before = solution;
            qapfw_cost cost = costs_of(problem.ref(), solution)[0];
            improver.improve_one(solution, cost);
            CHECK(is_local_optimum(problem.ref(), solution, {kind}));
            changed = changed || solution != before;
        }
        CHECK(changed);
    }
}

TEST_CASE("best improvement with a limit of one takes exactly the best neighbour and looks at each once") {
    TestHost host;
    TestProblem<ToyBays> problem(host, {{"n", "7"}});
    Improver improver(host, problem.get(), {{"improvement", "best"}, {"iterations", "1"}});
    Bytes solution = random_solutions(problem.ref(), 1), best = solution;
    qapfw_cost cost = costs_of(problem.ref(), solution)[0], least = cost;
    std::uint64_t count = 0;
    for_neighbours(problem.ref(), solution, {0, 1, 2, 3, 4}, [&](const Bytes& neighbour, qapfw_cost other) {
        ++count;
        if (!(other.f < least.f)) return;
        best = neighbour;
        least = other;
    });
    CHECK(improver.improve_one(solution, cost) == count);
    CHECK(solution == best);
    CHECK(cost.f == least.f);
}

TEST_CASE("descent comes back to the first kind after each improvement") {
    TestHost host;
    TestProblem<ToyBays> problem(host, {{"n", "9"}});
    const Bytes start = random_solutions(problem.ref(), 1, 3);
    Bytes by_hand = start;
    qapfw_cost cost = costs_of(problem.ref(), by_hand)[0];
    Improver one(host, problem.get(), {{"improvement", "best"}, {"iterations", "1"}, {"order", "descent"}});
    Improver swaps(host, problem.get(), only(1, {{"improvement", "best"}}));
    swaps.improve_one(by_hand, cost);
    one.improve_one(by_hand, cost);
    Bytes solution = start;
    qapfw_cost from_start = costs_of(problem.ref(), solution)[0];
    std::uint64_t steps = 0;
    while (from_start.f > cost.f && steps < 100) {
        one.improve_one(solution, from_start);
        ++steps;
    }
    CHECK(steps > 1);
    CHECK(solution == by_hand);  // both runs made all improving swaps before any other move
}

TEST_CASE("a budget of evaluations is kept to the last one and never makes a solution worse") {
    TestHost host;
    TestProblem<ToyBays> problem(host, {{"n", "10"}});
    for (const char* improvement : {"first", "best"}) {
        double last = 1e300;
        for (const std::uint64_t budget : {1u, 2u, 15u, 16u, 17u, 100u, 300u}) {
            CAPTURE(budget);
            Improver improver(host, problem.get(),
                              {{"improvement", improvement}, {"evaluations", std::to_string(budget)}});
            Bytes solution = random_solutions(problem.ref(), 1);
            qapfw_cost cost = costs_of(problem.ref(), solution)[0];
            const double before = cost.f;
            CHECK(improver.improve_one(solution, cost) == budget);
            CHECK(cost.f <= before);
            CHECK(cost.f == costs_of(problem.ref(), solution)[0].f);
            if (std::string(improvement) == "first") CHECK(cost.f <= last);  // a larger budget continues the same walk
            last = cost.f;
        }
    }
}

TEST_CASE("the limit on moves is kept, and a request's own comes first") {
    TestHost host;
    TestProblem<ToyBays> problem(host, {{"n", "10"}});
    Improver improver(host, problem.get(), {{"iterations", "3"}});
    Improver one(host, problem.get(), {{"iterations", "1"}});
    Bytes solution = random_solutions(problem.ref(), 1);
    const Bytes start = solution;
    qapfw_cost cost = costs_of(problem.ref(), solution)[0];
    improver.request.iterations = 1;
    improver.improve_one(solution, cost);
    Bytes expected = start;
    qapfw_cost expected_cost = costs_of(problem.ref(), expected)[0];
    one.improve_one(expected, expected_cost);
    CHECK(solution == expected);
    CHECK(solution != start);
}

TEST_CASE("a batch gives what its solutions give one by one, and other seeds walk other ways") {
    TestHost host;
    TestProblem<ToyBays> problem(host, {{"n", "11"}});
    Improver improver(host, problem.get(), {});
    constexpr std::uint32_t kSolutions = 5;
    const Bytes starts = random_solutions(problem.ref(), kSolutions);
    Bytes whole = starts, parts = starts;
    std::vector<qapfw_cost> costs = costs_of(problem.ref(), whole);
    improver.request.first_individual = 100;
    improver.request.seed = 5;
    const std::uint64_t evaluations = improver.improve(whole, costs);
    std::uint64_t sum = 0;
    const auto bytes = static_cast<std::ptrdiff_t>(problem.ref().solution_bytes());
    for (std::uint32_t k = kSolutions; k-- > 0;) {
        Bytes one(parts.begin() + k * bytes, parts.begin() + (k + 1) * bytes);
        qapfw_cost cost = costs_of(problem.ref(), one)[0];
        improver.request.first_individual = 100 + k;
        sum += improver.improve_one(one, cost);
        CHECK(cost.f == costs[k].f);
        std::copy(one.begin(), one.end(), parts.begin() + k * bytes);
    }
    CHECK(parts == whole);
    CHECK(sum == evaluations);
    Bytes other = starts;
    costs = costs_of(problem.ref(), other);
    improver.request.first_individual = 100;
    improver.request.seed = 6;
    CHECK(improver.improve(other, costs) != evaluations);
}

TEST_CASE("a stop leaves solutions that are valid and not worse") {
    TestHost host;
    TestProblem<ToyBays> problem(host, {{"n", "12"}});
    Improver improver(host, problem.get(), {});
    int left = 3;
    improver.request.stop_context = &left;
    improver.request.should_stop = [](void* context) -> std::int32_t { return --*static_cast<int*>(context) < 0; };
    Bytes solutions = random_solutions(problem.ref(), 3);
    std::vector<qapfw_cost> costs = costs_of(problem.ref(), solutions);
    const std::vector<qapfw_cost> before = costs;
    CHECK(improver.improve(solutions, costs) <= 6 * fbs_local_search::Neighbours::kBatch);
    const std::vector<qapfw_cost> real = costs_of(problem.ref(), solutions);
    for (std::size_t k = 0; k < costs.size(); ++k) {
        CHECK(costs[k].f == real[k].f);
        CHECK(costs[k].f <= before[k].f);
    }
}

TEST_CASE("fixed positions keep their departments") {
    TestHost host;
    TestProblem<FixedBays> problem(host, {{"n", "10"}});
    Improver improver(host, problem.get(), {});
    Bytes solution(problem.ref().solution_bytes(), 0);
    const auto start = view_of(problem.ref(), solution.data());
    std::iota(start.perm, start.perm + 10, std::uint16_t{0});
    start.bits[3] = start.bits[4] = start.bits[5] = 1;
    qapfw_cost cost = problem.ref().evaluate_one(solution.data());
    const double before = cost.f;
    CHECK(improver.improve_one(solution, cost) > 0);  // the call fails if a fixed position was changed
    CHECK(cost.f < before);
    for (std::uint32_t k = 0; k < 10; k += 3) CHECK(view_of(problem.ref(), solution.data()).perm[k] == k);
}

TEST_CASE("a problem's bounds change nothing but the speed" * doctest::skip(qapfw::kThreadsAlone)) {
    TestHost host;
    for (const char* instance : {"F9", "F23-s2"}) {
        for (const char* penalty : {"feasible_first", "power", "adaptive"}) {
            TestProblem<uaflp::UaflpProblem> problem(host, {{"instance", instance}, {"penalty", penalty}});
            const qapfw_problem_ref without = problem.plain();
            for (const char* improvement : {"first", "best"}) {
                CAPTURE(penalty);
                CAPTURE(improvement);
                const Given given{{"improvement", improvement}, {"order", "descent"}, {"evaluations", "2000"}};
                Improver with_bounds(host, problem.get(), given), plain(host, &without, given);
                Bytes solutions = random_solutions(problem.ref(), 4), expected = solutions;
                std::vector<qapfw_cost> costs = costs_of(problem.ref(), solutions), expected_costs = costs;
                CHECK(with_bounds.improve(solutions, costs) == plain.improve(expected, expected_costs));
                CHECK(solutions == expected);
                const std::vector<qapfw_cost> real = costs_of(problem.ref(), solutions);
                for (std::size_t k = 0; k < costs.size(); ++k) {
                    CHECK(costs[k].f == expected_costs[k].f);
                    CHECK(costs[k].f == real[k].f);
                }
            }
        }
    }
}

TEST_CASE("restarts find the proven optimum of o7") {
    const char* data = std::getenv("QAPFW_DATA");
    if (data == nullptr) {
        MESSAGE("SKIPPED: QAPFW_DATA is not set");
        return;
    }
    TestHost host({data});
    TestProblem<uaflp::UaflpProblem> problem(host, {{"instance", "o7"}});
    Improver improver(host, problem.get(), {});
    Bytes solutions = random_solutions(problem.ref(), 200);
    std::vector<qapfw_cost> costs = costs_of(problem.ref(), solutions);
    improver.improve(solutions, costs);
    const auto best = std::min_element(costs.begin(), costs.end(), problem.ref().less());
    CHECK(best->f <= problem.ref().info().best_known.f);
    CHECK(best->f > problem.ref().info().best_known.f - 2e-4);
}

TEST_CASE("a wrong encoding, and a choice without any neighbourhood, give clear errors") {
    TestHost host;
    const auto refusal = [&](const qapfw_problem_ref* problem, const Given& given) {
        qapfw::test::Values values = qapfw::test::Values::of<fbs_local_search::FbsLocalSearch>(given, 9);
        qapfw_improver* improver = nullptr;
        CHECK(Table::create(host.get(), values.get(), problem, &improver) != QAPFW_OK);
        return host.error;
    };
    TestProblem<ToyOrdering> permutation(host, {{"n", "9"}});
    CHECK(refusal(permutation.get(), {}) ==
          "improver fbs_local_search works on a permutation of n departments and n - 1 bay bits; the solutions of "
          "problem test have another form");
    TestProblem<ToyBays> bays(host, {{"n", "9"}});
    CHECK(refusal(bays.get(), only(0)) ==
          "improver fbs_local_search needs a neighbourhood: at least one of swap, insert, shift_border, flip_bit and "
          "swap_bays must be true");
}

TEST_CASE("instances of one and two departments are no special case") {
    TestHost host;
    for (const char* n : {"1", "2"}) {
        TestProblem<ToyBays> problem(host, {{"n", n}});
        for (const char* improvement : {"first", "best"}) {
            Improver improver(host, problem.get(), {{"improvement", improvement}, {"order", "descent"}});
            Bytes solution = random_solutions(problem.ref(), 1);
            qapfw_cost cost = costs_of(problem.ref(), solution)[0];
            improver.improve_one(solution, cost);
            CHECK(is_local_optimum(problem.ref(), solution));
        }
    }
}
