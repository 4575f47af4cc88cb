// SPDX-License-Identifier: Apache-2.0
// Fuzzes `qapfw report`: any bytes as a record's result.json and, after the first zero byte, its trace.jsonl. An
// accepted record goes through the whole report.
#include <string>

#include "framework/laboratory/report/report.hpp"
#include "framework/laboratory/study/run_row.hpp"
#include "framework/record/result.hpp"
#include "fuzz_support.hpp"

using namespace qapfw::framework;
using namespace qapfw::framework::laboratory;

namespace {

void report(const RunRow& row) {
    Plan plan;
    plan.study.title = "a record";
    plan.study.seeds = 1;
    report_page(make_report({plan, {row}, {}, "/", {}}));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const std::string input(reinterpret_cast<const char*>(data), size);
    const size_t cut = input.find('\0');
    const std::string text = input.substr(0, cut);
    const auto trace = parse_trace(cut == std::string::npos ? std::string() : input.substr(cut + 1));
    const std::string version = version_in(text);
    RunRow row;
    try {
        row = row_of(parse_result(text, "result.json"), version);
    } catch (const qapfw::Error& error) {
        qapfw::fuzz::require(std::string_view(error.what()).starts_with("result.json"));
        return 0;
    }
    row.trace = trace;
    row.run = "record";
    report(row);  // an Error from here on is a defect
    return 0;
}
