// SPDX-License-Identifier: Apache-2.0
// Fuzzes a record's result.json with any bytes. It is refused with an Error, or is read. What was read must survive
// writing and reading.
#include <string>

#include "framework/record/result.hpp"
#include "fuzz_support.hpp"

using namespace qapfw::framework;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    checksum_defect(text);
    RunResult result;
    try {
        result = parse_unchecked_result(text, "result.json");
        parse_run_lines(text, "result.json");
        parse_wanted_runs(text, "result.json");
    } catch (const qapfw::Error& error) {
        qapfw::fuzz::require(std::string_view(error.what()).starts_with("result.json"));
        return 0;
    }
    const std::string written = to_json(result);  // an Error from here on is a defect
    qapfw::fuzz::require(checksum_defect(written).empty());
    qapfw::fuzz::require(to_json(parse_result(written, "again")) == written);
    return 0;
}
