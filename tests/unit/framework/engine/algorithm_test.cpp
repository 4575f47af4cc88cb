// SPDX-License-Identifier: Apache-2.0
#include "framework/engine/algorithm.hpp"

#include <doctest/doctest.h>

#include "qapfw/abi/solver_processes.h"
#include "qapfw/error.hpp"
#include "tests/unit/framework/plugin/sample_plugin.hpp"

using namespace qapfw::framework;
using qapfw::framework::testing::SampleComponent;

namespace {

/// What a run on three processes says of a solver with this capability; null: it has none.
std::string refusal_on_three(const void* (*get_capability)(const char*), bool asynchronous) {
    SampleComponent sample(QAPFW_KIND_SOLVER, "mine", {});
    sample.component.get_capability = get_capability;
    Component component;
    component.descriptor = &sample.component;
    try {
        check_shares_work(component, 3, asynchronous);
    } catch (const qapfw::Error& error) {
        CHECK(error.kind() == qapfw::ErrorKind::kUsage);
        return error.what();
    }
    return {};
}

template <std::uint32_t kAsynchronous>
const void* shares(const char* id) {
    static constexpr qapfw_solver_processes kTable{sizeof(qapfw_solver_processes), kAsynchronous};
    return std::string_view(id) == QAPFW_SOLVER_PROCESSES ? &kTable : nullptr;
}

}  // namespace

TEST_CASE("on several processes a solver runs that says it shares its work, in the way that it says") {
    const auto none = qapfw::framework::testing::no_capability;
    for (const bool asynchronous : {false, true}) {
        CHECK(refusal_on_three(none, asynchronous)
                  .starts_with("solver mine does not share its work among processes, so all 3 would do the same"));
        CHECK(refusal_on_three(shares<1>, asynchronous).empty());
    }
    CHECK(refusal_on_three(shares<0>, false).empty());
    CHECK(refusal_on_three(shares<0>, true) ==
          "the processes of solver mine wait for each other in every round: choose run.exchange = \"synchronous\"");
}
