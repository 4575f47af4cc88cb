// SPDX-License-Identifier: Apache-2.0
// `qapfw solve`: a run that needs only an instance.
#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "framework/cli/commands.hpp"
#include "framework/cli/kept_inputs.hpp"
#include "framework/config/toml_reader.hpp"
#include "qapfw/error.hpp"

namespace qapfw::framework {
namespace {

constexpr std::array kLimits{"run.time_limit", "run.iterations", "run.evaluations", "run.target", "run.stagnation"};
/// Time limit of a run that sets none of kLimits: long enough for a good solution, short enough to wait for.
constexpr const char* kUsualTime = "60s";
/// Options that name an input file. If the file is a pipe, KeptInputs copies its data.
constexpr std::array kFiles{"--linear", "--fixed", "--forbidden", "--initial"};

bool is_among(const auto& words, const std::string& word) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

bool is_set(const RunOptions& run, const std::string& key, const std::string& value) {
    return std::any_of(run.set.begin(), run.set.end(),
                       [&](const auto& assignment) { return assignment.first == key && assignment.second == value; });
}

/// Removes the quotes of a TOML text. Returns an empty text if `value` has no quotes, or if it has a backslash.
std::string unquoted(const std::string& value) {
    const bool quoted =
        value.size() >= 2 && value.front() == '"' && value.back() == '"' && value.find('\\') == std::string::npos;
    return quoted ? value.substr(1, value.size() - 2) : std::string();
}

}  // namespace

int command_solve(const SolveOptions& options) {
    if (options.instances.size() > 2) {
        throw Error(
            ErrorKind::kUsage,
            fmt::format(
                "solve: wanted an instance, or a file of flows and a file of distances; found a third word: \"{}\"",
                options.instances[2]));
    }
    for (const std::string& instance : options.instances) {
        if (instance.empty()) throw Error(ErrorKind::kUsage, "solve: wanted a file or a name, found \"\"");
    }
    RunOptions run = options.run;
    KeptInputs inputs(!is_set(run, "output.record", "false"));
    const std::string instance = inputs.keep(options.instances.at(0));
    run.spelled.emplace("problem.instance", options.instances[0]);
    std::vector<std::pair<std::string, std::string>> named{{"problem.instance", toml_quoted(instance)}};
    if (options.instances.size() > 1) {
        named.emplace_back("problem.matrix_b", toml_quoted(inputs.keep(options.instances[1])));
        run.spelled.emplace("problem.matrix_b", options.instances[1]);
    }
    for (auto& [key, value] : run.set) {
        const auto option = run.spelled.find(key);
        const std::string file = option != run.spelled.end() && is_among(kFiles, option->second) ? unquoted(value) : "";
        if (!file.empty()) value = toml_quoted(inputs.keep(file));
    }
    run.set.insert(run.set.begin(), named.begin(), named.end());
    const bool limited =
        std::any_of(run.set.begin(), run.set.end(), [](const auto& a) { return is_among(kLimits, a.first); });
    const auto has = [&](const char* key) {
        return std::any_of(run.set.begin(), run.set.end(), [key](const auto& a) { return a.first == key; });
    };
    if (!has("run.iterations") && !has("run.stop_at_optimum")) run.set.emplace_back("run.stop_at_optimum", "true");
    if (!limited) run.set.emplace_back("run.time_limit", kUsualTime);
    run.only_answers = true;
    return command_run(run);
}

}  // namespace qapfw::framework
