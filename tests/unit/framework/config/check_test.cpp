// SPDX-License-Identifier: Apache-2.0
// Checks of whole configurations: everything unknown, misplaced, missing or of the wrong kind is reported with its
// position.
#include <doctest/doctest.h>

#include <fstream>

#include "tests/unit/framework/config/sample_registry.hpp"
#include "tests/unit/framework/plugin/bad_plugins.hpp"

using namespace qapfw::framework;
using namespace qapfw::framework::testing;

TEST_CASE("a right configuration gives its components and values") {
    const Config config = check_text(
        "schema_version = 1\n[problem]\nplugin = \"qap\"\ninstance = \"tai60a\"\nscale = 2\n[algorithm]\nplugin = "
        "\"cas\"\n"
        "ants = 7\n[algorithm.improver]\nplugin = \"descent\"\niterations = \"4n\"\n[run]\nseed = 42\n");
    CHECK(std::string(config.problem.component->descriptor->id) == "qap");
    CHECK(config.problem.parameters.values()[0].text == "tai60a");
    CHECK(config.problem.parameters.values()[0].where == "run.toml:4:12");
    CHECK(config.problem.parameters.values()[1].real == 2.0);
    CHECK(config.algorithm.parameters.values()[0].integer == 7);
    CHECK(config.algorithm.parameters.values()[1].where == "default");
    REQUIRE(config.improver);
    CHECK(config.improver->parameters.values()[0].text == "4n");
    CHECK(config.run.seed == 42);
}

TEST_CASE("an unknown key is answered with the nearest name") {
    CHECK(check_error(after_right("tenuer = 3\n")) ==
          "run.toml:6:1: unknown key \"tenuer\" in [algorithm] of solver \"tabu\"; did you mean tenure?");
    CHECK(check_error(after_right("[run]\nsed = 3\n")) ==
          "run.toml:7:1: unknown key \"sed\" in [run]; did you mean seed?");
    CHECK(check_error(after_right("[outptu]\nx = 3\n")) ==
          "run.toml:6:2: unknown table \"outptu\" in the configuration; did you mean output?");
    CHECK(check_error(after_right("[device]\nxyzzy = 3\n")) ==
          "run.toml:7:1: unknown key \"xyzzy\" in [device]; known: backend, devices, shared, start_on_cpu");
}

TEST_CASE("several mistakes are reported together, with their positions") {
    CHECK(
        check_error(after_right("tenuer = 3\nxyzzy = 4\n")) ==
        "run.toml:6:1: unknown key \"tenuer\" in [algorithm] of solver \"tabu\"; did you mean tenure? (the first of 2 "
        "mistakes)");
    CHECK(check_error(after_right("[run]\nsed = 3\nruns = 0\n[outptu]\n")).find("(the first of ") != std::string::npos);
}

TEST_CASE("a key in the wrong place is answered with its place") {
    CHECK(check_error(after_right("ants = 3\n")) ==
          "run.toml:6:1: unknown key \"ants\" in [algorithm] of solver \"tabu\"; it belongs to [algorithm] of solver "
          "\"cas\"");
    CHECK(check_error(after_right("time_limit = \"3s\"\n")) ==
          "run.toml:6:1: unknown key \"time_limit\" in [algorithm] of solver \"tabu\"; it belongs to [run]");
    CHECK(check_error("seed = 3\n" + after_right("")) ==
          "run.toml:1:1: unknown key \"seed\" in the configuration; it belongs to [run]");
    CHECK(check_error(after_right("[improver]\nplugin = \"descent\"\n")) ==
          "run.toml:6:2: unknown table \"improver\" in the configuration; it belongs to [algorithm]");
    CHECK(
        check_error(after_right("[run]\niterations = 3\n[device]\niterations = 4\n")) ==
        "run.toml:9:1: unknown key \"iterations\" in [device]; it belongs to [run] or [algorithm.improver] of improver "
        "\"descent\"");
}

TEST_CASE("wrong types, ranges and choices are answered with what is wanted") {
    CHECK(check_error(after_right("tenure = 0.5\n")) ==
          "run.toml:6:10: algorithm.tenure must be an integer from 2 to 1000 or a size such as \"4n\" or \"n/2\", "
          "found the "
          "number 0.5");
    CHECK(check_error(after_right("tenure = 1\n")).ends_with("found the integer 1"));
    CHECK(check_error(after_right("searches = \"all\"\n")) ==
          "run.toml:6:12: algorithm.searches must be an integer from 1 to 65536 or \"auto\", found the text \"all\"");
    CHECK(check_error(after_right("accept = \"bets\"\n")) ==
          "run.toml:6:10: algorithm.accept must be one of \"first\", \"best\", found the text \"bets\"; did you mean "
          "\"best\"?");
    CHECK(check_error(after_right("robust = 1\n")) ==
          "run.toml:6:10: algorithm.robust must be true or false, found the integer 1");
    CHECK(check_error(after_right("labels = [1]\n")) ==
          "run.toml:6:10: algorithm.labels must be a list of texts, found a list");
    CHECK(check_error(after_right("labels = [\"a\\u0000\"]\n")).find("must be a list of texts") != std::string::npos);
    CHECK(check_error(after_right("robust = 1979-05-27\n")).ends_with("found a date or time"));
    CHECK(check_error("[problem]\nplugin = \"qap\"\ninstance = 60\n") ==
          "run.toml:3:12: problem.instance must be a text (a file), found the integer 60");
    CHECK(check_error("[problem]\nplugin = \"qap\"\ninstance = \"a\"\nscale = nan\n") ==
          "run.toml:4:9: problem.scale must be a number from 0 to 10, found the number nan");
}

TEST_CASE("auto and sizes have no number until the plugin and the size of the problem give one") {
    const Config config = check_text(after_right("searches = \"auto\"\ntenure = \"n/2\"\n"));
    CHECK(config.algorithm.parameters.values()[0].is_auto);
    CHECK_FALSE(config.algorithm.parameters.values()[1].resolved);
}

TEST_CASE("missing tables, plugins and parameters are named") {
    CHECK(check_error("") ==
          "run.toml: [problem] must name an instance, as in instance = \"tai60a\", or a plugin, as in "
          "plugin = \"name\"; available: \"qap\"");
    CHECK(check_error("[problem]\nplugin = \"qap\"\n") ==
          "run.toml:1:1: [problem] of problem \"qap\" must have the key instance: a text (a file). A parameter");
    CHECK(check_error("[problem]\nplugin = \"qap\"\ninstance = \"a\"\n[algorithm]\n")
              .starts_with("run.toml:4:1: [algorithm] must name its plugin"));
    CHECK(check_error("[problem]\nplugin = \"qap\"\ninstance = \"a\"\n")
              .starts_with("run.toml: without [algorithm] the default solver is used, but no solver plugin is called"));
    CHECK(check_error("[problem]\nplugin = 3\n") ==
          "run.toml:2:10: problem.plugin must be a text (a plugin's name), found the integer 3");
    CHECK(check_error("problem = 3\n") == "run.toml:1:11: [problem] must be a table, found the integer 3");
    CHECK(check_error("[problem]\nplugin = \"qpa\"\n") ==
          "run.toml:2:10: no problem plugin is called \"qpa\"; did you mean \"qap\"?; available: \"qap\"");
    CHECK(check_error("[[run]]\nseed = 1\n") == "run.toml:1:1: [run] must be a table, found a list");
}

TEST_CASE("a table without its plugin is answered with its misspelt keys first") {
    CHECK(check_error("[problem]\ninstanc = \"tai20a\"\n") ==
          "run.toml:2:1: unknown key \"instanc\" in [problem]; did you mean instance?");
    CHECK(check_error("[problem]\nplugn = \"qap\"\ninstanc = \"tai20a\"\n") ==
          "run.toml:2:1: unknown key \"plugn\" in [problem]; did you mean plugin? (the first of 2 mistakes)");
    CHECK(check_error("[problem]\nseed = 3\n") ==
          "run.toml:2:1: unknown key \"seed\" in [problem]; it belongs to [run]");
    CHECK(check_error("[problem]\ninstance = \"tai20a\"\n")
              .starts_with("run.toml:1:1: [problem] must name an instance, as in instance = \"tai60a\", or a plugin"));
    CHECK(check_error("[problem]\nxyzzyplugh = 1\n")
              .starts_with("run.toml:1:1: [problem] must name an instance, as in instance = \"tai60a\", or a plugin"));
}

TEST_CASE("a solver gets an improver where it takes one, and only there") {
    const std::string problem = "[problem]\nplugin = \"qap\"\ninstance = \"a\"\n";
    CHECK(check_error(problem + "[algorithm]\nplugin = \"cas\"\n") ==
          "run.toml:4:1: solver \"cas\" must have an improver: add [algorithm.improver] with plugin = \"name\"; "
          "available: \"descent\"");
    CHECK(check_error(problem + "[algorithm]\nplugin = \"walk\"\n[algorithm.improver]\nplugin = \"descent\"\n") ==
          "run.toml:6:1: solver \"walk\" takes no improver, found [algorithm.improver]");
    CHECK(check_error(problem + "[algorithm]\nplugin = \"cas\"\nimprover = \"descent\"\n") ==
          "run.toml:6:12: [algorithm.improver] must be a table, found the text \"descent\"");
    CHECK(check_error(problem + "[algorithm]\nplugin = \"cas\"\n[algorithm.improver]\nplugin = \"tabu\"\n") ==
          "run.toml:7:10: no improver plugin is called \"tabu\" (there is a solver of that name); available: "
          "\"descent\"");
}

TEST_CASE("another version of the schema is refused") {
    CHECK(check_error("schema_version = 2\n" + after_right("")) ==
          "run.toml:1:18: schema_version must be 1, found the integer 2");
}

TEST_CASE("files are found from the configuration's folder, and other texts stay names") {
    const TemporaryFolder folder;
    const auto instance = folder.write("my.dat", "x");
    const auto start = folder.write("start.sln", "x");
    const auto check_file = [&](const std::string& lines) {
        folder.write("run.toml", "[problem]\nplugin = \"qap\"\n" + lines + "[algorithm]\nplugin = \"tabu\"\n");
        return ConfigDocument::parse_file(folder.path() / "run.toml", {}).check(sample_registry());
    };
    CHECK(check_file("instance = \"my.dat\"\n").problem.parameters.values()[0].text == instance.string());
    CHECK(check_file("instance = \"./sub/../my.dat\"\n").problem.parameters.values()[0].text == instance.string());
    CHECK(check_file("instance = \"tai60a\"\n").problem.parameters.values()[0].text == "tai60a");
    CHECK(check_file("instance = \"a\"\ninitial = \"start.sln\"\n").initial == std::vector{start.string()});
    CHECK(check_file("instance = \"a\"\ninitial = [\"start.sln\", \"my.dat\"]\n").initial ==
          std::vector{start.string(), instance.string()});
    CHECK_THROWS_WITH_AS(
        check_file("instance = \"a\"\ninitial = \"none.sln\"\n"),
        ((folder.path() / "run.toml").string() +
         ":4:11: problem.initial must be a solution file that exists, or the record of a run, found the text "
         "\"none.sln\"")
            .c_str(),
        qapfw::Error);
}

TEST_CASE("a configuration holds the components that it points into") {
    auto gone = std::make_optional<Registry>(sample_registry());
    const Config config = ConfigDocument::parse_text(
                              "[problem]\nplugin = \"qap\"\ninstance = \"a\"\n"
                              "[algorithm]\nplugin = \"tabu\"\n",
                              "run.toml", {})
                              .check(*gone);
    gone.reset();
    const Config copy = config;
    CHECK(copy.problem.component == &copy.registry->find(QAPFW_KIND_PROBLEM, "qap"));
    CHECK(copy.algorithm.component == &copy.registry->find(QAPFW_KIND_SOLVER, "tabu"));
    CHECK(copy.registry == config.registry);
}
