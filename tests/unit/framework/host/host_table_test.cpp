// SPDX-License-Identifier: Apache-2.0
#include "framework/host/host_table.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <functional>
#include <map>
#include <stdexcept>

#include "framework/host/plugin_call.hpp"
#include "qapfw/abi/problem.h"

using namespace qapfw::framework;
using qapfw::Error;
using qapfw::ErrorKind;

namespace {

std::string error_of(const std::function<void()>& action, ErrorKind kind) {
    try {
        action();
    } catch (const Error& error) {
        CHECK(error.kind() == kind);
        return error.what();
    }
    return "no error";
}

}  // namespace

TEST_CASE("a plugin sees workers and data folders, and its resolved values arrive") {
    Host host(3, {"/data/a", "/data/b"});
    std::map<std::string, std::int64_t> resolved;
    const HostTable table(host, "solver x",
                          [&](const std::string& name, const qapfw_value& v) { resolved[name] = v.integer; });
    const qapfw_host* c = table.table();
    CHECK(c->worker_count == 3);
    REQUIRE(c->data_path_count == 2);
    CHECK(std::string(c->data_paths[1]) == "/data/b");
    qapfw_value sixteen{};
    sixteen.type = QAPFW_PARAMETER_INTEGER;
    sixteen.integer = 16;
    c->resolve(c->context, "searches", &sixteen);
    CHECK(resolved.at("searches") == 16);
    CHECK(c->get_capability(c->context, "no.such/1") == nullptr);
}

TEST_CASE("a failing status becomes an error with the plugin's message and its kind") {
    Host host(1, {});
    const HostTable table(host, "problem x", {});
    const auto fail = [&](qapfw_status status, const std::string& text) {
        table.table()->set_error(table.table()->context, text.data(), text.size());
        return status;
    };
    CHECK(error_of([&] { call_plugin("problem x", "create", [&] { return fail(QAPFW_ERROR_INPUT, "a.dat:3: bad"); }); },
                   ErrorKind::kInput) == "problem x: a.dat:3: bad");
    CHECK(error_of([&] { call_plugin("problem x", "run", [&] { return fail(QAPFW_ERROR_MEMORY, ""); }); },
                   ErrorKind::kMemory) == "problem x: run failed with status 4 and no message");
    CHECK(error_of([&] { call_plugin("p", "run", []() -> qapfw_status { throw std::runtime_error("oops"); }); },
                   ErrorKind::kPlugin) == "p: an exception left the plugin in run: oops");
    CHECK(error_of([&] { call_plugin("p", "run", []() -> qapfw_status { throw 5; }); }, ErrorKind::kPlugin) ==
          "p: an exception of unknown type left the plugin in run");
}

TEST_CASE("a message of an earlier call is not blamed for a later one") {
    set_last_error("old");
    CHECK(error_of([&] { call_plugin("p", "x", []() -> qapfw_status { return QAPFW_ERROR; }); }, ErrorKind::kPlugin) ==
          "p: x failed with status 1 and no message");
}
