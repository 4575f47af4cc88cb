// SPDX-License-Identifier: Apache-2.0
// Services for authors of plugins: single moves, files by name, short rounds, and the base class of small problems.
#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <vector>

#include "qapfw/sdk/find_file.hpp"
#include "qapfw/sdk/moves.hpp"
#include "qapfw/sdk/permutation_problem.hpp"
#include "qapfw/sdk/plugin.hpp"
#include "qapfw/sdk/round_length.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/test_solver.hpp"
#include "tests/support/toy_problems.hpp"

namespace qapfw {
namespace {

std::vector<unsigned char> identity_of(const sdk::ProblemRef& problem) {
    std::vector<unsigned char> solution(problem.solution_bytes());
    sdk::base_solution(problem, solution.data());
    return solution;
}

TEST_CASE("every exchange and insertion has the delta of full evaluations") {
    test::TestHost host;
    for (const char* fix : {"false", "true"}) {
        test::TestProblem<test::ToyOrdering> problem(host, {{"n", "8"}, {"fix_first", fix}});
        const sdk::ProblemRef ref = problem.ref();
        const std::vector<std::uint16_t> free = sdk::free_positions(ref);
        sdk::Moves moves(ref);
        const auto begin = identity_of(ref);
        moves.reset(begin.data());
        for (std::size_t a = 0; a < free.size(); ++a) {
            for (std::size_t b = 0; b < free.size(); ++b) {
                for (const bool inserts : {false, true}) {
                    const auto* now = static_cast<const unsigned char*>(moves.solution());
                    std::vector<unsigned char> wanted(now, now + ref.solution_bytes());
                    std::uint16_t* p = sdk::permutation_of(wanted.data());
                    if (inserts) {
                        // Moves the element at the a-th free position to the b-th. Fixed positions are skipped.
                        std::vector<std::uint16_t> order;
                        for (const std::uint16_t at : free) order.push_back(p[at]);
                        const std::uint16_t taken = order[a];
                        order.erase(order.begin() + static_cast<std::ptrdiff_t>(a));
                        order.insert(order.begin() + static_cast<std::ptrdiff_t>(b), taken);
                        for (std::size_t k = 0; k < free.size(); ++k) p[free[k]] = order[k];
                    } else {
                        std::swap(p[free[a]], p[free[b]]);
                    }
                    const std::int64_t delta =
                        (inserts ? moves.propose_insertion(free[a], free[b]) : moves.propose_exchange(free[a], free[b]))
                            .i;
                    CHECK(delta == ref.evaluate_one(wanted.data()).i - moves.cost().i);
                    CHECK(moves.is_better() == (delta < 0));
                    moves.accept();
                    CHECK(
                        std::equal(wanted.begin(), wanted.end(), static_cast<const unsigned char*>(moves.solution())));
                    CHECK(moves.cost().i == ref.evaluate_one(wanted.data()).i);
                }
            }
        }
        CHECK(moves.evaluations() == 1 + 2 * free.size() * free.size());
    }
}

TEST_CASE("a move that may not be made is refused with a message") {
    test::TestHost host;
    test::TestProblem<test::ToyOrdering> problem(host, {{"n", "5"}, {"fix_first", "true"}});
    sdk::Moves moves(problem.ref());
    const auto begin = identity_of(problem.ref());
    moves.reset(begin.data());
    CHECK_THROWS_WITH_AS(moves.propose_exchange(0, 2),
                         "a move of position 0: wanted a position below 5 whose element is not fixed", Error);
    CHECK_THROWS_WITH_AS(moves.propose_insertion(1, 5),
                         "a move of position 5: wanted a position below 5 whose element is not fixed", Error);
    CHECK_THROWS_WITH_AS(moves.accept(), "accept needs a proposed move, and accepts a move only once", Error);
}

TEST_CASE("a file is found by its path, its name in a data folder, or with an ending") {
    const test::TemporaryFolder folder;
    std::filesystem::create_directories(folder.path() / "data/b");
    std::filesystem::create_directories(folder.path() / "data/a");
    for (const char* name : {"here.dat", "data/top.dat", "data/b/deep.dat", "data/a/deep.dat"})
        std::ofstream(folder.path() / name) << "1";
    const std::string data = folder.path() / "data";
    test::TestHost test_host({data});
    const sdk::Host host(test_host.get());
    const std::string here = folder.path() / "here.dat";
    CHECK(sdk::find_file(host, here) == here);
    CHECK(sdk::find_file(host, folder.path() / "here", {".txt", ".dat"}) == here);
    CHECK(sdk::find_file(host, "top.dat") == data + "/top.dat");
    CHECK(sdk::find_file(host, "deep", {".dat"}) == data + "/a/deep.dat");
    CHECK_THROWS_WITH_AS(sdk::find_file(host, "none"),
                         ("\"none\": wanted a file, or the name of one in the data folders (" + data + ")").c_str(),
                         Error);
    const test::TestHost without;
    CHECK_THROWS_WITH_AS(
        sdk::find_file(sdk::Host(without.get()), "none"),
        "\"none\": wanted a file, or the name of one in the data folders (none is given; use --data FOLDER)", Error);
}

TEST_CASE("a round of a problem that may be expensive is bounded by its evaluations") {
    test::TestHost host;
    test::TestProblem<test::ToyOrdering> problem(host, {{"n", "5"}});
    CHECK(sdk::evaluates_alone(problem.ref()));
    CHECK(sdk::bounded_round(problem.ref(), 100, 500) == 10);
    CHECK(sdk::bounded_round(problem.ref(), 1, 500) == 500);
    CHECK(sdk::bounded_round(problem.ref(), 5000, 500) == 1);
    CHECK(sdk::bounded_round(problem.ref(), 0, 500) == 500);
}

constexpr sdk::ParameterTable kSmallProblem{sdk::integer("n", 4).range(0, 100'000).summary("Elements.")};

/// A problem whose cost is the sum of position * element / 2.
template <class Cost>
class SmallProblem : public sdk::PermutationProblem<SmallProblem<Cost>> {
  public:
    static constexpr auto& kParameters = kSmallProblem;
    SmallProblem(const sdk::Host&, const sdk::Parameters& parameters)
        : sdk::PermutationProblem<SmallProblem<Cost>>(
              {.n = static_cast<std::uint64_t>(parameters.integer("n")), .instance = "small"}) {}
    Cost cost(const std::uint16_t* order) const {
        Cost sum = 0;
        for (std::uint32_t k = 0; k < this->n(); ++k) sum += static_cast<Cost>(k) * static_cast<Cost>(order[k]) / 2;
        return sum;
    }
};

TEST_CASE("a problem written as its cost alone evaluates, reads and writes solutions") {
    test::TestHost host;
    test::TestProblem<SmallProblem<std::int64_t>> whole(host, {});
    test::TestProblem<SmallProblem<double>> real(host, {});
    CHECK(whole.ref().has_integer_costs());
    CHECK_FALSE(real.ref().has_integer_costs());
    auto solution = identity_of(whole.ref());
    CHECK(whole.ref().evaluate_one(solution.data()).i == 0 + 2 + 4);  // the terms 1/2, 4/2 and 9/2, each rounded down
    CHECK(real.ref().evaluate_one(solution.data()).f == 0.5 + 2 + 4.5);
    const auto& info = whole.ref().info();
    CHECK(std::string(info.instance) == "small");
    CHECK(std::string(info.summary) == "4 elements");

    const auto* table = whole.ref().get()->table;
    const auto read = [&](const std::string& text) {
        host.error.clear();
        table->read_solution(whole.ref().get()->problem, text.data(), text.size(), solution.data());
        return host.error;
    };
    CHECK(read(" 3 1\n2\t0\n") == "");
    CHECK(sdk::permutation_of(solution.data())[0] == 3);
    CHECK(read("3 1 2") == "solution: wanted 4 elements, found only 3");
    CHECK(read("3 1 2 0 7") == "solution: wanted 4 elements, found more text after them");
    CHECK(read("3 1 2 4") == "solution: wanted each of 0 to 3 once, found 4 at position 3");
    CHECK(read("3 1 2 3") == "solution: wanted each of 0 to 3 once, found 3 a second time at position 3");
    CHECK(read("3 1 2 99999") == "solution: wanted 4 elements, found a number that is too large, after 3 others");

    CHECK(read("2 0 3 1") == "");
    std::string written;
    table->write_artefacts(
        whole.ref().get()->problem, solution.data(), {},
        [](void* user, const char*, const char*, const void* bytes, std::uint64_t size) {
            static_cast<std::string*>(user)->assign(static_cast<const char*>(bytes), size);
        },
        &written);
    CHECK(written == "2\n0\n3\n1\n");
    CHECK(read(written) == "");
}

/// An improver that swaps the first two elements if this lowers the cost. Draws no random number.
struct OneExchange {
    OneExchange(const sdk::Host&, const sdk::Parameters&, const sdk::ProblemRef& of) : problem(of) {}
    std::uint64_t improve(void* solution, qapfw_cost& cost, const sdk::ImproveCall& call) const {
        if (call.should_stop()) return 0;
        sdk::Moves moves(problem);
        moves.reset(solution, cost);
        moves.propose_exchange(0, 1);
        if (moves.is_better()) moves.accept();
        moves.give(solution, cost);
        return moves.evaluations();
    }
    sdk::ProblemRef problem;
};

TEST_CASE("an improver written for one solution works on batches") {
    test::TestHost host;
    test::TestProblem<test::ToyOrdering> problem(host, {{"n", "6"}});
    const auto component = sdk::improver_component<OneExchange>({.id = "one_exchange", .version = "1", .summary = "x"});
    const auto* table = static_cast<const qapfw_improver_table*>(component.table);
    auto values = test::Values::of<OneExchange>({});
    qapfw_improver* improver = nullptr;
    REQUIRE(table->create(host.get(), values.get(), problem.ref().get(), &improver) == QAPFW_OK);
    qapfw_workspace* workspace = nullptr;
    REQUIRE(table->create_workspace(improver, &workspace) == QAPFW_OK);
    const auto one = identity_of(problem.ref());
    std::vector<unsigned char> both(one);
    both.insert(both.end(), one.begin(), one.end());
    std::uint16_t* second = sdk::permutation_of(both.data() + one.size());
    std::swap(second[0], second[1]);
    std::vector<qapfw_cost> costs(2);
    problem.ref().evaluate({both.data(), costs.data(), 2});
    const std::int64_t least = std::min(costs[0].i, costs[1].i);
    std::uint64_t evaluations = 0;
    const qapfw_improve_request request{sizeof request, 0, 1, 0, 0, 0, nullptr, nullptr, 0, 0};
    REQUIRE(table->improve(workspace, std::vector<qapfw_batch>{{both.data(), costs.data(), 2}}.data(), &request,
                           &evaluations) == QAPFW_OK);
    CHECK(evaluations == 2);
    CHECK(costs[0].i == least);
    CHECK(costs[1].i == least);
    CHECK(std::equal(one.begin(), one.end(), both.data() + one.size()) == (both[0] == one[0]));
    table->destroy_workspace(workspace);
    table->destroy(improver);
}

}  // namespace
}  // namespace qapfw
