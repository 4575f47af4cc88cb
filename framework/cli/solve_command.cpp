// SPDX-License-Identifier: Apache-2.0
// `qapfw solve`: a run of which only the instance is said.
#include <algorithm>
#include <array>

#include "framework/cli/commands.hpp"
#include "framework/config/toml_reader.hpp"
#include "qapfw/error.hpp"

namespace qapfw::framework {
namespace {

constexpr std::array kLimits{"run.time_limit", "run.iterations", "run.evaluations", "run.target", "run.stagnation"};
/// Where no limit is given: long enough for a good solution, short enough to wait for.
constexpr const char* kUsualTime = "60s";

}  // namespace

int command_solve(const SolveOptions& options) {
    if (options.instance.empty()) throw Error(ErrorKind::kUsage, "solve: wanted a file or a name, found \"\"");
    RunOptions run = options.run;
    run.set.insert(run.set.begin(), {"problem.instance", toml_quoted(options.instance)});
    run.spelled.emplace("problem.instance", options.instance);
    const bool limited = std::any_of(run.set.begin(), run.set.end(), [](const auto& assignment) {
        return std::find(kLimits.begin(), kLimits.end(), assignment.first) != kLimits.end();
    });
    if (!limited) run.set.emplace_back("run.time_limit", kUsualTime);
    return command_run(run);
}

}  // namespace qapfw::framework
