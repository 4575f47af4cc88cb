// SPDX-License-Identifier: Apache-2.0
#include "framework/processes/processes.hpp"

#include <dlfcn.h>
#include <doctest/doctest.h>

#include <cstring>

#include "framework/host/last_error.hpp"
#include "tests/support/scripted_component.hpp"

using namespace qapfw::framework;
using qapfw::Error;
using qapfw::test::Script;

namespace {

constexpr const char* kComponent = QAPFW_BUILD_DIR "/tests/scripted_component.so";

/// Two processes: this one, of `rank`, and one that the test plays.
struct Played {
    explicit Played(std::uint32_t rank = 0) {
        script.rank = rank;
        void* const library = dlopen(kComponent, RTLD_NOW | RTLD_GLOBAL);
        REQUIRE(library != nullptr);
        *static_cast<Script**>(dlsym(library, "qapfw_script")) = &script;
        processes.emplace(kComponent, 0, ReturnCodes{11, [](const std::exception_ptr&) { return 3; }});
    }
    /// In an asynchronous run: `bytes` have arrived from the other process on a solver's channel.
    void arrives(std::uint32_t channel, const std::string& bytes) {
        script.arrived[{Processes::kSolverChannels + channel, 1 - processes->rank()}] = bytes;
    }
    /// What a solver gets that hands in `size` bytes of `all` from `first` on.
    qapfw_status gathers_latest(std::string& all, std::uint64_t first, std::uint64_t size, std::uint32_t channel = 2) {
        const qapfw_exchange& exchange = *processes->exchange();
        return exchange.gather_latest(exchange.context, channel, all.data(), all.size(), first, size);
    }
    Script script;
    std::optional<Processes> processes;
};

/// A message of a solver in the `times`-th asynchronous run: the bytes from `first` on, said to be `size`.
std::string message_of(std::uint32_t times, std::uint64_t first, std::uint64_t size, const std::string& bytes) {
    std::string message(20, '\0');
    std::memcpy(message.data(), &times, 4);
    std::memcpy(message.data() + 4, &first, 8);
    std::memcpy(message.data() + 12, &size, 8);
    return message + bytes;
}

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
        "program was built with");
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

TEST_CASE("where MPI fails its words are told, and where all end their reason is") {
    Played played;
    played.script.all_gather = [](const std::string&) { return std::string("too long for one byte each"); };
    CHECK(refusal([&] { played.processes->any_of(true); }) == "MPI failed: other sizes");
    CHECK_FALSE(played.processes->gave_up());
    played.processes->watch().fail(5, "no memory");
    CHECK(refusal([&] { played.processes->any_of(true); }) == "no memory");
    CHECK(refusal([&] { played.processes->post(1, "x"); }) == "no memory");
    CHECK(refusal([&] { played.processes->take(1, 1); }) == "no memory");
    CHECK(played.processes->gave_up());
}

TEST_CASE("the newest bytes of another process take their place, and without new ones all stays") {
    Played played(1);
    played.processes->begin_apart();
    std::string all = "....OWN";
    CHECK(played.gathers_latest(all, 4, 3) == QAPFW_OK);
    CHECK(all == "....OWN");
    played.arrives(2, message_of(1, 0, 4, "them"));
    CHECK(played.gathers_latest(all, 4, 3) == QAPFW_OK);
    CHECK(all == "themOWN");
    CHECK(played.gathers_latest(all, 4, 3) == QAPFW_OK);
    CHECK(all == "themOWN");
    REQUIRE(played.script.posted.size() == 3);
    CHECK(played.script.posted.back().first == Processes::kSolverChannels + 2);
    CHECK(played.script.posted.back().second == message_of(1, 4, 3, "OWN"));
}

TEST_CASE("a message that comes late, from an earlier run, is forgotten") {
    Played played;
    played.processes->begin_apart();
    played.processes->end_apart();
    played.processes->begin_apart();
    std::string all = "OWN....";
    played.arrives(2, message_of(1, 3, 4, "late"));
    CHECK(played.gathers_latest(all, 0, 3) == QAPFW_OK);
    CHECK(all == "OWN....");
    played.arrives(2, message_of(2, 3, 4, "them"));
    CHECK(played.gathers_latest(all, 0, 3) == QAPFW_OK);
    CHECK(all == "OWNthem");
    played.script.arrived[{5, 1}] = "abc";  // too short to say of which run it is
    CHECK(played.processes->take(5, 1).empty());
}

TEST_CASE("a message of a wrong length is refused, and nothing is written beyond the whole") {
    struct Wrong {
        std::uint64_t first, size;
        std::string bytes;
    };
    const std::uint64_t huge = ~std::uint64_t{0};
    for (const Wrong& wrong : {Wrong{3, 4, "abc"}, Wrong{3, 4, "abcde"}, Wrong{4, 4, "abcd"}, Wrong{0, 8, "abcdefgh"},
                               Wrong{huge, 1, "a"}, Wrong{0, huge, "a"}}) {
        Played played;
        played.processes->begin_apart();
        std::string all = "OWN....";
        played.arrives(2, message_of(1, wrong.first, wrong.size, wrong.bytes));
        CHECK(played.gathers_latest(all, 0, 3) != QAPFW_OK);
        CHECK(take_last_error() == "gather_latest: process 1 sends " + std::to_string(wrong.size) + " bytes from " +
                                       std::to_string(wrong.first) + " on, and all have 7");
        CHECK(all == "OWN....");
    }
}

TEST_CASE("while others may not come a solver that waits for them gets an error") {
    Played played;
    played.script.all_gather = [](const std::string& own) { return own + own; };
    const qapfw_exchange& exchange = *played.processes->exchange();
    char all[2] = {};
    played.processes->set_alone(true);
    CHECK(exchange.all_gather(exchange.context, "x", 1, all, 2) != QAPFW_OK);
    CHECK(take_last_error() ==
          "the solver waits for the other processes in every round: run.exchange = \"synchronous\"");
    played.processes->set_alone(false);
    CHECK(exchange.all_gather(exchange.context, "x", 1, all, 2) == QAPFW_OK);
    CHECK(std::string(all, 2) == "xx");
    CHECK(played.processes->exchanges() == 2);
}
