// SPDX-License-Identifier: Apache-2.0
// Every library of tests/bad_plugins whose fault shows when it is loaded must be refused with its message. No library
// may end or block the process.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <array>
#include <chrono>
#include <stdexcept>

#include "tests/unit/framework/plugin/bad_plugins.hpp"

using namespace qapfw::framework;
using namespace qapfw::framework::testing;

namespace {

struct Expected {
    const char* name;
    const char* sentence;  ///< the message after the path
};

constexpr std::array kExpected{
    Expected{"text_file", "it must be a shared library that loads with all its symbols, found: file too short"},
    Expected{"no_symbol", "it must export the symbol qapfw_plugin_entry, found none; it is no qapfw plugin"},
    Expected{"unresolved_symbol",
             "it must be a shared library that loads with all its symbols, found: undefined symbol: "
             "qapfw_function_nobody_defines"},
    Expected{"wrong_magic", "qapfw_plugin_entry must begin with \"qapfw-plugin\", found other bytes"},
    Expected{"abi_too_old",
             "it is too old: expected plugin ABI 2.x, found 0.0; build it again with the SDK of this program"},
    Expected{"abi_too_new",
             "it is too new: expected plugin ABI 2.x, found 99.0; update this program or build the plugin with this "
             "program's SDK"},
    Expected{"wrong_platform", "it must be built for linux-x86_64, found linux-aarch64"},
    Expected{"wrong_plugin_size", "qapfw_plugin must have a struct_size of 80 to 65536 bytes, found 32"},
    Expected{"wrong_component_size", "qapfw_component must have a struct_size of 88 to 65536 bytes, found 16"},
    Expected{"wrong_table_size",
             "in its problem \"minimal\", qapfw_problem_table must have a struct_size of 64 to 65536 bytes, found "
             "4294967280"},
    Expected{"missing_slot",
             "in its problem \"minimal\", qapfw_problem_table must have the function `evaluate`, found null"},
    Expected{"bad_capability",
             "in its problem \"minimal\", qapfw.problem.instances/1 must have the function `list`, found null"},
    Expected{"bad_id",
             "the id of the problem must be in snake_case with at most 64 characters, found \"Minimal "
             "Problem!\""},
    Expected{"many_components", "it must offer 1 to 64 components, found 4294967295"},
    Expected{"many_parameters", "in its problem \"minimal\", parameter_count must be at most 1024, found 4294967295"},
    Expected{"small_parameters",
             "in its problem \"minimal\", parameter_size must be 72 to 4096 bytes and a multiple of 8, found 12"},
    Expected{
        "nonsense_default",
        "in its problem \"minimal\", the parameter `size` is wrong: its default must be an integer from 1 to 1000, "
        "found \"2000\""},
    Expected{"nonsense_type",
             "in its problem \"minimal\", the parameter `size` is wrong: its type must be 1 to 7, found 77"},
    Expected{"repeated_parameter", "in its problem \"minimal\", the parameters' names must differ, found `size` twice"},
    Expected{"wild_pointer",
             "it must load without a crash, found signal SIGSEGV (Segmentation fault) while its descriptor was read"},
    Expected{
        "crashing_constructor",
        "it must load without a crash, found signal SIGSEGV (Segmentation fault) while it was being loaded (static "
        "constructors)"},
    Expected{"aborting_constructor",
             "it must load without a crash, found signal SIGABRT (Aborted) while it was being loaded (static "
             "constructors)"},
    Expected{"exiting_constructor",
             "it must not end the process, found exit(3) while it was being loaded (static constructors)"},
    Expected{"garbage_constructor", "loading it in a separate process must end with a report, found a damaged report"},
};

std::string only_reason(const Registry& registry) {
    REQUIRE(registry.components().empty());
    REQUIRE(registry.refusals().size() == 1);
    return registry.refusals().front().reason;
}

}  // namespace

TEST_CASE("each bad plugin is refused with one message that names file, expected and found") {
    if (bad_plugins_missing()) return;
    for (const Expected& expected : kExpected) {
        CAPTURE(expected.name);
        const auto path = bad_plugin(expected.name);
        CHECK(only_reason(scan({path})) ==
              fmt::format("{}: {}", std::filesystem::canonical(path).string(), expected.sentence));
    }
}

TEST_CASE("a function in place of the descriptor is refused") {
    if (bad_plugins_missing()) return;
    const std::string reason = only_reason(scan({bad_plugin("function_entry")}));
    CHECK(reason.find("qapfw_plugin_entry must be a constant of type qapfw_plugin, found a function of") !=
          std::string::npos);
}

TEST_CASE("a library that is only linked to a plugin is not a plugin itself") {
    if (bad_plugins_missing()) return;
    const std::string reason = only_reason(scan({bad_plugin("borrowed_symbol")}));
    CHECK(reason.find("it must export qapfw_plugin_entry itself, found the symbol only in ") != std::string::npos);
    CHECK(reason.find("fine.qapfw.so, a library to which it is linked") != std::string::npos);
}

TEST_CASE("a library cut at any point is refused or crashes in its trial only") {
    if (bad_plugins_missing()) return;
    const TemporaryFolder folder;
    std::ifstream file(bad_plugin("fine"), std::ios::binary);
    const std::string whole((std::istreambuf_iterator<char>(file)), {});
    REQUIRE(whole.size() > 9000);
    for (std::size_t size = 0; size < 9000; size += 600) {
        CAPTURE(size);
        const std::string reason = only_reason(scan({folder.write("cut.qapfw.so", whole.substr(0, size))}));
        const bool refused = reason.find("must be a shared library that loads") != std::string::npos;
        const bool crashed = reason.find("it must load without a crash, found signal SIG") != std::string::npos;
        CHECK((refused || crashed));
    }
    CHECK(only_reason(scan({bad_plugin("truncated")})).find("truncated.qapfw.so: it must") != std::string::npos);
}

TEST_CASE("an exception out of a static constructor ends the trial, not the program") {
    if (bad_plugins_missing()) return;
    const std::string reason = only_reason(scan({bad_plugin("throwing_constructor")}));
    const bool aborted = reason.find("found signal SIGABRT (Aborted) while it was being loaded") != std::string::npos;
    // The trial can catch the exception if the loader lets exceptions pass.
    const bool caught = reason.find("thrown while loading") != std::string::npos;
    CHECK((aborted || caught));
}

TEST_CASE("a plugin that hangs is given up after the trial's limit, and all that hang at the same time") {
    if (bad_plugins_missing()) return;
    const auto begin = std::chrono::steady_clock::now();
    const Registry registry = scan({bad_plugin("hanging_constructor"), bad_plugin("silent_constructor")}, 300);
    CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(5));
    REQUIRE(registry.refusals().size() == 2);
    for (const Refusal& refusal : registry.refusals()) {
        CHECK(refusal.reason.find("it must load within 300 ms, but was still busy while it was being loaded") !=
              std::string::npos);
    }
}

TEST_CASE("a process left behind by a plugin does not delay its trial") {
    if (bad_plugins_missing()) return;
    const auto begin = std::chrono::steady_clock::now();
    const Registry registry = scan({bad_plugin("leaving_constructor")});
    CHECK(std::chrono::steady_clock::now() - begin < std::chrono::milliseconds(2500));
    CHECK(registry.components().size() == 3);
}

TEST_CASE("bad plugins leave the good ones of their folder usable") {
    if (bad_plugins_missing()) return;
    const TemporaryFolder folder;
    for (const char* name : {"crashing_constructor", "text_file", "abi_too_new", "exiting_constructor"}) {
        copy_plugin(name, folder.path(), name);
    }
    copy_plugin("fine", folder.path(), "fine");
    const Registry registry = scan({folder.path()});
    CHECK(registry.refusals().size() == 4);
    CHECK(std::string(registry.find(QAPFW_KIND_SOLVER, "minimal").descriptor->id) == "minimal");
}

TEST_CASE("plugins that only lie at run time load, so that the run has to find out") {
    if (bad_plugins_missing()) return;
    const Registry registry = scan({bad_plugin("lying_cost"), bad_plugin("nan_cost"), bad_plugin("throwing_create")});
    CHECK(registry.refusals().empty());
    const auto& table =
        *static_cast<const qapfw_problem_table*>(registry.find(QAPFW_KIND_PROBLEM, "nan_cost").descriptor->table);
    qapfw_problem* problem = nullptr;
    REQUIRE(table.create(nullptr, nullptr, &problem) == QAPFW_OK);
    std::array<std::uint16_t, 8> identity{0, 1, 2, 3, 4, 5, 6, 7};
    qapfw_cost cost{};
    const qapfw_batch batch{identity.data(), &cost, 1};
    CHECK(table.evaluate(problem, &batch) == QAPFW_OK);
    CHECK(cost.f != cost.f);
    table.destroy(problem);
    const auto& throwing = *static_cast<const qapfw_problem_table*>(
        registry.find(QAPFW_KIND_PROBLEM, "throwing_create").descriptor->table);
    CHECK_THROWS_AS(throwing.create(nullptr, nullptr, &problem), std::runtime_error);
}
