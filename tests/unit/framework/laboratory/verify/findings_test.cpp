// SPDX-License-Identifier: Apache-2.0
#include "framework/laboratory/verify/findings.hpp"

#include <doctest/doctest.h>

using namespace qapfw::framework::laboratory;

TEST_CASE("findings are lines with their subject, and one defect is enough to fail") {
    std::string text;
    Findings findings([&](const std::string& line) { text += line; });
    findings.tell("result.json", std::vector<std::string>{});
    findings.set_subject("seed 7: ");
    findings.note("not repeated");
    CHECK_FALSE(findings.failed());
    findings.tell("trace.jsonl", std::vector<std::string>{"a", "b"});
    CHECK(findings.failed());
    CHECK(text ==
          "ok      result.json\nnote    seed 7: not repeated\nFAILED  seed 7: trace.jsonl: a\n"
          "FAILED  seed 7: trace.jsonl: b\n");
}
