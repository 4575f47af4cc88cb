// SPDX-License-Identifier: Apache-2.0
// Runs whose parameters depend on the GPUs. With NVML such a run begins before the GPUs are open; without NVML it
// waits. Both must have the same trajectory.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/integration/emulated_gpus.hpp"
#include "tests/integration/killed_record.hpp"

using namespace qapfw;
using namespace qapfw::testing;
using Json = nlohmann::json;

namespace {

using Arguments = std::vector<std::string>;
using Environment = std::vector<std::pair<std::string, std::string>>;

Arguments logged_run(const std::string& solver, const Arguments& more) {
    Arguments all = {"run",   "--json",
                     "--set", "problem.instance=tai12a",
                     "--set", "algorithm.plugin=" + solver,
                     "--set", "output.log_level=debug"};
    all.insert(all.end(), {"--threads", "1"});
    all.insert(all.end(), more.begin(), more.end());
    return all;
}
const Arguments kSolved = {"--set", "output.record=false", "--set", "run.target=224416"};

std::string nvml() {
    return std::string(kLibraries) + "/libnvml.so";
}

/// Returns the environment for one emulated GPU. NVML describes the GPU, and opening it takes `seconds`.
Environment surveyed(const EmulatedGpus& gpus, const std::string& seconds, const Environment& more = {}) {
    Environment all = gpus.with("1", {{"QAPFW_NVML", nvml()}, {"QAPFW_EMULATED_OPEN_SECONDS", seconds}});
    all.insert(all.end(), more.begin(), more.end());
    return all;
}

/// With this setting kernels compile so slowly that the run ends on the CPU. A search on an emulated GPU would take
/// minutes.
const std::pair<std::string, std::string> kStaysOnCpu = {"QAPFW_EMULATED_COMPILE_SECONDS", "30"};

/// Checks that the run waits at least `seconds` for the GPUs and says `why`. Returns the run's result.
Json check_waits(const Arguments& arguments, const Environment& environment, double seconds, const std::string& why) {
    CAPTURE(why);
    const Ended ended = qapfw_run(arguments, {.environment = environment});
    CAPTURE(ended.err);
    REQUIRE(ended.code == 0);
    CHECK(ended.seconds >= seconds);
    CHECK(test::contains(ended.err, why));
    return Json::parse(ended.out);
}

}  // namespace

TEST_SUITE_BEGIN("emulated");

TEST_CASE("with NVML a run whose parameters depend on the GPUs begins before these are open, and goes the same way") {
    if (skipped()) return;
    const EmulatedGpus gpus;
    const Arguments islands = {"--set", "algorithm.islands=10",      "--set",     "algorithm.first_islands=10",
                               "--set", "algorithm.size=6553",       "--set",     "algorithm.first_size=6",
                               "--set", "algorithm.brood=6",         "--set",     "algorithm.child_work=3960",
                               "--set", "algorithm.restart_after=8", "--set",     "algorithm.leader_child_work=1320",
                               "--set", "algorithm.migrants=8",      "--backend", "cpu"};
    const Arguments searches = {"--set", "algorithm.searches=64", "--backend", "cpu"};
    for (const std::string solver : {"memetic", "tabu"}) {
        CAPTURE(solver);
        std::string digest;
        check_fastest_below(1, [&] {
            const Ended ended = qapfw_run(logged_run(solver, kSolved), {.environment = surveyed(gpus, "30")});
            CAPTURE(ended.err);
            REQUIRE(ended.code == 0);
            CHECK(test::contains(ended.err, solver == "memetic" ? "chosen for the GPUs: islands 10, " : "searches 64"));
            const Json result = Json::parse(ended.out);
            CHECK(result["target_reached"] == true);
            CHECK(result["backend"] == "cpu");
            digest = result["digest"];
            return ended.seconds;
        });
        Arguments same = logged_run(solver, kSolved);
        const Arguments& numbers = solver == "memetic" ? islands : searches;
        same.insert(same.end(), numbers.begin(), numbers.end());
        CHECK(Json::parse(qapfw_run(same).out)["digest"] == digest);
        const Json waited = check_waits(logged_run(solver, kSolved),
                                        gpus.with("1", {{"QAPFW_EMULATED_OPEN_SECONDS", "0.3"}, kStaysOnCpu}), 0.3,
                                        "QAPFW_LIBCUDA names another driver");
        CHECK(waited["digest"] == digest);
    }
}

TEST_CASE("with NVML layouts begin before the GPUs are open") {
    if (skipped()) return;
    const EmulatedGpus gpus;
    check_fastest_below(1, [&] {
        const Ended ended = qapfw_run(logged_run("memetic", {"--set", "problem.instance=F12", "--set",
                                                             "output.record=false", "--iterations", "1"}),
                                      {.environment = surveyed(gpus, "30")});
        CAPTURE(ended.err);
        REQUIRE(ended.code == 0);
        CHECK(test::contains(ended.err, "chosen for the GPUs: islands "));
        CHECK(Json::parse(ended.out)["backend"] == "cpu");
        return ended.seconds;
    });
}

TEST_CASE("a run that began by NVML's figures moves to the GPUs, and its record holds them") {
    if (skipped()) return;
    const EmulatedGpus gpus;
    const TemporaryFolder place;
    const std::string record = place / "r";
    Process run(logged_run("tabu", {"--set", "algorithm.round=20", "--out", record}),
                {.environment = surveyed(gpus, "0.2")});
    for (int k = 0; k < 8000 && !test::contains(contents(record + "/log.txt"), "moved to cuda"); ++k) sleep_for(0.005);
    sleep_for(0.05);
    run.send(SIGINT);
    const Ended ended = run.wait();
    CAPTURE(ended.err);
    const Json result = Json::parse(ended.out);
    REQUIRE(result["moved"].is_object());
    const Ended alone =
        qapfw_run({"run", record + "/config.toml", "--json", "--backend", "cpu", "--iterations",
                   std::to_string(result["iterations"].get<std::uint64_t>()), "--set", "output.record=false"});
    REQUIRE(alone.code == 0);
    CHECK(Json::parse(alone.out)["digest"] == result["digest"]);
    CHECK(test::contains(contents(record + "/config.toml"), "searches = 64"));
    CHECK(qapfw_run({"verify", record}).code == 0);
}

TEST_CASE(
    "where NVML is not sure to describe what CUDA shows, and where kernels are needed, a run waits for the GPUs") {
    if (skipped()) return;
    const EmulatedGpus gpus;
    const Arguments solved = logged_run("tabu", kSolved);
    check_waits(solved, surveyed(gpus, "0.2", {{"QAPFW_EMULATED_MIG", "1"}, kStaysOnCpu}), 0.2,
                "is divided into MIG instances");
    check_waits(solved,
                surveyed(gpus, "0.1", {{"QAPFW_EMULATED_OTHER_MODEL", "1"}, {"QAPFW_EMULATED_GPUS", "2"}, kStaysOnCpu}),
                0.2, "the GPUs are of several models");
    check_waits(solved, surveyed(gpus, "0.2", {{"QAPFW_EMULATED_NVML_ERROR", "9"}, kStaysOnCpu}), 0.2,
                "NVML does not answer: starting it failed: emulated");
    check_waits(solved, surveyed(gpus, "0.2", {{"CUDA_VISIBLE_DEVICES", "GPU-1"}, kStaysOnCpu}), 0.2,
                "CUDA_VISIBLE_DEVICES is \"GPU-1\"");
    const Json layouts = check_waits(
        logged_run("memetic", {"--set", "problem.instance=F12", "--set", "algorithm.arms=[\"improver=two_opt\"]",
                               "--set", "output.record=false", "--iterations", "1"}),
        surveyed(gpus, "0.2"), 0.2, "choosing them needs kernels");
    CHECK(layouts["best_cost"].is_number());
}

TEST_CASE("a run that began by NVML's figures stays on the CPU where the GPUs cannot be opened") {
    if (skipped()) return;
    const EmulatedGpus gpus;
    const Ended ended = qapfw_run(logged_run("tabu", {"--set", "output.record=false", "--time-limit", "0.5s"}),
                                  {.environment = surveyed(gpus, "0", {{"QAPFW_LIBCUDA", "/nonexistent/libcuda.so"}})});
    CAPTURE(ended.err);
    CHECK(ended.code == 0);
    CHECK(test::contains(ended.err, "the run stays on the CPU: no NVIDIA driver is found"));
    const Json result = Json::parse(ended.out);
    CHECK(result["backend"] == "cpu");
    CHECK(test::contains(result["backend_reason"].get<std::string>(), "no NVIDIA driver is found"));
}

TEST_CASE("a signal ends a run that waits for the GPUs to be opened") {
    if (skipped()) return;
    const EmulatedGpus gpus;
    for (const int signal : {SIGINT, SIGTERM}) {
        check_fastest_below(1, [&] {
            Process run(logged_run("tabu", kSolved),
                        {.environment = gpus.with("1", {{"QAPFW_EMULATED_OPEN_SECONDS", "30"}})});
            run.wait_until_it_answers(signal);
            const auto start = std::chrono::steady_clock::now();
            run.send(signal);
            const Ended ended = run.wait();
            CHECK(ended.code == 128 + signal);
            CHECK(test::contains(ended.err, "interrupted before a search began"));
            return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        });
    }
}

TEST_CASE("doctor says whether NVML answers") {
    if (skipped()) return;
    const EmulatedGpus gpus;
    CHECK(test::contains(qapfw_run({"doctor"}, {.environment = surveyed(gpus, "0")}).out, "  nvml     emulated ("));
    CHECK(test::contains(qapfw_run({"doctor"}, {.environment = gpus.with("1")}).out,
                         "  nvml     missing: QAPFW_LIBCUDA names another driver"));
}

TEST_SUITE_END();
