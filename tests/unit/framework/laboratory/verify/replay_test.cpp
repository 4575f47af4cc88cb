// SPDX-License-Identifier: Apache-2.0
#include "framework/laboratory/verify/replay.hpp"

#include "tests/unit/framework/laboratory/verify/made_record.hpp"

using namespace qapfw::framework;
using namespace qapfw::framework::laboratory;
using namespace qapfw::testing;

TEST_CASE("a run is repeated round by round, and another trajectory, a time limit or another limit is reported") {
    const MadeRecord record;
    const RunFiles made = read_run(record.folder());
    const auto repeated = [&](const RunFiles& run, double most_seconds) {
        std::string text;
        Findings findings([&](const std::string& line) { text += line; });
        check_replay(run, record.config(), {{}, most_seconds, nullptr}, findings);
        return text;
    };
    CHECK(repeated(made, 60) == "ok      run repeated for 9 rounds\n");
    RunFiles changed = made;
    changed.result.counters.digest += 1;
    changed.result.counters.evaluations += 1;
    const std::string text = repeated(changed, 60);
    CHECK(text.find("FAILED  run repeated for 9 rounds: digest: recorded ") == 0);
    CHECK(text.find("evaluations: recorded 127, repeated 126") != std::string::npos);
    changed.result.stop_reason = "time_limit";  // may have cut the last round: evaluations are not compared
    CHECK(repeated(changed, 60).find("evaluations") == std::string::npos);
    changed.result.seconds = 5;
    CHECK(repeated(changed, 1).find("note    not repeated: the run took 5 s, but --replay-limit allows 1 s") == 0);
    changed.result.counters.rounds = 0;
    CHECK(repeated(changed, 60) == "note    not repeated: the run has no complete round\n");
}
