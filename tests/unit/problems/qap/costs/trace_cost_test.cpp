// SPDX-License-Identifier: Apache-2.0
// Compares costs by the trace formulation on the CPU with the definition of the cost.
#include "problems/qap/costs/trace_cost.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <numeric>
#include <random>
#include <thread>
#include <utility>

#include "problems/qap/costs/exact_cost.hpp"
#include "problems/qap/qap_problem.hpp"
#include "tests/support/test_host.hpp"
#include "tests/unit/problems/qap/matrix_forms.hpp"

namespace {

using namespace qapfw::qap;
using qapfw::test::TestHost;
using qapfw::test::TestProblem;

std::vector<uint16_t> identity_of_size(uint32_t n) {
    std::vector<uint16_t> p(n);
    std::iota(p.begin(), p.end(), uint16_t{0});
    return p;
}

void check_costs(const QapMatrices& m, std::mt19937_64& random) {
    std::vector<uint16_t> p = identity_of_size(m.n);
    CAPTURE(m.n);
    for (int trial = 0; trial < 5; ++trial) {
        CHECK(trace_cost(m, p.data()) == evaluate(m, p.data()));
        std::shuffle(p.begin(), p.end(), random);
    }
}

}  // namespace

TEST_CASE("the trace of F X D^T X^T is the cost by the definition") {
    std::mt19937_64 random(5);
    for (const test::MatrixForm& form : test::kMatrixForms) {
        CAPTURE(form.name);
        for (const uint32_t n : {1u, 2u, 3u, 4u, 7u, 16u, 33u, 70u}) check_costs(test::draw(form, n, random), random);
    }
}

TEST_CASE("the products hold the greatest costs that are accepted") {
    std::mt19937_64 random(6);
    for (const int64_t sign : {1, -1}) {
        const QapMatrices m{4, std::vector<int64_t>(16, sign * ((int64_t{1} << 58) - 1)), std::vector<int64_t>(16, 1)};
        CHECK(cost_bounds(m, "test").magnitude == kCostLimit - 15);
        check_costs(m, random);
    }
}

TEST_CASE("a stop leaves out what is left of a long evaluation") {
    std::mt19937_64 random(8);
    const QapMatrices m = test::draw(test::kMatrixForms[1], 300, random);
    const auto stop = [](void*) -> std::int32_t { return 1; };
    CHECK(trace_cost(m, identity_of_size(300).data(), {stop, nullptr}) == std::nullopt);
}

TEST_CASE("several threads evaluate instances of different sizes by turns") {
    std::mt19937_64 random(7);
    const QapMatrices large = test::draw(test::kMatrixForms[2], 41, random);
    const QapMatrices small = test::draw(test::kMatrixForms[1], 9, random);
    const std::vector<uint16_t> p = identity_of_size(41);
    const int64_t cost_of_large = evaluate(large, p.data()), cost_of_small = evaluate(small, p.data());
    std::atomic<int> wrong = 0;
    const auto work = [&] {
        for (int k = 0; k < 200; ++k) {
            wrong += trace_cost(large, p.data()) != cost_of_large;
            wrong += trace_cost(small, p.data()) != cost_of_small;
        }
    };
    std::thread first(work), second(work);
    first.join();
    second.join();
    CHECK(wrong == 0);
}

TEST_CASE(
    "with formulation = \"trace\" a problem's costs are the same, and those of children do not build on parents") {
    TestHost host;
    TestProblem<QapProblem> direct(host, {{"instance", "tai20b"}});
    TestProblem<QapProblem> trace(host, {{"instance", "tai20b"}, {"formulation", "trace"}});
    CHECK(std::string(trace.object().info().summary).find("trace formulation") != std::string::npos);
    CHECK(std::string(direct.object().info().summary).find("trace formulation") == std::string::npos);
    CHECK(trace.object().info().fingerprint == direct.object().info().fingerprint);
    const std::size_t values = trace.ref().solution_bytes() / sizeof(uint16_t);
    std::vector<uint16_t> parent = identity_of_size(20), child = parent;
    parent.resize(values);
    child.resize(values);
    std::swap(child[3], child[11]);
    qapfw_cost expected{}, found{}, of_child{}, of_parent{.i = 12345};
    direct.object().evaluate({child.data(), &expected, 1});
    trace.object().evaluate({child.data(), &found, 1});
    CHECK(found.i == expected.i);
    trace.object().evaluate_children({parent.data(), &of_parent, 1}, {child.data(), &of_child, 1});
    CHECK(of_child.i == expected.i);
    direct.object().evaluate_children({parent.data(), &of_parent, 1}, {child.data(), &of_child, 1});
    CHECK(of_child.i != expected.i);  // the direct problem starts from of_parent, a wrong cost
    CHECK_THROWS_WITH_AS(trace.object().device(), doctest::Contains("costs by the trace formulation are for the CPU"),
                         qapfw::Error);
    child[0] = child[1];
    CHECK_THROWS_AS(trace.object().evaluate({child.data(), &found, 1}), qapfw::Error);
}
