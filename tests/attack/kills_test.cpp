// SPDX-License-Identifier: Apache-2.0
// Kills runs of the solvers in solver_cases() at random moments. A resumed run must end like one that was not killed.
#include <random>

#include "tests/attack/attack.hpp"

namespace qapfw::attack {

TEST_CASE("a run that is killed at any moment and resumed ends as if nothing had happened") {
    std::mt19937 random(4711);
    long kills = 0, too_early = 0;
    for (const SolverCase& solver : solver_cases()) {
        const TemporaryFolder place;
        const std::vector<std::string> limit = {"--iterations", std::to_string(solver.iterations), "--out"};
        const Ended whole = testing::qapfw_run(with(with(solver.arguments, limit), {place / "whole"}));
        REQUIRE_MESSAGE(whole.code == 0, solver.name << ": " << whole.err);
        const double seconds = Json::parse(whole.out)["wall_seconds"];
        for (int kill = 0; kill < (is_whole() ? 20 : 1); ++kill) {
            const std::string record = place / ("r" + std::to_string(kill));
            {
                Process process(with(with(solver.arguments, limit), {record}));
                testing::sleep_for(seconds * static_cast<double>(200 + random() % 800) / 1000);
                process.send(SIGKILL);
                process.wait();
            }
            if (!std::filesystem::exists(record + "/config.toml")) {
                ++too_early;
                continue;
            }
            CHECK_MESSAGE(testing::qapfw_run({"verify", record}).code == 0, solver.name);
            const Ended resumed = testing::qapfw_run({"resume", record, "--json"});
            CHECK_MESSAGE(resumed.code == 0, solver.name << ": " << resumed.err);
            CHECK_MESSAGE(same_end(parsed(resumed), Json::parse(whole.out)), solver.name);
            ++kills;
        }
    }
    MESSAGE(kills << " kills resumed exactly, " << too_early << " before there was a record");
}

}  // namespace qapfw::attack
