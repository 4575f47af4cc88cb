// SPDX-License-Identifier: Apache-2.0
// Runs in which file operations fail: a single call, or a pair of calls with EIO. In the whole attack each single call
// fails in every way; otherwise only some calls fail, each in one way. The answer and a usable checkpoint must remain.
#include <algorithm>
#include <fstream>

#include "tests/attack/attack.hpp"

namespace qapfw::attack {
namespace {

constexpr const char* kWays[] = {"enospc", "eio", "short"};

/// Runs the program with failing_calls.c. `calls`: numbers of the calls that fail. `way`: how they fail.
Ended run_with_faults(const std::vector<std::string>& arguments, const std::string& calls, const std::string& way,
                      const std::string& count_file = "") {
    Process::Options options;
    options.environment = {{"LD_PRELOAD", QAPFW_FAILING_CALLS}, {"QAPFW_FAIL_CALLS", calls}, {"QAPFW_FAIL_WAY", way}};
    if (!count_file.empty()) options.environment.emplace_back("QAPFW_FAIL_COUNT", count_file);
    return testing::qapfw_run(arguments, options);
}

/// Returns the number of calls that failing_calls.c counts if no call fails.
long count_calls(const std::vector<std::string>& arguments, const std::string& file) {
    run_with_faults(arguments, "", "eio", file);
    std::ifstream stream(file);
    long count = 0;
    stream >> count;
    REQUIRE(count > 10);
    return count;
}

/// Arguments of a run of 40,000 iterations with a checkpoint after each round. The last two checkpoints are kept.
std::vector<std::string> short_run(const std::string& record) {
    return with(solver_run("tabu", {"--set", "algorithm.searches=2"}), {"--iterations", "40000", "--out", record});
}

Json whole_run(const std::string& iterations) {
    static const TemporaryFolder place;
    const std::string record = place / iterations;
    if (!std::filesystem::exists(record)) {
        testing::qapfw_run(
            with(solver_run("tabu", {"--set", "algorithm.searches=2"}), {"--iterations", iterations, "--out", record}));
    }
    return Json::parse(testing::contents(record + "/result.json"));
}

/// Checks that a record can be resumed after faults. The resumed run must end like a run of 60,000 iterations without
/// faults.
void check_usable(const std::string& record, const std::string& what) {
    if (!std::filesystem::exists(record + "/config.toml")) return;
    const Ended more = testing::qapfw_run({"resume", record, "--iterations", "60000", "--json"});
    CHECK_MESSAGE(more.code == 0, what << ": " << more.err);
    CHECK_MESSAGE(same_end(parsed(more), whole_run("60000")), what);
}

/// Checks that the answer is right. If a part of the record was lost (exit code 6), a message must say so.
void check_answer(const Ended& ended, const Json& whole, const std::string& what) {
    CHECK_MESSAGE((ended.code == 0 || ended.code == 6), what << ": " << ended.code << " " << ended.err);
    CHECK_MESSAGE(same_end(parsed(ended), whole), what);
    if (ended.code == 6) CHECK_MESSAGE(ended.err.find("cannot ") != std::string::npos, what);
}

}  // namespace

TEST_CASE("whichever write of a run fails, the answer is right and the record can be resumed") {
    const TemporaryFolder place;
    const long calls = count_calls(short_run(place / "count"), place / "calls");
    long faults = 0;
    for (const long call : chosen(calls, 12)) {
        for (const char* way : kWays) {
            if (!is_whole() && way != kWays[call % 3]) continue;
            const std::string record = place / "r";
            std::filesystem::remove_all(record);
            const std::string what = std::to_string(call) + " of " + std::to_string(calls) + " " + way;
            check_answer(run_with_faults(short_run(record), std::to_string(call), way), whole_run("40000"), what);
            check_usable(record, what);
            ++faults;
        }
    }
    MESSAGE(faults << " faults at " << calls << " calls of a run");
}

TEST_CASE("whichever write of a resume fails, the answer is right and the record can be resumed again") {
    const TemporaryFolder place;
    testing::qapfw_run(
        with(solver_run("tabu", {"--set", "algorithm.searches=2"}), {"--iterations", "20000", "--out", place / "x"}));
    const auto resume = [&] {
        return std::vector<std::string>{"resume", testing::copy_of(place / "x", place / "r"), "--iterations", "40000",
                                        "--json"};
    };
    const long calls = count_calls(resume(), place / "calls");
    long faults = 0, refused = 0;
    for (const long call : chosen(calls, 12)) {
        for (const char* way : kWays) {
            if (!is_whole() && way != kWays[call % 3]) continue;
            const std::string what = std::to_string(call) + " of " + std::to_string(calls) + " " + way;
            const Ended ended = run_with_faults(resume(), std::to_string(call), way);
            // A resume that cannot take the lock computes nothing, so there is no answer to check.
            const bool unlocked = ended.code == 6 && ended.out.empty() && ended.err.find("lock") != std::string::npos;
            if (!unlocked) check_answer(ended, whole_run("40000"), what);
            check_usable(place / "r", what);
            ++faults;
            refused += unlocked ? 1 : 0;
        }
    }
    MESSAGE(faults << " faults at " << calls << " calls of a resume, " << refused
                   << " refused because they got no lock");
}

TEST_CASE("whichever two writes fail after a damaged checkpoint, the newest good one survives") {
    const TemporaryFolder place;
    testing::qapfw_run(
        with(solver_run("tabu", {"--set", "algorithm.searches=2"}), {"--iterations", "20000", "--out", place / "x"}));
    REQUIRE(std::filesystem::exists(place / "x/checkpoint.previous.bin"));
    std::ofstream(place / "x/checkpoint.bin") << "damaged";
    const auto resume = [&] {
        return std::vector<std::string>{"resume", testing::copy_of(place / "x", place / "r"), "--iterations", "30000",
                                        "--json"};
    };
    const long calls = count_calls(resume(), place / "calls");
    long pairs = 0;
    const std::vector<long> firsts = chosen(std::min(calls, 60L), 6);
    for (const long first : firsts) {
        // The calls after the second fault fail too, so that the record stays as the first two faults left it.
        for (const long second : chosen(std::min(calls, 60L), 3)) {
            if (second <= first) continue;
            const std::string both = std::to_string(first) + "," + std::to_string(second) + "+";
            run_with_faults(resume(), both, "eio");
            const Ended after = testing::qapfw_run({"resume", place / "r", "--iterations", "60000", "--json"});
            CHECK_MESSAGE(after.code == 0, both << ": " << after.err);
            CHECK_MESSAGE(after.err.find("resumed after ") != std::string::npos, both << ": " << after.err);
            CHECK_MESSAGE(same_end(parsed(after), whole_run("60000")), both);
            ++pairs;
        }
    }
    MESSAGE(pairs << " pairs of faults");
}

}  // namespace qapfw::attack
