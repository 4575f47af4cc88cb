// SPDX-License-Identifier: Apache-2.0
#include "framework/laboratory/verify/record_checks.hpp"

#include <fstream>

#include "tests/unit/framework/laboratory/verify/made_record.hpp"

using namespace qapfw::framework;
using namespace qapfw::framework::laboratory;
using namespace qapfw::testing;

namespace {

/// Checks a record and returns the findings as text.
std::string checked(const MadeRecord& record, const RunFiles& run) {
    std::string text;
    Findings findings([&](const std::string& line) { text += line; });
    check_run(run, record.truth(), findings);
    CHECK(findings.failed() == (text.find("FAILED") != std::string::npos));
    return text;
}

}  // namespace

TEST_CASE("the record of a run passes all checks, and falsified parts fail by their names") {
    const MadeRecord record;
    const RunFiles made = read_run(record.folder());
    CHECK(checked(record, made).find("FAILED") == std::string::npos);

    RunFiles cheaper = made;
    cheaper.result.best->cost.i -= 1;
    CHECK(checked(record, cheaper).find("FAILED  best solution") != std::string::npos);
    RunFiles other_data = made;
    other_data.result.identity.fingerprint += 1;
    CHECK(
        checked(record, other_data).find("FAILED  instance toy: the instance's data differ from the data of the run") !=
        std::string::npos);
    RunFiles later = made;
    later.result.found.iteration += 1;
    CHECK(checked(record, later).find("FAILED  trace.jsonl") != std::string::npos);

    std::ofstream(record.folder() / "solution.txt") << "8 7 6 5 4 3 2 1 0 ";
    CHECK(checked(record, made).find("solution.txt") != std::string::npos);
    CHECK_THROWS_WITH(read_run(record.folder() / "elsewhere"), doctest::Contains("elsewhere"));
}
