// SPDX-License-Identifier: Apache-2.0
#include "framework/engine/run_folders.hpp"

#include <doctest/doctest.h>

#include "qapfw/error.hpp"
#include "tests/unit/framework/engine/test_algorithms.hpp"
#include "tests/unit/framework/plugin/bad_plugins.hpp"

using namespace qapfw::framework;
using namespace qapfw::framework::testing;

TEST_CASE("limits, threads, devices and output do not belong to a trajectory, parameters and seed do") {
    const std::string base = trajectory_of(test_config({}), 1);
    CHECK(trajectory_of(test_config({{"run.iterations", "9"},
                                     {"run.time_limit", "\"9s\""},
                                     {"run.threads", "7"},
                                     {"run.runs", "4"},
                                     {"run.seed", "55"},
                                     {"device.backend", "cpu"},
                                     {"output.folder", "x"}}),
                        1) == base);
    CHECK(trajectory_of(test_config({}), 2) != base);
    CHECK(trajectory_of(test_config({{"algorithm.searches", "5"}}), 1) != base);
}

TEST_CASE("a checkpoint of the same run passes, whatever remarks its sizes carry") {
    const Config config = test_config({});
    Host host(1, {});
    Choice choice = config.problem;
    const Problem problem(host, choice);
    Checkpoint checkpoint;
    checkpoint.identity = identity_of(config, problem.info(), "cpu");
    checkpoint.trajectory = "a = 16  # \"2n\"\nb = 1\n";
    CHECK_NOTHROW(check_same_run(checkpoint, checkpoint.identity, "a = 16\nb = 1\n"));
    RunIdentity other = checkpoint.identity;
    other.plugins[1].hash = "another";
    try {
        check_same_run(checkpoint, other, "a = 17\nb = 1\n");
        FAIL("passed");
    } catch (const qapfw::Error& error) {
        const std::string text = error.what();
        CHECK(text.find("solver: recorded walk") != std::string::npos);
        CHECK(text.find("\n  - a = 16\n  + a = 17") != std::string::npos);
        CHECK(text.find("b = 1") == std::string::npos);
    }
}

TEST_CASE("an empty folder may be used for a record, one with anything in it may not") {
    const TemporaryFolder place;
    const auto config_for = [](const std::filesystem::path& folder) {
        return test_config({{"output.folder", "\"" + folder.string() + "\""}});
    };
    qapfw_problem_info info{};
    info.instance = "toy";
    CHECK(make_record_folder(config_for(place.folder("empty")), info)->files.path() == place.path() / "empty");
    CHECK(make_record_folder(config_for(place.path() / "a/b/new"), info)->files.path() == place.path() / "a/b/new");
    CHECK(std::filesystem::is_directory(place.path() / "a/b/new"));
    place.write("empty/x", "");
    CHECK_THROWS_AS(make_record_folder(config_for(place.path() / "empty"), info), qapfw::Error);
    CHECK_THROWS_AS(make_record_folder(config_for(place.write("file", "")), info), qapfw::Error);
}
