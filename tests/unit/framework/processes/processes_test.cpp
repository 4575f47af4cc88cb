// SPDX-License-Identifier: Apache-2.0
#include "framework/processes/processes.hpp"

#include <dlfcn.h>
#include <doctest/doctest.h>

#include "framework/host/last_error.hpp"
#include "tests/support/scripted_component.hpp"

using namespace qapfw::framework;
using qapfw::Error;
using qapfw::test::Script;

namespace {

constexpr const char* kComponent = QAPFW_BUILD_DIR "/tests/scripted_component.so";

/// Two processes: this one has the number `rank`; the test plays the other one.
struct Played {
    explicit Played(std::uint32_t rank = 0) {
        script.rank = rank;
        void* const library = dlopen(kComponent, RTLD_NOW | RTLD_GLOBAL);
        REQUIRE(library != nullptr);
        *static_cast<Script**>(dlsym(library, "qapfw_script")) = &script;
        processes.emplace(kComponent, 0, ReturnCodes{11, [](const std::exception_ptr&) { return 3; }});
    }
    Script script;
    std::optional<Processes> processes;
};

std::string refusal(const std::function<void()>& action) {
    try {
        action();
    } catch (const Error& error) {
        return error.what();
    }
    return "no refusal";
}

}  // namespace

TEST_CASE("a launcher that started another number of processes than MPI sees belongs to another MPI") {
    const Played played;
    CHECK(
        refusal([] { Processes(kComponent, 3, {}); }) ==
        "the launcher started 3 processes, but scripted sees 2: the launcher belongs to another MPI than the one this "
        "program was built with; use the launcher of that MPI");
}

TEST_CASE("a library that is no component is refused by its path") {
    CHECK(refusal([] { MpiLibrary("libm.so.6"); }) == "libm.so.6: not the MPI component of this program");
    CHECK(refusal([] { MpiLibrary("/nowhere.so"); }).starts_with("the MPI component cannot be loaded: /nowhere.so"));
}

TEST_CASE("texts of all processes come apart as they were, also empty ones") {
    Played played(1);
    int calls = 0;
    played.script.all_gather = [&](const std::string& own) {
        const std::uint64_t sizes[2] = {5, 0};
        const std::string first(reinterpret_cast<const char*>(&sizes[0]), 8);
        return calls++ == 0 ? first + own : std::string("hello");
    };
    CHECK(played.processes->gather_texts("") == std::vector<std::string>{"hello", ""});
}

TEST_CASE("if MPI fails, its message is shown; if all processes end, the reason is shown") {
    Played played;
    played.script.all_gather = [](const std::string&) { return std::string("too long for one byte each"); };
    CHECK(refusal([&] { played.processes->any_of(true); }) == "MPI failed: other sizes");
    CHECK_FALSE(played.processes->gave_up());
    played.processes->watch().fail(5, "no memory");
    CHECK(refusal([&] { played.processes->any_of(true); }) == "no memory");
    CHECK(played.processes->gave_up());
}

TEST_CASE("a solver's exchanges are counted, and one that fails tells the solver why") {
    Played played;
    played.script.all_gather = [](const std::string& own) { return own + own; };
    const qapfw_exchange& exchange = *played.processes->exchange();
    char all[2] = {};
    CHECK(exchange.all_gather(exchange.context, "x", 1, all, 2) == QAPFW_OK);
    CHECK(std::string(all, 2) == "xx");
    CHECK(exchange.all_gather(exchange.context, "x", 1, all, 1) != QAPFW_OK);
    CHECK(take_last_error() == "MPI failed: other sizes");
    CHECK(played.processes->exchanges() == 2);
}

TEST_CASE("a process alone gathers and shares its own values, and fails alone") {
    Processes alone;
    CHECK(alone.alone());
    CHECK(alone.leads());
    alone.begin_watch();
    CHECK(alone.gather_values(7) == std::vector<int>{7});
    CHECK(alone.gather_texts("own") == std::vector<std::string>{"own"});
    CHECK(alone.share("") == "");
    CHECK(alone.share(std::vector<std::string>{"a", ""}) == std::vector<std::string>{"a", ""});
    CHECK(alone.any_of(true));
    CHECK_FALSE(alone.any_of(false));
    CHECK(alone.exchange() == nullptr);
    alone.fail(std::make_exception_ptr(std::runtime_error("of this one")));
    CHECK_FALSE(alone.watch().has_ended());
    CHECK(alone.leave(5) == 5);
    const LocalPlace place = find_local_place(alone);
    CHECK(place.count == 1);
    CHECK(place.same_cores == 1);
}
