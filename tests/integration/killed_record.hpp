// SPDX-License-Identifier: Apache-2.0
// Records of runs that were killed, and comparisons of them with uninterrupted runs.
#pragma once

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "framework/record/checkpoint.hpp"
#include "framework/record/result.hpp"
#include "tests/integration/process.hpp"

namespace qapfw::testing {

inline void sleep_for(double seconds) {
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
}

/// Waits until the file exists, for a minute at most.
inline void wait_for_file(const std::string& file) {
    for (int k = 0; k < 12000 && !std::filesystem::exists(file); ++k) sleep_for(0.005);
    REQUIRE(std::filesystem::exists(file));
}

/// Arguments of a run that writes a checkpoint every 20 ms.
inline std::vector<std::string> long_run(const std::string& record, const std::string& iterations) {
    return small_run(
        {"--iterations", iterations, "--set", "output.checkpoint_interval=20ms", "--json", "--out", record});
}

/// The largest number of iterations in the record's result and checkpoints.
inline std::uint64_t iterations_recorded(const std::string& record) {
    std::uint64_t most = nlohmann::json::parse(contents(record + "/result.json")).at("iterations");
    for (const char* name : {"/checkpoint.bin", "/checkpoint.previous.bin"}) {
        if (!std::filesystem::exists(record + name)) continue;
        const framework::Checkpoint kept = framework::decode_checkpoint(contents(record + name), name);
        most = std::max(most, kept.counters.iterations);
    }
    return most;
}

/// Starts a run that would take days. Kills the run once its record has two checkpoints and a result. Returns a number
/// of iterations that the run did not reach. If the run is resumed up to this number, it must end like a long_run that
/// was not killed.
inline std::string make_killed_record(const std::string& record) {
    Process process(long_run(record, "1000000000000"));
    wait_for_file(record + "/checkpoint.previous.bin");
    wait_for_file(record + "/result.json");
    process.send(SIGKILL);
    REQUIRE(process.wait().code == 1000 + SIGKILL);
    return std::to_string(iterations_recorded(record) + 30000);
}

inline void check_same_end(const nlohmann::json& a, const nlohmann::json& b) {
    for (const char* key : {"digest", "best_cost", "solution", "iterations", "evaluations", "rounds"}) {
        CHECK_MESSAGE(a[key] == b[key], key);
    }
}

/// The text of a result with changed values and a fitting checksum, as a careful forger would write it.
inline std::string forged_result(nlohmann::json json) {
    json.erase("checksum");
    return framework::with_checksum(json.dump(2) + "\n");
}

/// Makes a copy of the record. A test may damage the copy.
inline std::string copy_of(const std::string& record, const std::string& copy) {
    std::filesystem::remove_all(copy);
    std::filesystem::copy(record, copy, std::filesystem::copy_options::recursive);
    return copy;
}

}  // namespace qapfw::testing
