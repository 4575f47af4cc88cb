// SPDX-License-Identifier: Apache-2.0
// Runs that begin on the CPU and move to emulated GPUs when the GPUs' kernels are ready. The moment of the move must
// not change the result: it must equal that of a run on the CPU alone.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/integration/emulated_gpus.hpp"
#include "tests/integration/killed_record.hpp"

using namespace qapfw;
using namespace qapfw::testing;
using Json = nlohmann::json;

namespace {

using Arguments = std::vector<std::string>;

Arguments joined(Arguments first, const Arguments& more) {
    first.insert(first.end(), more.begin(), more.end());
    return first;
}

Arguments plain_run(const Arguments& more) {
    return joined({"run", "--json", "--threads", "1", "--set", "problem.instance=tai12a", "--set",
                   "algorithm.plugin=ga_distributed", "--set", "algorithm.subpopulations=3", "--set",
                   "algorithm.size=16", "--set", "algorithm.exchange_every=2"},
                  more);
}
/// Arguments of a run that begins on the CPU.
Arguments moving_run(const Arguments& more) {
    return joined(plain_run({"--set", "device.start_on_cpu=true"}), more);
}
/// Arguments of a run with long rounds.
Arguments restarts_run(const std::string& instance, const std::string& improver, const std::string& batch) {
    return {"run",   "--json", "--threads", "1",      "--set", "algorithm.plugin=random_restart",
            "--set", instance, "--set",     improver, "--set", batch};
}
/// Arguments of a run whose "auto" parameters depend on the GPUs.
Arguments automatic_run(const std::string& solver, const Arguments& more) {
    return joined(
        {"run", "--json", "--threads", "1", "--set", "problem.instance=tai12a", "--set", "algorithm.plugin=" + solver},
        more);
}
const Arguments kNoRecord = {"--set", "output.record=false"};

/// Checks that `result` equals the result of a run on the CPU alone with the same seed and number of iterations.
void check_cpus_course(const Json& result) {
    const auto number = [&](const char* key) { return std::to_string(result[key].get<int>()); };
    const Ended ended = qapfw_run(plain_run({"--set", "output.record=false", "--backend", "cpu", "--iterations",
                                             number("iterations"), "--seed", number("seed")}));
    REQUIRE(ended.code == 0);
    const Json wanted = Json::parse(ended.out);
    REQUIRE(result["digest"].is_string());
    for (const char* key :
         {"digest", "rounds", "best_cost", "solution"}) {  // the summary of several runs lacks some of these keys
        if (result.contains(key)) CHECK_MESSAGE(result[key] == wanted[key], key);
    }
}

/// Compiles the kernels into the cache of `gpus`.
void fill_cache(const EmulatedGpus& gpus, const Arguments& arguments) {
    const Ended ended = qapfw_run(
        joined(arguments, {"--backend", "cuda", "--set", "device.start_on_cpu=false", "--set", "output.record=false"}),
        {.environment = gpus.with("1")});
    CAPTURE(ended.err);
    REQUIRE(ended.code == 0);
    REQUIRE(Json::parse(ended.out)["backend"] == "cuda");
    REQUIRE(Json::parse(ended.out)["moved"].is_null());
}

void wait_for_log(const std::string& record, const std::string& text) {
    for (int k = 0; k < 4000 && !test::contains(contents(record + "/log.txt"), text); ++k) sleep_for(0.005);
    REQUIRE(test::contains(contents(record + "/log.txt"), text));
}

void check_verified(const std::string& record) {
    const Ended verified = qapfw_run({"verify", record});
    CAPTURE(verified.out);
    CAPTURE(verified.err);
    CHECK(verified.code == 0);
}

using Environment = std::vector<std::pair<std::string, std::string>>;

/// Starts a run whose record is the folder `record`. Sends the signal soon after `text` is in the log. Before SIGKILL,
/// also waits for a second checkpoint.
Ended run_until(const std::string& text, int signal, const std::string& record, const Arguments& arguments,
                const Environment& environment) {
    Process run(arguments, {.environment = environment});
    wait_for_log(record, text);
    sleep_for(0.05);
    if (signal == SIGKILL) wait_for_file(record + "/checkpoint.previous.bin");
    run.send(signal);
    Ended ended = run.wait();
    CHECK(ended.code == (signal == SIGKILL ? 1000 : 128) + signal);
    return ended;
}

/// Kills a run soon after `text` is in the log. Resumes it with two GPUs, and stops it soon after it has moved to them.
/// The result must equal that of a run on the CPU.
void check_resumed_after(const EmulatedGpus& gpus, const std::string& text, const std::string& load_seconds) {
    CAPTURE(text);
    const TemporaryFolder place;
    const std::string record = place / "r";
    run_until(text, SIGKILL, record, moving_run({"--out", record, "--set", "output.checkpoint_interval=20ms"}),
              gpus.with("1", {{"QAPFW_EMULATED_LOAD_SECONDS", load_seconds}}));
    check_verified(record);
    std::filesystem::remove(record + "/log.txt");
    const Ended resumed = run_until("moved to cuda", SIGINT, record, {"resume", record, "--json"},
                                    gpus.with("2", {{"QAPFW_EMULATED_LOAD_SECONDS", "0.05"}}));
    CAPTURE(resumed.err);
    const Json result = Json::parse(resumed.out);
    CHECK(result["resumes"] == 1);
    check_cpus_course(result);
    check_verified(record);
}

/// Lets the GPU fail when the run moves to it. The run must stay on the CPU, or end with the answer found so far.
void check_lost_gpu(const EmulatedGpus& gpus) {
    const TemporaryFolder place;
    // Only the thread that prepares the GPU may use the GPU. The GPU fails as soon as another thread uses it.
    const auto environment = gpus.with("1", {{"QAPFW_EMULATED_THREADS", "1"}, {"QAPFW_EMULATED_LOAD_SECONDS", "0.1"}});
    const Ended stays = run_until("the run stays on the CPU: ", SIGINT, place / "stays",
                                  moving_run({"--out", place / "stays"}), environment);
    CAPTURE(stays.err);
    CHECK(!test::contains(stays.err, "moved to"));
    CHECK(test::contains(stays.err, "the run stays on the CPU: solver ga_distributed: GPU 0 (emulated GPU) failed"));
    const Json result = Json::parse(stays.out);
    CHECK(result["backend"] == "cpu");
    CHECK(result["moved"].is_null());
    CHECK(test::contains(result["backend_reason"].get<std::string>(), "GPU 0 (emulated GPU) failed"));
    check_cpus_course(result);
    check_verified(place / "stays");
    const Ended ends = qapfw_run(moving_run({"--backend", "cuda", "--out", place / "r"}), {.environment = environment});
    CAPTURE(ends.err);
    CHECK(ends.code == 4);
    CHECK(test::contains(ends.err, "GPU 0 (emulated GPU) failed"));
    CHECK(Json::parse(ends.out)["stop_reason"] == "error");
    CHECK(Json::parse(ends.out)["best_cost"].is_number());
    check_verified(place / "r");
    const Ended resumed = qapfw_run({"resume", place / "r", "--json", "--backend", "cpu", "--time-limit", "0.3s"});
    REQUIRE(resumed.code == 0);
    check_cpus_course(Json::parse(resumed.out));
}

}  // namespace

TEST_SUITE_BEGIN("emulated");

TEST_CASE(
    "a run that moves to GPUs after any round follows the CPU's trajectory, even if it is cut short or loses a GPU") {
    if (skipped()) return;
    const EmulatedGpus gpus;
    const TemporaryFolder place;
    fill_cache(gpus, plain_run({"--iterations", "2"}));
    for (const std::string seconds : {"0", "0.07"}) {
        CAPTURE(seconds);
        const std::string record = place / seconds, count = seconds == "0" ? "1" : "2";
        const Ended ended =
            run_until("moved to cuda after ", seconds == "0" ? SIGINT : SIGTERM, record, moving_run({"--out", record}),
                      gpus.with(count, {{"QAPFW_EMULATED_LOAD_SECONDS", seconds}}));
        CAPTURE(ended.err);
        const Json result = Json::parse(ended.out);
        CHECK(result["backend"] == "cuda");
        REQUIRE(result["moved"].is_object());
        CHECK(result["moved"]["rounds"] <= result["rounds"]);
        CHECK(result["moved"]["seconds"] <= result["seconds"]);
        CHECK(test::contains(ended.err, "moved to cuda after "));
        CHECK(!test::contains(ended.err, "emulated GPU: "));  // printed for each call that the emulated GPU refuses
        check_cpus_course(result);
        check_verified(record);
    }
    check_resumed_after(gpus, "ga_distributed on cpu", "5");
    check_resumed_after(gpus, "moved to cuda", "0.1");
    check_lost_gpu(gpus);
    // If a command makes several runs, the later runs begin on the GPU.
    const Ended three = qapfw_run(moving_run(joined(kNoRecord, {"--runs", "3", "--time-limit", "0.3s"})),
                                  {.environment = gpus.with("1", {{"QAPFW_EMULATED_LOAD_SECONDS", "0.02"}})});
    CAPTURE(three.err);
    const Json runs = Json::parse(three.out)["runs"];
    REQUIRE(runs.size() == 3);
    for (const Json& run : runs) check_cpus_course(run);
    const std::size_t first = three.err.find("moved to cuda");
    CHECK(first != std::string::npos);
    CHECK(three.err.find("moved to cuda", first + 1) == std::string::npos);
}

TEST_CASE("a long round on the CPU is cut short when the GPUs are ready, and begins anew there") {
    if (skipped()) return;
    const EmulatedGpus gpus;
    const Arguments restarts =
        restarts_run("problem.instance=tai12a", "algorithm.improver.plugin=two_opt", "algorithm.batch=500000");
    fill_cache(gpus, joined(restarts, {"--time-limit", "10ms"}));
    const TemporaryFolder place;
    const Ended ended = run_until("moved to cuda", SIGINT, place / "r",
                                  joined(restarts, {"--set", "device.start_on_cpu=true", "--out", place / "r"}),
                                  gpus.with("1", {{"QAPFW_EMULATED_LOAD_SECONDS", "0.2"}}));
    CAPTURE(ended.err);
    const Json result = Json::parse(ended.out);
    REQUIRE(result["moved"].is_object());
    CHECK(result["moved"]["rounds"] == 0);
    CHECK(result["best_cost"].is_number());
    check_verified(place / "r");
}

TEST_CASE("after a round that was cut short on the CPU rounds on the GPUs are complete") {
    if (skipped()) return;
    const EmulatedGpus gpus;
    const Arguments restarts = joined(
        restarts_run("problem.instance=F12", "algorithm.improver.plugin=tabu", "algorithm.batch=150"), kNoRecord);
    fill_cache(gpus, joined(restarts, {"--time-limit", "10ms"}));
    const Arguments rounds = joined(restarts, {"--iterations", "1", "--time-limit", "100s"});
    const Json alone = Json::parse(qapfw_run(joined(rounds, {"--backend", "cpu"})).out);
    REQUIRE(alone["seconds"] > 0.1);  // the run's round is long
    const Ended ended = qapfw_run(joined(rounds, {"--set", "device.start_on_cpu=true"}),
                                  {.environment = gpus.with("1", {{"QAPFW_EMULATED_LOAD_SECONDS", "0.02"}})});
    CAPTURE(ended.err);
    const Json result = Json::parse(ended.out);
    REQUIRE(result["moved"].is_object());
    CHECK(result["moved"]["rounds"] == 0);
    CHECK(result["stop_reason"] == "iterations");
    for (const char* key : {"digest", "rounds", "iterations", "best_cost", "solution"}) {
        CHECK_MESSAGE(result[key] == alone[key], key);
    }
}

TEST_CASE("what ends a run on the CPU does not wait for the GPU's compiler") {
    if (skipped()) return;
    const EmulatedGpus gpus;
    const auto environment = gpus.with("1", {{"QAPFW_EMULATED_COMPILE_SECONDS", "60"}});
    for (const std::string backend : {"auto", "cuda"}) {
        CAPTURE(backend);
        check_fastest_below(1, [&] {
            const Arguments easy = joined(kNoRecord, {"--set", "run.target=240000"});
            const Ended ended =
                qapfw_run(moving_run(joined(easy, {"--backend", backend})), {.environment = environment});
            CHECK(ended.code == 0);
            const Json result = Json::parse(ended.out);
            CHECK(result["target_reached"] == true);
            CHECK(result["backend"] == "cpu");
            CHECK(result["moved"].is_null());
            CHECK(result["digest"] == Json::parse(qapfw_run(plain_run(easy)).out)["digest"]);
            return ended.seconds;
        });
    }
    check_fastest_below(1, [&] {  // a time limit ends a run on the CPU too
        const Ended ended =
            qapfw_run(moving_run(joined(kNoRecord, {"--time-limit", "0.2s"})), {.environment = environment});
        CHECK(ended.code == 0);
        CHECK(Json::parse(ended.out)["stop_reason"] == "time_limit");
        return ended.seconds;
    });
    for (const int signal : {SIGINT, SIGTERM}) {
        check_fastest_below(0.6, [&] {
            const TemporaryFolder place;
            Process run(moving_run({"--out", place / "r"}), {.environment = environment});
            wait_for_log(place / "r", "ga_distributed on cpu");
            sleep_for(0.1);
            const auto start = std::chrono::steady_clock::now();
            run.send(signal);
            const Ended ended = run.wait();
            const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
            CHECK(ended.code == 128 + signal);
            CHECK(Json::parse(ended.out)["best_cost"].is_number());
            check_verified(place / "r");
            return seconds;
        });
    }
}

TEST_CASE("parameters that depend on the GPUs have their values there from the start, before kernels are compiled") {
    if (skipped()) return;
    for (const std::string solver : {"memetic", "tabu"}) {
        CAPTURE(solver);
        const EmulatedGpus gpus;
        const auto slow = gpus.with("1", {{"QAPFW_EMULATED_COMPILE_SECONDS", "60"}});
        const std::string known =
            solver == "memetic" ? "chosen for the GPUs: islands 10, " : "chosen for the GPUs: searches 64";
        check_fastest_below(1, [&] {
            const Ended ended = qapfw_run(automatic_run(solver, joined(kNoRecord, {"--set", "run.target=224416"})),
                                          {.environment = slow});
            CAPTURE(ended.err);
            CHECK(ended.code == 0);
            CHECK(test::contains(ended.err, known));
            const Json result = Json::parse(ended.out);
            CHECK(result["target_reached"] == true);
            CHECK(result["backend"] == "cpu");
            return ended.seconds;
        });
        const TemporaryFolder place;
        const std::string record = place / "r";
        const Arguments short_rounds = {"--set", solver == "memetic" ? "algorithm.round=20000" : "algorithm.round=20"};
        fill_cache(gpus, automatic_run(solver, joined(short_rounds, {"--iterations", "2"})));
        const Ended ended =
            run_until("moved to cuda", SIGINT, record, automatic_run(solver, joined(short_rounds, {"--out", record})),
                      gpus.with("1", {{"QAPFW_EMULATED_LOAD_SECONDS", "0.02"}}));
        CAPTURE(ended.err);
        const Json result = Json::parse(ended.out);
        REQUIRE(result["moved"].is_object());
        check_verified(record);
        const std::string iterations = std::to_string(result["iterations"].get<std::uint64_t>());
        const Ended alone = qapfw_run(joined(
            {"run", record + "/config.toml", "--json", "--backend", "cpu", "--iterations", iterations}, kNoRecord));
        CAPTURE(alone.err);
        REQUIRE(alone.code == 0);
        CHECK(Json::parse(alone.out)["digest"] == result["digest"]);
    }
}

TEST_CASE("kernels that do not compile leave a run on the CPU, or end it after its answer where a GPU is wanted") {
    if (skipped()) return;
    const EmulatedGpus gpus;
    const auto failing = [&](const std::string& seconds) {
        return gpus.with(
            "1", {{"QAPFW_EMULATED_COMPILE_ERROR", "this is no program"}, {"QAPFW_EMULATED_COMPILE_SECONDS", seconds}});
    };
    const TemporaryFolder place;
    const Ended stays = run_until("the run stays on the CPU: ", SIGINT, place / "stays",
                                  moving_run({"--out", place / "stays"}), failing("0.02"));
    CAPTURE(stays.err);
    CHECK(test::contains(stays.err, "the run stays on the CPU: solver ga_distributed: kernel "));
    CHECK(test::contains(stays.err, "this is no program"));
    const Json result = Json::parse(stays.out);
    CHECK(test::contains(result["backend_reason"].get<std::string>(), "this is no program"));
    check_cpus_course(result);

    // The failure may come at any moment of a round.
    for (const std::string seconds : {"0.01", "0.023", "0.036", "0.049", "0.062", "0.075", "0.088", "0.101"}) {
        CAPTURE(seconds);
        const Ended ends = qapfw_run(moving_run({"--backend", "cuda", "--out", place / seconds, "--time-limit", "20s"}),
                                     {.environment = failing(seconds)});
        CAPTURE(ends.err);
        CHECK(ends.code == 3);
        CHECK(test::contains(ends.err, "this is no program"));
        CHECK(Json::parse(ends.out)["stop_reason"] == "error");
        check_verified(place / seconds);
    }
    // A missing GPU is reported before the run creates its output folder.
    const Ended none = qapfw_run(moving_run({"--backend", "cuda", "--out", place / "none"}),
                                 {.environment = {{"QAPFW_LIBCUDA", "/nonexistent/libcuda.so"}}});
    CHECK(none.code == 4);
    CHECK(test::contains(none.err, "no NVIDIA driver is found"));
    CHECK(!std::filesystem::exists(place / "none"));
}

TEST_SUITE_END();
