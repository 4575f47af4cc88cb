// SPDX-License-Identifier: Apache-2.0
// Reading configuration files, and applying values of the command line to them.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/unit/framework/config/sample_registry.hpp"
#include "tests/unit/framework/plugin/bad_plugins.hpp"

using namespace qapfw::framework;
using namespace qapfw::framework::testing;

TEST_CASE("a command-line value wins over the file's, and the last one over the others") {
    const Config config =
        check_text(after_right("tenure = 5\n"), {{"algorithm.tenure", "6"}, {"algorithm.tenure", "7"}});
    CHECK(config.algorithm.parameters.values()[1].integer == 7);
    CHECK(config.algorithm.parameters.values()[1].where == "--set algorithm.tenure");
}

TEST_CASE("a whole configuration can come from the command line") {
    const Options options{{"problem.plugin", "qap"},
                          {"problem.instance", "30"},
                          {"algorithm.plugin", "cas"},
                          {"algorithm.rho", "1"},
                          {"algorithm.improver.plugin", "descent"},
                          {"algorithm.improver.iterations", "4n"},
                          {"run.time_limit", "30s"},
                          {"device.devices", "[0, 1]"}};
    const Config config = ConfigDocument::parse_file("", Overrides{options}).check(sample_registry());
    CHECK(config.source == "command line");
    CHECK(config.problem.parameters.values()[0].text == "30");  // a text, although it looks like an integer
    CHECK(config.improver->parameters.values()[0].text == "4n");
    CHECK(config.run.time_limit == 30.0);
    CHECK(config.device.devices == std::vector<int>{0, 1});
}

TEST_CASE("mistakes on the command line are reported with their option") {
    CHECK(check_error(after_right(""), {{"algorithm.tenur", "3"}}) ==
          "--set algorithm.tenur: unknown key \"tenur\" in [algorithm] of solver \"tabu\"; did you mean tenure?");
    CHECK(check_error(after_right(""), {{"algorithm.tenure", "x"}}) ==
          "--set algorithm.tenure: algorithm.tenure must be an integer from 2 to 1000 or a size such as \"4n\" or "
          "\"n/2\", found "
          "the text \"x\"");
    CHECK(check_error(after_right(""), {{"run.seed", "\"7"}}) ==
          "--set run.seed: the value must be TOML or a bare word, found \"7");
    for (const char* key : {"", ".", "run.", ".seed", "a..b", "a.b.c.d"}) {
        CHECK(check_error("", {{key, "1"}})
                  .ends_with("the key must look like run.seed or algorithm.improver.iterations"));
    }
    CHECK(check_error("run = 3\n", {{"run.seed", "1"}}) ==
          "run.toml:1:7: for --set run.seed this must be a table, found the integer 3");
}

TEST_CASE("keys and tables of the file can be left out, and set anew") {
    const std::string text = after_right("tenure = 5\n[run]\nseed = 3\ntarget = 7\n");
    const auto checked = [&](const Overrides& overrides) {
        return ConfigDocument::parse_text(text, "run.toml", overrides).check(sample_registry());
    };
    CHECK(!checked({{}, {"run.target"}}).run.target);
    CHECK(checked({{}, {"run.target"}}).run.seed == 3);
    CHECK(checked({{}, {"run"}}).run.seed == checked({{}, {"run.seed"}}).run.seed);
    const Config other = checked({{{"algorithm.plugin", "walk"}, {"run.target", "8"}}, {"algorithm", "run.target"}});
    CHECK(std::string(other.algorithm.component->descriptor->id) == "walk");
    CHECK(other.run.target == "8");
    const auto refused = [&](const std::string& key) {
        try {
            checked({{}, {key}});
        } catch (const qapfw::Error& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    for (const char* key : {"run.sed", "device.backend", "run.seed.x", "nowhere"}) {
        CHECK(refused(key) == fmt::format("--unset {}: the configuration file has no such key", key));
    }
    CHECK(refused("run.").starts_with("--unset run.: the key must look like run.seed"));
}

TEST_CASE("a command-line value cannot smuggle in a second key") {
    CHECK(check_error(after_right(""), {{"run.seed", "1\nruns = 5"}}).starts_with("--set run.seed: run.seed must be"));
}

TEST_CASE("plugin folders are known before the plugins are, from the configuration's folder") {
    const TemporaryFolder folder;
    const auto file = folder.write("run.toml", "[plugins]\npath = [\"mine\", \"/theirs\"]\n");
    const auto document = ConfigDocument::parse_file(file, {});
    CHECK(document.plugin_path() == std::vector<std::filesystem::path>{folder.path() / "mine", "/theirs"});
    CHECK(document.plugin_path_is_of_file());
    CHECK_FALSE(document.allow_writable_plugins());
    CHECK(ConfigDocument::parse_file(file, Overrides{{{"plugins.allow_writable", "true"}}}).allow_writable_plugins());
    const auto option = ConfigDocument::parse_file(file, Overrides{{{"plugins.path", "here"}}});
    CHECK_FALSE(option.plugin_path_is_of_file());
    CHECK(option.plugin_path() == std::vector<std::filesystem::path>{std::filesystem::current_path() / "here"});
    CHECK(ConfigDocument::parse_text("", "x", {}).plugin_path().empty());
    CHECK_THROWS_WITH_AS(ConfigDocument::parse_text("[plugins]\npath = 3", "x", {}).plugin_path(),
                         "x:2:8: plugins.path must be a text or a list of texts (folders), found the integer 3",
                         qapfw::Error);
}

TEST_CASE("a file that cannot be read gives a message") {
    const TemporaryFolder folder;
    CHECK_THROWS_WITH_AS(ConfigDocument::parse_file("/nonexistent.toml", {}),
                         "/nonexistent.toml: cannot be opened: No such file or directory", qapfw::Error);
    CHECK_THROWS_AS(ConfigDocument::parse_file(folder.path(), {}), qapfw::Error);
    CHECK_THROWS_AS(ConfigDocument::parse_file(folder.write("large.toml", std::string(17U << 20U, '#')), {}),
                    qapfw::Error);
}
