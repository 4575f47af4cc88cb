// SPDX-License-Identifier: Apache-2.0
#include "framework/engine/algorithm.hpp"

#include <doctest/doctest.h>

#include "qapfw/abi/solver.h"
#include "qapfw/error.hpp"
#include "tests/unit/framework/plugin/sample_plugin.hpp"

using namespace qapfw::framework;
using qapfw::framework::testing::SampleComponent;

namespace {

/// What a run on three processes says of a solver with this capability; null: it has none.
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

}  // namespace

TEST_CASE("on several processes a solver runs that says it shares its work") {
    CHECK(refusal_on_three(qapfw::framework::testing::no_capability)
              .starts_with("solver mine does not share its work among processes, so all 3 would do the same"));
    CHECK(refusal_on_three(shares).empty());
}
