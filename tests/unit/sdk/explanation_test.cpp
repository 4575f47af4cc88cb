// SPDX-License-Identifier: Apache-2.0
#include "qapfw/sdk/explanation.hpp"

#include <doctest/doctest.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "qapfw/sdk/one_segment_problem.hpp"
#include "qapfw/sdk/permutation_problem.hpp"
#include "tests/support/test_host.hpp"

using namespace qapfw;

namespace {

/// A problem whose solutions are orders, and which explains its costs.
class ExplainedOrder : public sdk::PermutationProblem<ExplainedOrder> {
  public:
    ExplainedOrder(const sdk::Host&, const sdk::Parameters&) : PermutationProblem({.n = 3, .instance = "explained"}) {}
    std::int64_t cost(const std::uint16_t* order) const { return order[0]; }
    void explain(const std::uint16_t* order, const sdk::EmitPart& emit) const {
        if (order[0] == 2) throw Error(ErrorKind::kInput, "2 comes first");
        emit("first", order[0]);
        emit("last", order[2]);
    }
};
/// A problem without an explanation.
class SilentOrder : public sdk::PermutationProblem<SilentOrder> {
  public:
    SilentOrder(const sdk::Host&, const sdk::Parameters&) : PermutationProblem({.n = 3, .instance = "silent"}) {}
    std::int64_t cost(const std::uint16_t* order) const { return order[0]; }
};

template <class Problem>
const qapfw_problem_explanation* explanation_table() {
    static constexpr qapfw_component component = sdk::problem_component<Problem>({"explained", "1.0.0", "A test."});
    return static_cast<const qapfw_problem_explanation*>(component.get_capability(QAPFW_PROBLEM_EXPLANATION));
}

}  // namespace

TEST_CASE("a problem on a base class explains its costs by a member that takes its own elements") {
    const qapfw_problem_explanation* const table = explanation_table<ExplainedOrder>();
    REQUIRE(table != nullptr);
    const qapfw::test::TestHost host;
    sdk::ProblemHandle<ExplainedOrder> handle(host.get(), nullptr);
    auto* const problem = reinterpret_cast<qapfw_problem*>(&handle);
    std::vector<std::pair<std::string, double>> parts;
    const auto take = [](void* user, const char* name, double value) {
        static_cast<decltype(parts)*>(user)->emplace_back(name, value);
    };
    alignas(16) const std::array<std::uint16_t, 8> good{1, 2, 0}, bad{2, 1, 0};
    CHECK(table->explain(problem, good.data(), take, &parts) == QAPFW_OK);
    CHECK(parts == std::vector<std::pair<std::string, double>>{{"first", 1}, {"last", 0}});
    CHECK(table->explain(problem, bad.data(), take, &parts) == QAPFW_ERROR_INPUT);
    CHECK(explanation_table<SilentOrder>() == nullptr);
}
