// SPDX-License-Identifier: Apache-2.0
// The conformance case for the capability "costs of children": these costs are compared with full evaluation.
#include <fmt/core.h>

#include <cstring>
#include <random>
#include <utility>
#include <vector>

#include "framework/conformance/fixture.hpp"
#include "framework/host/plugin_call.hpp"
#include "qapfw/sdk/child_costs.hpp"

namespace qapfw::framework::conformance {
namespace {

constexpr std::uint32_t kFamilies = 40;

/// Tries `exchanges` swaps of random positions of segment 0. Leaves out swaps that fixed positions or bounds forbid.
void vary(const qapfw_encoding& encoding, void* solution, std::uint32_t exchanges, std::mt19937_64& random) {
    const qapfw_segment& segment = encoding.segments[0];
    const std::uint32_t length = segment.length;
    for (std::uint32_t k = 0; k < exchanges; ++k) {
        const auto i = static_cast<std::uint32_t>(random() % length), j = static_cast<std::uint32_t>(random() % length);
        if (encoding.fixed != nullptr && (encoding.fixed[i] != 0 || encoding.fixed[j] != 0)) continue;
        const std::uint32_t a = sdk::element_at(segment, solution, i), b = sdk::element_at(segment, solution, j);
        if (b >= sdk::bound_at(segment, i) || a >= sdk::bound_at(segment, j)) continue;
        sdk::set_element(segment, solution, i, b);
        sdk::set_element(segment, solution, j, a);
    }
}

void children_cost_as_evaluated(const Subject& subject) {
    Host host(1, subject.data_paths);
    Choice choice = subject_choice(subject, host);
    const Problem problem(host, choice, false);
    const auto* table = static_cast<const qapfw_child_costs*>(problem.capability(QAPFW_PROBLEM_CHILD_COSTS));
    if (table == nullptr) throw Skip("it has no child costs of its own");
    Batch parents(problem, kFamilies, 21), children(problem, kFamilies, 21);
    std::mt19937_64 random(23);
    for (std::uint32_t k = 0; k < kFamilies; ++k) vary(problem.info().encoding, children.at(k), k, random);
    const qapfw_problem_ref& ref = *problem.ref();
    qapfw_batch from = parents.view(), to = children.view();
    call_plugin(problem.owner(), "evaluate", [&] { return ref.table->evaluate(ref.problem, &to); });
    const std::vector<qapfw_cost> expected = children.costs;
    children.costs.assign(kFamilies, qapfw_cost{});
    call_plugin(problem.owner(), "evaluate_children",
                [&] { return table->evaluate_children(ref.problem, &from, &to); });
    for (std::uint32_t k = 0; k < kFamilies; ++k) {
        require(std::memcmp(&expected[k], &children.costs[k], sizeof(qapfw_cost)) == 0,
                fmt::format("a child after at most {} swaps costs {} by evaluate_children, but {} by evaluate", k,
                            problem.costs().raw_text(children.costs[k]), problem.costs().raw_text(expected[k])));
    }
}

constexpr Case kChildCostCases[] = {
    {"child-costs", "Costs of children of known parents agree with full evaluation.", children_cost_as_evaluated},
};

}  // namespace

std::span<const Case> child_cost_cases() {
    return kChildCostCases;
}

}  // namespace qapfw::framework::conformance
