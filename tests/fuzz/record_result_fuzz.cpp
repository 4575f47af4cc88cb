// SPDX-License-Identifier: Apache-2.0
// Reads any bytes as a record's result.json. The reader must refuse them with an Error, or return a result. If this
// result is written and read again, it must stay the same.
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
