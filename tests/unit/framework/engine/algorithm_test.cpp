// SPDX-License-Identifier: Apache-2.0
#include "framework/engine/algorithm.hpp"

#include <doctest/doctest.h>

#include "qapfw/abi/solver.h"
#include "qapfw/error.hpp"
#include "qapfw/sdk/plugin.hpp"
#include "tests/support/toy_segments.hpp"
#include "tests/unit/framework/engine/test_algorithms.hpp"
#include "tests/unit/framework/plugin/sample_plugin.hpp"

using namespace qapfw::framework;
using namespace qapfw::framework::testing;

namespace {

/// The error's message if a run on three processes refuses a solver with this get_capability; empty if the run accepts
/// the solver.
std::string refusal_on_three(const void* (*get_capability)(const char*)) {
    SampleComponent sample(QAPFW_KIND_SOLVER, "mine", {});
    sample.component.get_capability = get_capability;
    Component component;
    component.descriptor = &sample.component;
    try {
        check_shares_work(component, 3);
    } catch (const qapfw::Error& error) {
        CHECK(error.kind() == qapfw::ErrorKind::kUsage);
        return error.what();
    }
    return {};
}

const void* shares(const char* id) {
    static constexpr qapfw_solver_processes kTable{sizeof(qapfw_solver_processes)};
    return std::string_view(id) == QAPFW_SOLVER_PROCESSES ? &kTable : nullptr;
}

constexpr qapfw_component kSegments = qapfw::sdk::problem_component<qapfw::test::ToySegments>(
    {.id = "segments", .version = "1", .summary = "Segments of all kinds."});

}  // namespace

TEST_CASE("a solver that states no encodings for GPUs is refused on GPUs for other segments") {
    const Component problem_component{&kSegments, &kTestPlugin, "/test.so", ""};
    Choice choice{&problem_component, ParameterValues(&kSegments)};
    Host host(1, {});
    const Problem problem(host, choice);
    SampleComponent sample(QAPFW_KIND_SOLVER, "mine", {});
    sample.component.backends = QAPFW_BACKEND_CPU | QAPFW_BACKEND_CUDA;
    Component component;
    component.descriptor = &sample.component;
    CHECK(mismatch_of(component, problem, "cpu").empty());
    CHECK(mismatch_of(component, problem, "cuda")
              .starts_with("on GPUs solver mine takes only solutions of these forms: permutation permutation+bays; "));
}

TEST_CASE("only a solver that splits its work runs on several processes") {
    CHECK(
        refusal_on_three(no_capability)
            .starts_with("solver mine does not share its work among processes, so all 3 processes would do the same"));
    CHECK(refusal_on_three(shares).empty());
}
