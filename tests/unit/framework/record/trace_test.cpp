// SPDX-License-Identifier: Apache-2.0
#include "framework/record/trace.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/unit/framework/record/sample_result.hpp"

using namespace qapfw::framework;
using namespace qapfw::framework::testing;

namespace {

std::string line(std::int64_t cost) {
    return trace_line({}, {0.5, 10, 200, 7, 1, cost_of(cost)}) + "\n";
}

}  // namespace

TEST_CASE("a trace line tells time, effort, cost and where it was found") {
    const auto json = nlohmann::json::parse(line(9007199254740993));
    CHECK(json["seconds"] == 0.5);
    CHECK(json["iterations"] == 10);
    CHECK(json["evaluations"] == 200);
    CHECK(json["cost"] == 9007199254740993);
    CHECK(json["cost_text"] == "9007199254740993");
    CHECK(nlohmann::json::parse(trace_head(sample_result()))["schema_version"] == 1);
}

TEST_CASE("a trace is checked line by line, and a last line that was cut is passed over") {
    const std::string head = trace_head(sample_result()) + "\n";
    TraceCheck check = check_trace(head + line(9) + line(5) + "{\"seconds\": 0.", {});
    CHECK(check.defect.empty());
    CHECK(check.lines == 2);
    CHECK(check.last->cost.i == 5);
    CHECK(check_trace(head + line(5) + line(5), {}).defect == "line 3 is no improvement");
    CHECK(check_trace(head + "{\n" + line(5), {}).defect.rfind("line 2: ", 0) == 0);
    CHECK(check_trace(head, {}).lines == 0);
    CHECK(check_trace("", {}).defect.empty());
    std::string other = line(5);
    other.replace(other.find("\"cost\":5"), 8, "\"cost\":4");
    CHECK(check_trace(head + other, {}).defect ==
          "line 2: its costs do not agree with each other, or it has a key that qapfw does not write");
    const std::string earlier = trace_line({}, {0.4, 10, 200, 7, 1, cost_of(5)}) + "\n";
    CHECK(check_trace(head + line(9) + earlier, {}).defect ==
          "line 3 has less time, fewer iterations or fewer evaluations than the line before");
}
