// SPDX-License-Identifier: Apache-2.0
#include "framework/laboratory/verify/cross_check.hpp"

#include <doctest/doctest.h>

#include <atomic>

#include "tests/unit/framework/laboratory/verify/made_record.hpp"

using namespace qapfw::framework;
using namespace qapfw::framework::laboratory;

namespace {

/// A solver whose digest differs in each run of this process.
class Fickle {
  public:
    explicit Fickle(const qapfw::sdk::SolverContext& context) : best_(context.problem.solution_bytes() / 2) {
        for (std::uint32_t k = 0; k < context.problem.length(); ++k) best_[k] = static_cast<std::uint16_t>(k);
        cost_ = context.problem.evaluate_one(best_.data());
    }
    void run(qapfw::sdk::Run& run) {
        static std::atomic<std::uint64_t> runs{0};
        const std::uint64_t digest = ++runs;
        while (const std::uint64_t granted = run.begin_round(5)) {
            qapfw_round round{};
            round.struct_size = sizeof round;
            round.complete = 1;
            round.iterations = granted;
            round.evaluations = granted;
            round.digest = digest;
            round.best_solution = best_.data();
            round.best_cost = cost_;
            run.end_round(round);
        }
    }
    void save(qapfw::sdk::Writer&) const {}
    void load(qapfw::sdk::Reader&) {}

  private:
    std::vector<std::uint16_t> best_;
    qapfw_cost cost_{};
};

/// A solver that refuses to work on several threads.
class Choosy : public Fickle {
  public:
    explicit Choosy(const qapfw::sdk::SolverContext& context) : Fickle(context) {
        if (context.host.get()->worker_count > 1)
            throw qapfw::Error(qapfw::ErrorKind::kUnsupported, "choosy works on one thread");
    }
};

constexpr qapfw_component kChoosy =
    qapfw::sdk::solver_component<Choosy>({.id = "choosy", .version = "1", .summary = "One thread or none."});
constexpr qapfw_component kFickle =
    qapfw::sdk::solver_component<Fickle>({.id = "fickle", .version = "1", .summary = "Never the same."});
constexpr const qapfw_component* kFickleComponents[] = {&qapfw::framework::testing::kToy, &kFickle, &kChoosy};
constexpr qapfw_plugin kFicklePlugin = {QAPFW_PLUGIN_MAGIC,
                                        sizeof(qapfw_plugin),
                                        QAPFW_ABI_MAJOR,
                                        QAPFW_ABI_MINOR,
                                        3,
                                        QAPFW_PLUGIN_PLATFORM,
                                        "qapfw.tests.fickle",
                                        "1",
                                        "",
                                        nullptr,
                                        kFickleComponents};

std::optional<bool> crossed(const Config& config, std::string& text) {
    set_console_level(LogLevel::kOff);
    SignalWatch signals;
    return same_everywhere(config, {{}, signals, [&](const std::string& line) { text += line; }});
}

}  // namespace

TEST_CASE("one thread and several follow the same trajectory, with one line each, and missing GPUs are reported") {
    std::string text;
    const Config config = qapfw::framework::testing::test_config({{"run.iterations", "42"}});
    CHECK(crossed(config, text) == std::optional(true));
    CHECK(text.find("cpu     1 threads  seed 1  digest ") == 0);
    CHECK(text.find("iterations 42") != std::string::npos);
    CHECK(text.find("cuda  not compared: ") != std::string::npos);
}

namespace {

Config config_of(const char* solver) {
    static const Registry registry =
        Registry::of({{&qapfw::framework::testing::kToy, &kFicklePlugin, "/test.so", "00ff"},
                      {&kFickle, &kFicklePlugin, "/test.so", "00ff"},
                      {&kChoosy, &kFicklePlugin, "/test.so", "00ff"}});
    const Overrides overrides{
        {{"problem.plugin", "toy"}, {"algorithm.plugin", solver}, {"run.threads", "2"}, {"run.iterations", "10"}}};
    return ConfigDocument::parse_text("", "test.toml", overrides).check(registry);
}

}  // namespace

TEST_CASE("a solver whose trajectory changes is detected") {
    std::string text;
    CHECK(crossed(config_of("fickle"), text) == std::optional(false));
}

TEST_CASE("a solver that refuses to run on the CPU does not count as a missing GPU") {
    std::string text;
    CHECK_THROWS_WITH(crossed(config_of("choosy"), text), doctest::Contains("choosy works on one thread"));
}

TEST_CASE("trajectories that only a clock ends are not compared") {
    std::string text;
    const Config config = qapfw::framework::testing::test_config({{"run.time_limit", "\"1s\""}});
    CHECK_THROWS_WITH(crossed(config, text), doctest::Contains("set run.iterations or run.evaluations"));
}
