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
const std::vector<uint16_t> kP{1, 2, 0};  // the inverse of kP is 2 0 1
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
        const QapSolution solution = read_solution_text(read_text_file(entry.path()), entry.path().string(), matrices);
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

TEST_CASE("a cost that neither convention has is warned of, and the permutation taken") {
    const std::string values = std::to_string(evaluate(kThree, kP.data()));
    const QapSolution solution = read_solution("3 1\n2 3 1\n");
    CHECK(solution.p == kP);
    CHECK(solution.convention == SolutionConvention::kAssumed);
    CHECK(test::contains(solution.warning, "the stated cost is 1, but the listed permutation costs " + values));
    CHECK(read_solution("3 1.5\n1 2 3").p == std::vector<uint16_t>{0, 1, 2});
}

TEST_CASE("a permutation alone, several of them, and lines of pairs are solutions") {
    CHECK(read_solution("2 3 1").p == kP);
    CHECK(read_solution("2,3,1\n").p == kP);
    CHECK(read_solution("1 2 0").p == kP);
    CHECK(read_solution("# mine\n2 3 1").p == kP);
    const QapSolution best = read_solution("1 2 3\n1 3 2\n2 1 3\n2 3 1\n3 1 2\n3 2 1\n");
    CHECK(test::contains(best.remark, "the best of 6 solutions"));
    for (const auto& p : {std::vector<uint16_t>{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}})
        CHECK(best.cost <= static_cast<double>(evaluate(kThree, p.data())));
    CHECK(read_solution("1->2\n2->3\n3->1").p == kP);
    CHECK(read_solution("facility,location\n1,2\n2,3\n3,1").p == kP);
}

TEST_CASE("names stand for numbers, facilities that are not named are given a free location") {
    const std::vector<std::string> machines{"Saw", "Mill"}, halls{"North", "South", "East"};
    SolutionFrame frame;
    frame.facilities = 2;
    frame.locations = 3;
    frame.facility_names = &machines;
    frame.location_names = &halls;
    frame.cost = [](const uint16_t* p) { return static_cast<double>(p[0]) + 10 * static_cast<double>(p[1]); };
    const auto read = [&](const std::string& text) { return read_solution_text(text, "s", frame); };
    CHECK(read("machine;hall\nMill;North\nSaw;East\n").p == std::vector<uint16_t>{2, 0, 1});
    CHECK(read("Mill,North\n").p == std::vector<uint16_t>{1, 0, 2});
    CHECK(test::contains(read("Mill,North\n").remark, "1 of 2 facilities"));
    const std::vector<std::string> flights{"A->B", "B->A"};
    frame.facility_names = &flights;
    CHECK(read("facility,location\nA->B,East\nB->A,North\n").p == std::vector<uint16_t>{2, 0, 1});
    CHECK(read("1 -> East\n2->North\n").p == std::vector<uint16_t>{2, 0, 1});
    frame.facility_names = &machines;
    CHECK(read("Mill,3\n").p == std::vector<uint16_t>{0, 2, 1});
    CHECK(read("3 2").p == std::vector<uint16_t>{2, 1, 0});
    CHECK(read("3 12\n3 2 1").p == std::vector<uint16_t>{2, 1, 0});
    CHECK_REFUSED(read("Mil,North\nSaw,East\n"), "s:1:1: ", "the nearest name is \"Mill\"");
    CHECK_REFUSED(read("Mill,North\nSaw,North\n"), "s:2:5: ", "location North is taken already");
    CHECK_REFUSED(read("Mill,North\nMill,East\n"), "s:2:1: ", "facility Mill has a location already");
    CHECK_REFUSED(read("Mill,North,1\n"), "s:1:1: ", "\"Mill\" is not a number");
}

TEST_CASE("bad solutions are refused at their place") {
    CHECK_REFUSED(read_solution(""), "s:1:1: ", "empty");
    CHECK_REFUSED(read_solution("0 5"), "s:1:1: ", "found 2 numbers");
    CHECK_REFUSED(read_solution("x 5"), "s:1:1: ", "a facility from 1 to 3 was wanted, not \"x\"");
    CHECK_REFUSED(read_solution("3"), "s:1:2: ", "after 0 of the 3 elements");
    CHECK_REFUSED(read_solution("3 x 1 2 3"), "s:1:3: ", "the cost was wanted here");
    CHECK_REFUSED(read_solution("3 1\n2 3"), "s:2:4: ", "after 2 of the 3 elements");
    CHECK_REFUSED(read_solution("3\n5 1 2"), "s:2:1: ", "not from 1 to 3");
    CHECK_REFUSED(read_solution("3 9 1"), "s:1:3: ", "the permutation contains 9, which is not from 1 to 3");
    CHECK_REFUSED(read_solution("3 9\n1 2 3 1"), "s:2:7: ", "trailing data");
    CHECK_REFUSED(read_solution("3 9\n1 2 4"), "s:2:5: ", "not from 1 to 3");
    CHECK_REFUSED(read_solution("3 9\n0 2 3"), "s:2:5: ", "not from 0 to 2");
    CHECK_REFUSED(read_solution("3 9\n1 2 -1"), "s:2:5: ", "not from 1 to 3");
    CHECK_REFUSED(read_solution("3 9\n1 2 2"), "s:2:5: ", "listed twice");
    CHECK_REFUSED(read_solution("3 9\n1 2 b"), "s:2:5: ", "\"b\" is not a number");
    CHECK_REFUSED(read_solution("2 9\n1 2"), "s:1:1: ", "has 2 elements, but the instance has 3 locations");
    CHECK_REFUSED(read_solution("70000 9\n1 2"), "s:1:1: ", "a solution of 3 locations was wanted");
}

TEST_CASE("what is written is read back") {
    const int64_t cost = evaluate(kThree, kP.data());
    CHECK(to_solution_text(cost, kP) == "3 " + std::to_string(cost) + "\n2 3 1\n");
    CHECK(read_solution(to_solution_text(cost, kP)).p == kP);
    CHECK(to_solution_text(-4, {0}) == "1 -4\n1\n");
    CHECK(read_solution_text("1 -21\n1", "s", {1, {7}, {-3}}).cost == -21);
    CHECK(read_solution_text("1 -21\n0", "s", {1, {7}, {-3}}).cost == -21);
}
