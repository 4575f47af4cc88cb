// SPDX-License-Identifier: Apache-2.0
// Tools of the tests that attack the program, for example by killing it. Runs are so short that a thousand of them are
// possible. The test suite makes short attacks; `tests/attack/run.sh` makes whole attacks.
#pragma once

#include <doctest/doctest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/integration/killed_record.hpp"

namespace qapfw::attack {

using Json = nlohmann::json;
using testing::Ended;
using testing::Process;
using testing::TemporaryFolder;

inline bool is_whole() {
    const char* word = std::getenv("QAPFW_ATTACK");
    return word != nullptr && std::string(word) == "whole";
}

/// All numbers from 1 to `most`; in a short attack about `few` of them, evenly spread.
inline std::vector<long> chosen(long most, long few) {
    std::vector<long> numbers;
    const long step = is_whole() ? 1 : std::max(1L, most / few);
    for (long k = 1 + (is_whole() ? 0 : step / 2); k <= most; k += step) numbers.push_back(k);
    return numbers;
}

/// A solver with the arguments of its run, on a generated instance.
struct SolverCase {
    std::string name;
    std::vector<std::string> arguments;  ///< arguments of `qapfw run`
    long iterations;                     ///< number of iterations, which take some tenths of a second
};

inline std::vector<std::string> solver_run(const std::string& solver, const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {"run",
                                          "--set",
                                          "problem.plugin=qap",
                                          "--set",
                                          "problem.instance=tai20a",
                                          "--backend",
                                          "cpu",
                                          "--threads",
                                          "2",
                                          "--seed",
                                          "5",
                                          "--json",
                                          "--set",
                                          "output.checkpoint_interval=0s",
                                          "--set",
                                          "algorithm.plugin=" + solver};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
}

inline std::vector<SolverCase> solver_cases() {
    const std::vector<std::string> with_two_opt = {"--set", "algorithm.improver.plugin=two_opt"};
    std::vector<SolverCase> cases = {{"tabu", solver_run("tabu", {"--set", "algorithm.searches=2"}), 60000},
                                     {"random_restart", solver_run("random_restart", with_two_opt), 150},
                                     {"cas", solver_run("cas", with_two_opt), 400},
                                     {"pga_grid", solver_run("pga_grid", with_two_opt), 300}};
    const std::vector<SolverCase> slower = {{"ga_distributed", solver_run("ga_distributed", {}), 60},
                                            {"ga_independent", solver_run("ga_independent", {}), 60},
                                            {"imga", solver_run("imga", {}), 120}};
    if (is_whole()) cases.insert(cases.end(), slower.begin(), slower.end());
    return cases;
}

inline std::vector<std::string> with(std::vector<std::string> arguments, const std::vector<std::string>& more) {
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
}

/// True if the program ended with one of its exit codes, neither with a signal nor with the code for a defect.
inline bool is_orderly(const Ended& ended) {
    return ended.code >= 0 && ended.code < 128 && ended.code != 1;
}

/// True if two results have the same digest, best solution and counters.
inline bool same_end(const Json& a, const Json& b) {
    for (const char* key : {"digest", "best_cost", "solution", "iterations", "evaluations", "rounds"}) {
        if (a[key] != b[key]) return false;
    }
    return true;
}

inline Json parsed(const Ended& ended) {
    return Json::accept(ended.out) ? Json::parse(ended.out) : Json::object();
}

}  // namespace qapfw::attack
