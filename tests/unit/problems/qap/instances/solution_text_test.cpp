// SPDX-License-Identifier: Apache-2.0
#include "problems/qap/instances/solution_text.hpp"

#include <string>

#include "problems/qap/costs/exact_cost.hpp"
#include "problems/qap/instances/best_known.hpp"
#include "problems/qap/instances/instance.hpp"
#include "problems/qap/instances/text_scanner.hpp"
#include "tests/unit/problems/qap/support.hpp"

using namespace qapfw::qap;

namespace {

const QapMatrices kThree{3, {0, 1, 2, 3, 0, 4, 5, 6, 0}, {0, 10, 20, 40, 0, 80, 160, 320, 0}};
const std::vector<uint16_t> kP{1, 2, 0};  // its inverse is 2 0 1
const std::vector<uint16_t> kInverse{2, 0, 1};

QapSolution read_solution(const std::string& text) {
    return read_solution_text(text, "s", kThree);
}

}  // namespace

TEST_CASE("every published solution has the cost that its file states") {
    const auto data = test::data_folder();
    if (!data) return;
    const BestKnownTable table = BestKnownTable::built_in();
    int checked = 0;
    for (const auto& entry : std::filesystem::directory_iterator(*data / "qaplib")) {
        if (entry.path().extension() != ".sln") continue;
        const std::string name = entry.path().stem().string();
        CAPTURE(name);
        std::filesystem::path instance = entry.path();
        instance.replace_extension(".dat");
        const QapMatrices matrices = load_instance(instance.string()).matrices;
        const QapSolution solution = read_solution_file(entry.path(), matrices);
        CHECK(solution.convention != SolutionConvention::kAssumed);
        CHECK(evaluate(matrices, solution.p.data()) == solution.cost);
        const auto known = table.lookup(name, matrices.n, 1);
        REQUIRE(known.has_value());
        CHECK(known->value <= solution.cost);
        // The published solution of tai100a is older than its best-known value.
        if (name != "tai100a") CHECK(known->value == solution.cost);
        ++checked;
    }
    CHECK(checked >= 80);
}

TEST_CASE("the stated cost tells a permutation from its inverse, and a 0 tells the index base") {
    const int64_t cost = evaluate(kThree, kP.data());
    const int64_t other = evaluate(kThree, kInverse.data());
    REQUIRE(cost != other);
    const std::string c = std::to_string(cost);
    for (const std::string& text : {"3 " + c + "\n2 3 1\n", "3 " + c + " 1 2 0", "3," + c + "\r\n2, 3, 1"}) {
        CAPTURE(text);
        CHECK(read_solution(text).p == kP);
        CHECK(read_solution(text).cost == cost);
        CHECK(read_solution(text).convention == SolutionConvention::kLocationOfFacility);
    }
    for (const std::string& text : {"3 " + c + "\n3 1 2\n", "3 " + c + " 2 0 1"}) {
        CAPTURE(text);
        CHECK(read_solution(text).p == kP);
        CHECK(read_solution(text).cost == cost);
        CHECK(read_solution(text).convention == SolutionConvention::kFacilityAtLocation);
    }
}

TEST_CASE("without a cost the list is taken as locations of facilities") {
    const QapSolution solution = read_solution("3\n2 3 1\n");
    CHECK(solution.p == kP);
    CHECK(solution.cost == evaluate(kThree, kP.data()));
    CHECK(solution.convention == SolutionConvention::kAssumed);
}

TEST_CASE("a cost that neither convention has is refused with all three values") {
    const std::string values = std::to_string(evaluate(kThree, kP.data()));
    CHECK_REFUSED(read_solution("3 1\n2 3 1\n"),
                  "s:1:1: ", "the stated cost is 1, but the listed permutation costs " + values);
}

TEST_CASE("bad solutions are refused at their place") {
    CHECK_REFUSED(read_solution(""), "s:1:1: ", "empty");
    CHECK_REFUSED(read_solution("0 5"), "s:1:1: ", "from 1 to");
    CHECK_REFUSED(read_solution("x 5"), "s:1:1: ", "is not a number");
    CHECK_REFUSED(read_solution("3"), "s:1:2: ", "ends after the size n");
    CHECK_REFUSED(read_solution("3 x 1 2 3"), "s:1:3: ", "the cost was wanted here");
    CHECK_REFUSED(read_solution("3 1\n2 3"), "s:2:4: ", "after 2 of the 3 elements");
    CHECK_REFUSED(read_solution("3\n5 1 2"), "s:2:1: ", "not from 1 to 3");
    CHECK_REFUSED(read_solution("3 9 1"), "s:1:6: ", "after 1 of the 3 elements");
    CHECK_REFUSED(read_solution("3 9\n1 2 3 1"), "s:2:7: ", "trailing data");
    CHECK_REFUSED(read_solution("3 9\n1 2 4"), "s:2:5: ", "not from 1 to 3");
    CHECK_REFUSED(read_solution("3 9\n0 2 3"), "s:2:5: ", "not from 0 to 2");
    CHECK_REFUSED(read_solution("3 9\n1 2 -1"), "s:2:5: ", "not from 1 to 3");
    CHECK_REFUSED(read_solution("3 9\n1 2 2"), "s:2:5: ", "listed twice");
    CHECK_REFUSED(read_solution("3 9\n1 2 b"), "s:2:5: ", "\"b\" is not a number");
    CHECK_REFUSED(read_solution("3 1.5\n1 2 3"), "s:1:3: ", "is not an integer");
    CHECK_REFUSED(read_solution("2 9\n1 2"), "s:1:1: ", "has 2 elements, but the instance has 3 locations");
    CHECK_REFUSED(read_solution("70000 9\n1 2"), "s:1:1: ", "from 1 to");
}

TEST_CASE("what is written is read back") {
    const int64_t cost = evaluate(kThree, kP.data());
    CHECK(to_solution_text(cost, kP) == "3 " + std::to_string(cost) + "\n2 3 1\n");
    CHECK(read_solution(to_solution_text(cost, kP)).p == kP);
    CHECK(to_solution_text(-4, {0}) == "1 -4\n1\n");
    CHECK(read_solution_text("1 -21\n1", "s", {1, {7}, {-3}}).cost == -21);
    CHECK(read_solution_text("1 -21\n0", "s", {1, {7}, {-3}}).cost == -21);
}
