// SPDX-License-Identifier: Apache-2.0
// Fuzzes a study's plan.json with any bytes. It is refused with an Error, or is read. A plan that was read must survive
// writing and reading, and its cells must stay within the study's folder.
#include "framework/laboratory/study/plan.hpp"
#include "framework/laboratory/study/study_folder.hpp"
#include "fuzz_support.hpp"

using namespace qapfw::framework;
using namespace qapfw::framework::laboratory;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    Plan plan;
    try {
        plan = parse_plan(text, "plan.json");
    } catch (const qapfw::Error& error) {
        qapfw::fuzz::require(std::string_view(error.what()).starts_with("plan.json"));
        return 0;
    }
    for (const Cell& cell : plan.cells) {
        qapfw::fuzz::require(std::filesystem::path(cell.id).filename() == cell.id && cell.id != "." && cell.id != "..");
    }
    const std::string written = plan_json(plan);  // an Error from here on is a defect
    qapfw::fuzz::require(plan_json(parse_plan(written, "again")) == written);
    return 0;
}
