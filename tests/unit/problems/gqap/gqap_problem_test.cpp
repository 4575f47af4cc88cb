// SPDX-License-Identifier: Apache-2.0
#include "problems/gqap/gqap_problem.hpp"

#include <doctest/doctest.h>

#include "gqap_test_data.hpp"

using namespace qapfw;
using namespace qapfw::gqap;
using namespace qapfw::gqap::test;

namespace {

std::string collected(const std::function<void(const sdk::Emit&)>& call) {
    std::string all;
    const auto take = [](void* user, const char* name, const char*, const void* bytes, std::uint64_t size) {
        *static_cast<std::string*>(user) +=
            std::string(name) + ":\n" + std::string(static_cast<const char*>(bytes), size);
    };
    call(sdk::Emit(take, &all));
    return all;
}

}  // namespace

TEST_CASE("gqap: a solution's text has items, loads and what is beyond a capacity, by name") {
    const GqapProblem problem(read_gqap(kSmall, "small"));
    std::vector<unsigned char> solution(problem.info().encoding.solution_bytes);
    problem.store({0, 0, 1, 1}, solution.data());
    CHECK(problem.capacity_text({0, 0, 1, 1}) == "all capacities are kept");
    CHECK(problem.capacity_text({0, 0, 0, 1}) == "NOT FEASIBLE: location \"Hall A\" holds 13 (1 beyond its capacity)");
    const std::string drawn = collected([&](const sdk::Emit& emit) { problem.draw(solution.data(), emit); });
    CHECK(drawn.find("all capacities are kept: \"Hall A\" 11/12, \"Hall B\" 9/9\n") != drawn.npos);
    CHECK(drawn.find("location \"Hall B\", 9 of 9: Paint, Saw\n") != drawn.npos);
    const std::string files =
        collected([&](const sdk::Emit& emit) { problem.write_artefacts(solution.data(), {}, emit); });
    CHECK(files.find("Hall A,11,12,2\nHall B,9,9,2\n") != files.npos);
}

TEST_CASE("gqap: solutions are read as numbers and as a table, and mistakes are reported") {
    const GqapProblem problem(read_gqap(kSmall, "small"));
    std::vector<unsigned char> solution(problem.info().encoding.solution_bytes);
    const auto read = [&](const char* text) {
        problem.read_solution(text, solution.data());
        return problem.locations_of(solution.data());
    };
    const std::vector<std::uint32_t> wanted{1, 0, 0, 1};
    CHECK(read("1\n0\n0\n1\n") == wanted);
    CHECK(read("facility,location\nPress,Hall B\nLathe,Hall A\nPaint,Hall A\nSaw,Hall B\n") == wanted);
    CHECK(message_of([&] { read("1 0 0 2"); }) ==
          "the assignment:1: a location's number is 2; a number from 0 to 1 was wanted");
    CHECK(message_of([&] { read("1 0 0"); }) ==
          "the assignment:1: wanted a location's number, found the end of the file");
    CHECK(message_of([&] { read("Press,Hall B\n"); }) == "the assignment: item \"Lathe\" has no location");
}

TEST_CASE("gqap: a cost is explained by its flows, its assignments and what is beyond the capacities") {
    const auto parts_of = [](const GqapProblem& problem, const std::vector<std::uint32_t>& at) {
        std::vector<unsigned char> solution(problem.info().encoding.solution_bytes);
        problem.store(at, solution.data());
        std::vector<std::pair<std::string, double>> parts;
        const auto take = [](void* user, const char* name, double value) {
            static_cast<decltype(parts)*>(user)->emplace_back(name, value);
        };
        problem.explain(solution.data(), sdk::EmitPart(take, &parts));
        return parts;
    };
    const GqapProblem problem(read_gqap(kSmall, "small"));
    const std::vector<std::uint32_t> at{0, 0, 0, 1};
    const auto parts = parts_of(problem, at);
    REQUIRE(parts.size() == 3);
    // Distance within Hall A: 1; from Hall A to Hall B: 4. The flows 3, 2 and 5 stay in Hall A; the flow 1 goes from
    // Press to Saw in Hall B. The flow from Paint to itself counts as a cost of Paint's assignment.
    CHECK((parts[0].first == "flows" && parts[1].first == "assignments" && parts[2].first == "beyond capacities"));
    CHECK(parts[0].second + parts[1].second == cost_of_small(at));
    CHECK(parts[1].second == 7 + 2 + 3 + 0 + 2 * 1);
    CHECK(parts[2].second == 1);
    std::string text = std::string(kSmall) + "maximise\n";
    const auto worths = parts_of(GqapProblem(read_gqap(text, "small")), at);
    CHECK((worths[0].second == parts[0].second && worths[1].second == parts[1].second));
    text.erase(text.find("5 6 2 7"), std::string("5 6 2 7\n12 9\n").size());
    CHECK(parts_of(GqapProblem(read_gqap(text, "small")), at).size() == 2);
}

TEST_CASE("gqap: fixed items and capacities are told to the searches") {
    const GqapProblem problem(read_gqap(std::string(kSmall) + "fixed Saw = Hall B\n", "small"));
    const qapfw_encoding& encoding = problem.info().encoding;
    REQUIRE(encoding.fixed != nullptr);
    CHECK((encoding.fixed[3] == 1 && encoding.fixed[0] == 0));
    CHECK(sdk::element_at(encoding.segments[0], encoding.fixed_solution, 3) == 1);
    CHECK(encoding.segments[0].bound == 2);
    CHECK(encoding.segments[0].capacities[0] == 12);
}

TEST_CASE("gqap: the sentence on capacities names a few locations and counts the others") {
    std::string text = "8 8 1\n";
    for (int row = 0; row < 24; ++row) text += "0 0 0 0 0 0 0 0\n";
    const GqapProblem problem(read_gqap(text + "2 2 2 2 2 2 2 2\n3 3 3 3 3 3 3 3\n", "eight"));
    CHECK(problem.capacity_text({0, 0, 1, 1, 2, 3, 4, 5}) ==
          "NOT FEASIBLE: location 1 holds 4 (1 beyond its capacity), location 2 holds 4 (1 beyond its capacity)");
    CHECK(
        problem.capacity_text({0, 0, 1, 1, 2, 2, 3, 3})
            .ends_with("location 3 holds 4 (1 beyond its capacity); further locations beyond their capacity: 1; total "
                       "weight beyond all capacities: 4"));
}

TEST_CASE("gqap: a solution that keeps the capacities is known from the beginning, and one that does not says so") {
    const GqapProblem problem(read_gqap(kSmall, "small"));
    std::vector<unsigned char> solution(problem.info().encoding.solution_bytes);
    REQUIRE(problem.feasible_start(solution.data()));
    CHECK(problem.infeasibility(solution.data()).empty());
    problem.store({0, 0, 0, 1}, solution.data());
    CHECK(problem.infeasibility(solution.data()) == "location \"Hall A\" holds 13 (1 beyond its capacity)");
    std::string free = kSmall;
    free.erase(free.find("5 6 2 7"), std::string("5 6 2 7\n12 9\n").size());
    const GqapProblem unbounded(read_gqap(free, "small"));
    CHECK(!unbounded.feasible_start(solution.data()));
    CHECK(unbounded.infeasibility(solution.data()).empty());
}

TEST_CASE("gqap: loads.csv quotes names as spreadsheets do") {
    std::string text = kSmall;
    text.replace(text.find("Hall A"), 6, "Hall \"A\"");
    const GqapProblem problem(read_gqap(text, "small"));
    std::vector<unsigned char> solution(problem.info().encoding.solution_bytes);
    problem.store({0, 0, 1, 1}, solution.data());
    const std::string files =
        collected([&](const sdk::Emit& emit) { problem.write_artefacts(solution.data(), {}, emit); });
    CHECK(files.find("\"Hall \"\"A\"\"\",11,12,2\n") != files.npos);
}
