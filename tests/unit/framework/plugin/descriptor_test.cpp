// SPDX-License-Identifier: Apache-2.0
// Checks of descriptors: a faulty descriptor gives a message that names the fault, and a correct one gives none.
#include "framework/plugin/descriptor.hpp"

#include <doctest/doctest.h>

#include <cstring>

#include "qapfw/abi/assignment.h"
#include "qapfw/abi/bounds.h"
#include "qapfw/abi/child_costs.h"
#include "qapfw/abi/owner_costs.h"
#include "qapfw/abi/sampled_neighbourhood.h"
#include "qapfw/abi/swap_neighbourhood.h"
#include "tests/support/temporary_folder.hpp"
#include "tests/unit/framework/plugin/sample_plugin.hpp"

using namespace qapfw::framework;
using namespace qapfw::framework::testing;
using qapfw::test::contains;

namespace {

qapfw_plugin plugin_with(const std::vector<const qapfw_component*>& components) {
    return {QAPFW_PLUGIN_MAGIC,
            sizeof(qapfw_plugin),
            QAPFW_ABI_MAJOR,
            QAPFW_ABI_MINOR,
            static_cast<std::uint32_t>(components.size()),
            QAPFW_PLUGIN_PLATFORM,
            "org.example.sample",
            "1.0",
            "test",
            nullptr,
            components.data()};
}

}  // namespace

TEST_CASE("right components of every kind pass, and so does a table of a later, longer ABI") {
    for (const std::uint32_t kind : {QAPFW_KIND_PROBLEM, QAPFW_KIND_SOLVER, QAPFW_KIND_IMPROVER}) {
        SampleComponent sample(kind, "sample", {});
        CHECK(check_component(sample.component).empty());
        sample.component.struct_size += 64;
        sample.solver_table.struct_size += 64;
        CHECK(check_component(sample.component).empty());
    }
}

TEST_CASE("each function that a solver must have is asked for by name") {
    SampleComponent sample(QAPFW_KIND_SOLVER, "sample", {});
    sample.solver_table.run = nullptr;
    CHECK(check_component(sample.component) ==
          "in its solver \"sample\", qapfw_solver_table must have the function `run`, found null");
}

TEST_CASE("save without load is refused") {
    SampleComponent sample(QAPFW_KIND_SOLVER, "sample", {});
    sample.solver_table.save = [](qapfw_solver*, const qapfw_writer*) { return qapfw_status{0}; };
    CHECK(contains(check_component(sample.component), "both or neither of `save` and `load`, found `save` alone"));
}

TEST_CASE("each function that an improver must have is asked for by name") {
    SampleComponent sample(QAPFW_KIND_IMPROVER, "sample", {});
    sample.improver_table.create_workspace = nullptr;
    CHECK(contains(check_component(sample.component), "must have the function `create_workspace`"));
}

TEST_CASE("a component without table, get_capability, summary or backend is refused") {
    const auto changed = [](auto change) {
        SampleComponent sample(QAPFW_KIND_SOLVER, "sample", {});
        change(sample.component);
        return check_component(sample.component);
    };
    CHECK(contains(changed([](auto& c) { c.table = nullptr; }), "its qapfw_solver_table is missing"));
    CHECK(contains(changed([](auto& c) { c.get_capability = nullptr; }), "`get_capability`"));
    CHECK(contains(changed([](auto& c) { c.summary = nullptr; }), "its summary must be"));
    CHECK(contains(changed([](auto& c) { c.version = "\x01"; }), "its version must be"));
    CHECK(contains(changed([](auto& c) { c.backends = 0; }), "its backends must name at least one"));
    CHECK(contains(changed([](auto& c) { c.uses_improver = 3; }), "its uses_improver must be 0, 1 or 2, found 3"));
    CHECK(contains(changed([](auto& c) { c.kind = 9; }), "kind must be 1, 2 or 3, found 9"));
    CHECK(contains(changed([](auto& c) { c.id = "9lives"; }),
                   "must be in snake_case with at most 64 characters, found \"9lives\""));
}

TEST_CASE("encodings are words of the contract joined by plus and space") {
    SampleComponent sample(QAPFW_KIND_SOLVER, "sample", {});
    for (const char* right : {"permutation", "permutation permutation+bays", "counted_bits+values permutation32"}) {
        sample.component.encodings = right;
        CHECK(check_component(sample.component).empty());
    }
    for (const char* wrong : {"", " ", "permutation ", "tree", "permutation++bits", "permutation,bits"}) {
        CAPTURE(wrong);
        sample.component.encodings = wrong;
        CHECK(contains(check_component(sample.component), "its encodings must be"));
    }
}

TEST_CASE("a plugin must offer each component once") {
    const SampleComponent a(QAPFW_KIND_SOLVER, "same", {}), b(QAPFW_KIND_SOLVER, "same", {}),
        c(QAPFW_KIND_IMPROVER, "same", {});
    const std::vector<const qapfw_component*> different{&a.component, &c.component},
        same{&a.component, &c.component, &b.component};
    CHECK(check_plugin(plugin_with(different)).empty());
    CHECK(check_plugin(plugin_with(same)) == "it must offer each component once, found solver \"same\" twice");
}

TEST_CASE("a plugin without components, or with a null one, is refused") {
    CHECK(check_plugin(plugin_with({})) == "it must offer 1 to 64 components, found 0");
    const std::vector<const qapfw_component*> components{nullptr};
    CHECK(check_plugin(plugin_with(components)) == "its component 0 is missing (null)");
}

TEST_CASE("a newer minor of the same major is accepted") {
    const SampleComponent a(QAPFW_KIND_SOLVER, "a", {});
    const std::vector<const qapfw_component*> components{&a.component};
    qapfw_plugin plugin = plugin_with(components);
    plugin.abi_minor = 50;
    CHECK(check_plugin(plugin).empty());
}

TEST_CASE("the table of a capability is checked like the component's own") {
    SampleComponent sample(QAPFW_KIND_PROBLEM, "sample", {});
    CHECK(check_capabilities(sample.component).empty());
    sample.component.get_capability = [](const char* id) -> const void* {
        static const qapfw_swap_neighbourhood kEmpty = [] {
            qapfw_swap_neighbourhood table{};
            table.struct_size = sizeof table;
            return table;
        }();
        return std::strcmp(id, QAPFW_PROBLEM_SWAP_NEIGHBOURHOOD) == 0 ? &kEmpty : nullptr;
    };
    CHECK(check_capabilities(sample.component) ==
          "in its problem \"sample\", qapfw.problem.swap_neighbourhood/1 must have the function `create`, found null");
    sample.component.get_capability = [](const char* id) -> const void* {
        static const qapfw_child_costs kEmpty{sizeof(qapfw_child_costs), {}};
        return std::strcmp(id, QAPFW_PROBLEM_CHILD_COSTS) == 0 ? &kEmpty : nullptr;
    };
    CHECK(check_capabilities(sample.component) ==
          "in its problem \"sample\", qapfw.problem.child_costs/1 must have the function `evaluate_children`, found "
          "null");
    sample.component.get_capability = [](const char* id) -> const void* {
        static const qapfw_assignment kEmpty{sizeof(qapfw_assignment), {}};
        return std::strcmp(id, QAPFW_PROBLEM_ASSIGNMENT) == 0 ? &kEmpty : nullptr;
    };
    CHECK(check_capabilities(sample.component) ==
          "in its problem \"sample\", qapfw.problem.assignment/1 must have the function `assignment`, found null");
    sample.component.get_capability = [](const char* id) -> const void* {
        static const qapfw_problem_bounds kEmpty{sizeof(qapfw_problem_bounds), {}, {}, {}, {}, {}, {}, {}};
        return std::strcmp(id, QAPFW_PROBLEM_BOUNDS) == 0 ? &kEmpty : nullptr;
    };
    CHECK(check_capabilities(sample.component) ==
          "in its problem \"sample\", qapfw.problem.bounds/1 must have the function `of_instance`, found null");
    sample.component.get_capability = [](const char* id) -> const void* {
        static const qapfw_owner_costs kEmpty{sizeof(qapfw_owner_costs), {}, {}, {}, {}, {}};
        return std::strcmp(id, QAPFW_PROBLEM_OWNER_COSTS) == 0 ? &kEmpty : nullptr;
    };
    CHECK(check_capabilities(sample.component) ==
          "in its problem \"sample\", qapfw.problem.owner_costs/1 must have the function `info`, found null");
    sample.component.get_capability = [](const char* id) -> const void* {
        static const qapfw_sampled_neighbourhood kEmpty{
            sizeof(qapfw_sampled_neighbourhood), {}, {}, {}, {}, {}, {}, {}, {}, {}, {}};
        return std::strcmp(id, QAPFW_PROBLEM_SAMPLED_NEIGHBOURHOOD) == 0 ? &kEmpty : nullptr;
    };
    CHECK(
        check_capabilities(sample.component) ==
        "in its problem \"sample\", qapfw.problem.sampled_neighbourhood/1 must have the function `facts`, found null");
}

TEST_CASE("plain text is UTF-8 without control characters") {
    for (const char* right : {"a", "a b", "Schüttgut", "4 \xE2\x82\xAC", "\xF0\x9F\x98\x80"})
        CHECK(is_plain_text(right));
    for (const char* wrong : {"", "a\nb", "\x7F", "\xFF", "\xC3", "\xC3(", "\xE2\x82", "\xC0\x80"})
        CHECK_FALSE(is_plain_text(wrong));
    CHECK_FALSE(is_plain_text(nullptr));
    CHECK_FALSE(is_plain_text(std::string(5000, 'a').c_str()));
}
