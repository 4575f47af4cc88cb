// SPDX-License-Identifier: Apache-2.0
// Fuzzes CSV files of published results with any bytes.
#include "framework/laboratory/study/reference.hpp"
#include "fuzz_support.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace qapfw::framework;
    using namespace qapfw::framework::laboratory;
    const std::string text(reinterpret_cast<const char*>(data), size);
    References references;
    qapfw::fuzz::accept_errors("r.csv", [&] { parse_reference(text, {"r.csv", "paper", 10, ""}, references); });
    for (const ReferenceFigures& line : references.figures) qapfw::fuzz::require(line.runs >= 1);
    return 0;
}
