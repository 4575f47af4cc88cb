// SPDX-License-Identifier: Apache-2.0
#include "framework/laboratory/verify/result_checks.hpp"

#include "tests/unit/framework/laboratory/verify/made_record.hpp"

using namespace qapfw::framework;
using namespace qapfw::framework::laboratory;
using namespace qapfw::testing;

TEST_CASE("a result that does not follow from its configuration gives one message for each defect") {
    const MadeRecord record;
    const RunFiles made = read_run(record.folder());
    CHECK(result_defects(made, record.truth()).empty());

    const auto only_defect = [&](const auto& change) {
        RunFiles changed = made;
        change(changed.result);
        const auto defects = result_defects(changed, record.truth());
        REQUIRE(defects.size() == 1);
        return defects.front();
    };
    CHECK(only_defect([](RunResult& r) { r.stop_reason = "target"; }) ==
          "stop_reason: \"target\" does not follow from the limits of config.toml");
    CHECK(only_defect([](RunResult& r) { r.finished = false; }) ==
          "finished: false does not fit stop_reason \"iterations\"");
    CHECK(only_defect([](RunResult& r) { r.counters.iterations = 43; }) ==
          "iterations: 43, though config.toml ends the run at 42");
    CHECK(only_defect([](RunResult& r) { r.seed = 9; }) == "seed: 9, config.toml has 1");
    CHECK(only_defect([](RunResult& r) { r.wall_seconds = r.seconds / 2; }) == "seconds: larger than wall_seconds");
    RunFiles damaged = made;
    damaged.json.replace(damaged.json.find("42"), 2, "43");
    CHECK_FALSE(result_defects(damaged, record.truth()).empty());
}
