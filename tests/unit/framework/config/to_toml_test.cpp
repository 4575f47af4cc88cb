// SPDX-License-Identifier: Apache-2.0
// The text that to_toml writes must be read as the same configuration.
#include <doctest/doctest.h>

#include "tests/unit/framework/config/sample_registry.hpp"

using namespace qapfw::framework;
using namespace qapfw::framework::testing;

namespace {

void check_equal(const ParameterValues& a, const ParameterValues& b) {
    REQUIRE(a.component() == b.component());
    for (std::size_t k = 0; k < a.values().size(); ++k) {
        const auto &x = a.values()[k], &y = b.values()[k];
        CAPTURE(k);
        CHECK(x.present == y.present);
        CHECK(x.is_auto == y.is_auto);
        CHECK(x.integer == y.integer);
        CHECK(x.real == y.real);
        CHECK(x.list == y.list);
        CHECK(x.resolved == y.resolved);
    }
}

void check_equal(const Config& a, const Config& b) {
    check_equal(a.problem.parameters, b.problem.parameters);
    check_equal(a.algorithm.parameters, b.algorithm.parameters);
    REQUIRE(a.improver.has_value() == b.improver.has_value());
    if (a.improver) check_equal(a.improver->parameters, b.improver->parameters);
    CHECK(a.run.seed == b.run.seed);
    CHECK(a.run.runs == b.run.runs);
    CHECK(a.run.time_limit == b.run.time_limit);
    CHECK(a.run.iterations == b.run.iterations);
    CHECK(a.run.evaluations == b.run.evaluations);
    CHECK(a.run.target == b.run.target);
    CHECK(a.run.stagnation == b.run.stagnation);
    CHECK(a.run.stagnation_iterations == b.run.stagnation_iterations);
    CHECK(a.run.threads == b.run.threads);
    CHECK(a.device.backend == b.device.backend);
    CHECK(a.device.devices == b.device.devices);
    CHECK(a.output.folder == b.output.folder);
    CHECK(a.output.record == b.output.record);
    CHECK(a.output.checkpoint_interval == b.output.checkpoint_interval);
    CHECK(a.output.log_level == b.output.log_level);
    CHECK(a.plugin_path == b.plugin_path);
}

const std::string kFull =
    "[problem]\nplugin = \"qap\"\ninstance = \"tai \\\"60\\\" \\\\ a\"\nscale = 0.1\n"
    "[algorithm]\nplugin = \"tabu\"\nlabels = [\"a\", \"b \\\"c\\\"\"]\nrobust = false\naccept = \"first\"\n"
    "[algorithm.improver]\nplugin = \"descent\"\n"
    "[run]\nseed = \"18446744073709551615\"\ntime_limit = \"100ms\"\niterations = \"100n\"\nevaluations = 12345678901\n"
    "target = \"best-known+0.5%\"\nstagnation = 1000\nthreads = 3\n"
    "[device]\nbackend = \"cuda\"\ndevices = [1, 0]\n"
    "[output]\nfolder = \"out put\"\nrecord = false\ncheckpoint_interval = \"1m\"\nlog_level = \"debug\"\n"
    "[plugins]\npath = [\"/a\", \"/b\"]\n";

}  // namespace

TEST_CASE("a configuration reads back equal, before and after its sizes are known") {
    for (const std::string& text :
         {after_right(""), kFull, after_right("[run]\nstagnation = \"1.5h\"\ntarget = 0.1\n")}) {
        Config config = check_text(text);
        check_equal(config, check_text(to_toml(config)));
        CHECK(to_toml(check_text(to_toml(config))) == to_toml(config));
        config.resolve_sizes(60);
        config.algorithm.parameters.resolve("searches", number_value(512));
        check_equal(config, check_text(to_toml(config)));
    }
}

TEST_CASE("a resolved configuration no longer depends on the size, and says what was written") {
    Config config = check_text(kFull);
    config.resolve_sizes(60);
    config.algorithm.parameters.resolve("searches", number_value(512));
    const std::string toml = to_toml(config);
    CHECK(toml.find("iterations = 960  # \"16n\"\n") != std::string::npos);
    CHECK(toml.find("iterations = 6000  # \"100n\"\n") != std::string::npos);
    CHECK(toml.find("searches = 512\n") != std::string::npos);
    CHECK(toml.find("seed = \"18446744073709551615\"\n") != std::string::npos);
    CHECK(toml.find("auto") == std::string::npos);
}

TEST_CASE("numbers with a fraction keep every bit") {
    for (const char* real : {"0.1", "1e-300", "3.0", "0.30000000000000004", "1e1", "-0.0"}) {
        const std::string text = "[problem]\nplugin = \"qap\"\ninstance = \"a\"\nscale = " + std::string(real) +
                                 "\n[algorithm]\nplugin = \"tabu\"\n";
        const Config config = check_text(text);
        CHECK(check_text(to_toml(config)).problem.parameters.values()[1].real ==
              config.problem.parameters.values()[1].real);
    }
}
