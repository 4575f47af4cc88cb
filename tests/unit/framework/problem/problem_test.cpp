// SPDX-License-Identifier: Apache-2.0
#include "framework/problem/problem.hpp"

#include <doctest/doctest.h>

#include "qapfw/error.hpp"
#include "tests/unit/framework/engine/test_algorithms.hpp"

using namespace qapfw::framework;
using namespace qapfw::framework::testing;

namespace {

/// Changes the info of the next object of class Changed. This class is otherwise like Toy.
void (*change)(qapfw_problem_info&) = nullptr;

class Changed : public Toy {
  public:
    Changed(const qapfw::sdk::Host& host, const qapfw::sdk::Parameters& parameters)
        : Toy(host, parameters), info_(Toy::info()) {
        change(info_);
    }
    const qapfw_problem_info& info() const { return info_; }

  private:
    qapfw_problem_info info_;
};

constexpr qapfw_component kChanged =
    qapfw::sdk::problem_component<Changed>({.id = "changed", .version = "1", .summary = "Wrong in one way."});

std::string refusal(void (*how)(qapfw_problem_info&)) {
    change = how;
    const Component component{&kChanged, &kTestPlugin, "/test.so", ""};
    Choice choice{&component, ParameterValues(&kChanged)};
    Host host(1, {});
    try {
        const Problem problem(host, choice);
    } catch (const qapfw::Error& error) {
        CHECK(error.kind() == qapfw::ErrorKind::kPlugin);
        return error.what();
    }
    return "none";
}

}  // namespace

TEST_CASE("a problem's info is checked before anyone relies on it") {
    CHECK(refusal([](qapfw_problem_info&) {}) == "none");
    CHECK(refusal([](qapfw_problem_info& info) { info.n = 0; }) == "problem changed: info: n is 0");
    CHECK(refusal([](qapfw_problem_info& info) { info.cost_kind = 3; }) ==
          "problem changed: info: unknown cost kind 3");
    CHECK(refusal([](qapfw_problem_info& info) { info.sense = 0; }) ==
          "problem changed: info: sense must be 1 or -1, found 0");
    CHECK(refusal([](qapfw_problem_info& info) { info.display_divisor = 0; }) ==
          "problem changed: info: display_divisor must be at least 1, found 0");
    CHECK(refusal([](qapfw_problem_info& info) { info.instance = nullptr; }) ==
          "problem changed: info: instance and summary must not be null");
    CHECK(refusal([](qapfw_problem_info& info) { info.encoding.solution_bytes = 8; }) ==
          "problem changed: info: encoding: a solution has 8 bytes, wanted a multiple of 16 above 0");
}

TEST_CASE("a problem without a reader has no warm starts, and says so") {
    Host host(1, {});
    Choice choice = test_problem();
    const Problem problem(host, choice);
    CHECK_THROWS_WITH_AS(problem.read_solution("x"),
                         "problem toy: it reads no solutions, so a run cannot start from one (problem.initial)",
                         qapfw::Error);
    SolutionBuffer solution(problem.info().encoding.solution_bytes);
    store_values(problem.info().encoding, {{0, 1, 2, 3, 4, 5, 6, 7, 8}}, solution.data());
    REQUIRE(problem.artefacts(solution.data()).size() == 1);
    CHECK(problem.artefacts(solution.data())[0].bytes == "0 1 2 3 4 5 6 7 8 ");
    CHECK(problem.drawing(solution.data()).empty());
}
