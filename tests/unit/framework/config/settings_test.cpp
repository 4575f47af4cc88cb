// SPDX-License-Identifier: Apache-2.0
// The framework's own keys: each reads allowed values and refuses others.
#include "framework/config/settings.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>

#include "tests/unit/framework/config/sample_registry.hpp"

using namespace qapfw::framework;
using namespace qapfw::framework::testing;

namespace {

Config with(const std::string& table, const std::string& line) {
    return check_text(after_right("[" + table + "]\n" + line));
}

bool refused(const std::string& table, const std::string& key, const std::string& value) {
    const std::string error = check_error(after_right(fmt::format("[{}]\n{} = {}\n", table, key, value)));
    return error.starts_with(fmt::format("run.toml:7:{}: {}.{} must be ", key.size() + 4, table, key)) &&
           error.find(", found ") != std::string::npos;
}

}  // namespace

TEST_CASE("an empty [run] has no stop condition and the documented defaults") {
    const Config config = check_text(after_right(""));
    CHECK(config.run.seed == 1);
    CHECK(config.run.runs == 1);
    CHECK_FALSE(config.run.time_limit);
    CHECK_FALSE(config.run.iterations);
    CHECK(config.device.backend == "auto");
    CHECK(config.device.devices.empty());
    CHECK(config.output.record);
    CHECK(config.output.folder.empty());
    CHECK_FALSE(config.improver);
}

TEST_CASE("a seed is an integer, or a text up to 2^64 - 1") {
    CHECK(with("run", "seed = 42").run.seed == 42);
    CHECK(with("run", "seed = \"18446744073709551615\"").run.seed == UINT64_MAX);
    CHECK(with("run", "seed = \"0xff\"").run.seed == 255);
    for (const char* wrong :
         {"-1", "\"18446744073709551616\"", "\"\"", "\"12x\"", "\"0x\"", "1.0", "true", "[1]", "\"-1\"", "\" 1\""}) {
        CAPTURE(wrong);
        CHECK(refused("run", "seed", wrong));
    }
}

TEST_CASE("seeds of consecutive runs must not pass 2^64 - 1") {
    CHECK(with("run", "seed = \"18446744073709551606\"\nruns = 10").run.runs == 10);
    CHECK(
        check_error(after_right("[run]\nseed = \"18446744073709551607\"\nruns = 10")) ==
        "run.toml:8:8: run.seed + run.runs - 1 must be at most 2^64 - 1, found seed 18446744073709551607 and 10 runs");
}

TEST_CASE("limits are durations, counts and sizes") {
    CHECK(with("run", "time_limit = \"1.5h\"").run.time_limit == 5400.0);
    CHECK(with("run", "time_limit = 30").run.time_limit == 30.0);
    CHECK(with("run", "time_limit = 0.5").run.time_limit == 0.5);
    CHECK(with("run", "iterations = 1_000").run.iterations == 1000U);
    CHECK(with("run", "iterations = \"100n\"").run.iterations_form == "100n");
    CHECK(with("run", "evaluations = 5").run.evaluations == 5U);
    for (const char* wrong : {"0", "-1", "nan", "inf", "\"30\"", "\"0s\"", "\"-1s\"", "\"soon\"", "true"})
        CHECK(refused("run", "time_limit", wrong));
    for (const char* wrong : {"0", "-3", "1e3", "\"100\"", "\"n+1\"", "\"30s\""})
        CHECK(refused("run", "iterations", wrong));
    for (const char* wrong : {"0", "\"100n\"", "1.5"}) CHECK(refused("run", "evaluations", wrong));
    for (const char* wrong : {"0", "4294967296", "\"2\""}) CHECK(refused("run", "runs", wrong));
}

TEST_CASE("stagnation is a time or a number of iterations") {
    CHECK(with("run", "stagnation = \"60s\"").run.stagnation == 60.0);
    CHECK(with("run", "stagnation = 1000").run.stagnation_iterations == 1000U);
    CHECK(with("run", "stagnation = \"100n\"").run.stagnation_form == "100n");
    for (const char* wrong : {"0", "\"0s\"", "\"100\"", "0.5"}) CHECK(refused("run", "stagnation", wrong));
}

TEST_CASE("a target is a cost or relative to the best known one") {
    CHECK(with("run", "target = \"best-known\"").run.target == "best-known");
    CHECK(with("run", "target = \"best-known+0.5%\"").run.target == "best-known+0.5%");
    CHECK(with("run", "target = 7205962").run.target == "7205962");
    CHECK(with("run", "target = 123.25").run.target == "123.25");
    CHECK(with("run", "target = \"-12\"").run.target == "-12");
    for (const char* wrong : {"\"best\"", "\"best-known+\"", "\"best-known+x%\"", "\"best-known-1%\"",
                              "\"best-known+-1%\"", "nan", "\"\"", "true", "\"best-known+1\""}) {
        CAPTURE(wrong);
        CHECK(refused("run", "target", wrong));
    }
}

TEST_CASE("threads, backend and devices") {
    CHECK(with("run", "threads = 4").run.threads == 4);
    CHECK(with("run", "threads = \"auto\"").run.threads == 0);
    CHECK(refused("run", "threads", "-1"));
    CHECK(refused("run", "threads", "4097"));
    CHECK(with("device", "backend = \"cpu\"").device.backend == "cpu");
    CHECK(refused("device", "backend", "\"gpu\""));
    CHECK(with("device", "devices = [2, 0]").device.devices == std::vector<int>{2, 0});
    CHECK(with("device", "devices = \"all\"").device.devices.empty());
    for (const char* wrong : {"[]", "[0, 0]", "[-1]", "[\"0\"]", "0", "\"first\"", "[1024]"})
        CHECK(refused("device", "devices", wrong));
}

TEST_CASE("output and plugin folders") {
    CHECK(with("output", "folder = \"out\"").output.folder == "out");
    CHECK_FALSE(with("output", "record = false").output.record);
    CHECK(with("output", "checkpoint_interval = \"0s\"").output.checkpoint_interval == 0);
    CHECK(refused("output", "folder", "\"\""));
    CHECK(refused("output", "folder", "\"a\\u0000b\""));
    CHECK(refused("output", "record", "1"));
    CHECK(refused("output", "log_level", "\"loud\""));
    CHECK(refused("plugins", "path", "[1]"));
    CHECK(refused("plugins", "allow_writable", "\"yes\""));
    CHECK(refused("plugins", "allow_writable", "true"));
    CHECK_FALSE(with("plugins", "allow_writable = false").allow_writable_plugins);  // older records contain this key
}

TEST_CASE("every setting lies in a known table, says what it wants, and differs from the others") {
    for (const Setting& setting : settings()) {
        CAPTURE(setting.key);
        CHECK(std::count(setting_tables().begin(), setting_tables().end(), std::string(setting.table)) == 1);
        CHECK(std::string(setting.summary).ends_with("."));
        CHECK(std::count_if(settings().begin(), settings().end(), [&](const Setting& other) {
                  return std::string(other.table) == setting.table && std::string(other.key) == setting.key;
              }) == 1);
    }
}
