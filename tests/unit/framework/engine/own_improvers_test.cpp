// SPDX-License-Identifier: Apache-2.0
#include "framework/engine/own_improvers.hpp"

#include <doctest/doctest.h>

#include "framework/host/last_error.hpp"
#include "qapfw/sdk/solver_services.hpp"
#include "tests/unit/framework/engine/test_algorithms.hpp"

using namespace qapfw::framework;
using namespace qapfw::framework::testing;

namespace {

namespace sdk = qapfw::sdk;

/// An improver that reports `iterations` + 10,000 * (index of the choice `order`) as its number of evaluations.
class Steps {
  public:
    static constexpr sdk::ParameterTable kParameters{sdk::size("iterations", "4n").range(1, 1000).summary("For tests."),
                                                     sdk::choice("order", "first", "first|best").summary("For tests.")};
    Steps(const sdk::Host&, const sdk::Parameters& p, const sdk::ProblemRef&)
        : told(static_cast<std::uint64_t>(p.integer("iterations") + 10'000 * p.choice("order"))) {}
    struct Workspace {
        explicit Workspace(const Steps& steps) : told(steps.told) {}
        std::uint64_t improve(const qapfw_batch&, const qapfw_improve_request&) { return told; }
        std::uint64_t told;
    };
    std::uint64_t told;
};

constexpr qapfw_component improver(const char* id, const char* encodings) {
    return sdk::improver_component<Steps>(
        {.id = id, .version = "1", .summary = "For tests.", .encodings = encodings, .backends = QAPFW_BACKEND_CPU});
}
constexpr qapfw_component kSteps = improver("steps", "permutation");
constexpr qapfw_component kOfBays = improver("of_bays", "permutation+bays");

struct ImproverBench {
    Host host{1, {}};
    Choice choice = test_problem();
    Problem problem{host, choice};
    Registry registry = Registry::of({{&kSteps, &kTestPlugin, "/a.so", "00"}, {&kOfBays, &kTestPlugin, "/b.so", "00"}});
    OwnImprovers own{host, problem, registry};

    std::uint64_t told(const char* settings) {
        const qapfw_improver_ref* ref = own.make("steps", settings, "here");
        qapfw_workspace* workspace = nullptr;
        REQUIRE(ref->table->create_workspace(ref->improver, &workspace) == QAPFW_OK);
        std::uint64_t evaluations = 0;
        const qapfw_batch none{};
        const qapfw_improve_request request{};
        CHECK(ref->table->improve(workspace, &none, &request, &evaluations) == QAPFW_OK);
        ref->table->destroy_workspace(workspace);
        return evaluations;
    }
    std::string refusal(const char* id, const char* settings, qapfw_status wanted = QAPFW_ERROR_INPUT) {
        const qapfw_improver_ref* ref = nullptr;
        CHECK(own.table()->make(own.table()->context, id, settings, "here", &ref) == wanted);
        CHECK(ref == nullptr);
        return take_last_error();
    }
};

}  // namespace

TEST_CASE("a solver's own improver has the settings given, sizes by the problem's, and defaults") {
    ImproverBench bench;
    CHECK(bench.told("") == 36);
    CHECK(bench.told("iterations=2n") == 18);
    CHECK(bench.told("order=best iterations=7") == 10'007);
}

TEST_CASE("an improver is there if it is loaded and takes the problem's solutions") {
    const ImproverBench bench;
    CHECK(bench.own.has("steps"));
    CHECK(!bench.own.has("of_bays"));
    CHECK(!bench.own.has("nobody"));
    CHECK(bench.own.table()->has(bench.own.table()->context, "steps") == 1);
}

TEST_CASE("wrong improvers and settings are refused with the place, what was wanted and what was found") {
    ImproverBench bench;
    CHECK(bench.refusal("nobody", "").rfind("here: ", 0) == 0);
    CHECK(bench.refusal("of_bays", "", QAPFW_ERROR_UNSUPPORTED)
              .find("takes solutions of these forms: permutation+bays") != std::string::npos);
    CHECK(bench.refusal("steps", "iteration=5") ==
          "here: improver steps has no setting \"iteration\"; did you mean iterations=...?");
    CHECK(bench.refusal("steps", "iterations") ==
          "here: a setting of improver steps is written key=value, found \"iterations\"; did you mean iterations=...?");
    CHECK(bench.refusal("steps", "iterations=0").find("here: iterations must be ") == 0);
    CHECK(bench.refusal("steps", "order=last").find("here: order must be ") == 0);
    CHECK(bench.refusal("steps", "iterations=999n").find("found \"999n\", which is 8991 for n = 9") !=
          std::string::npos);
}
