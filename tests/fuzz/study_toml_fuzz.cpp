// SPDX-License-Identifier: Apache-2.0
// Fuzzes a study's study.toml with any bytes.
#include "framework/laboratory/study/study_file.hpp"
#include "fuzz_support.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    qapfw::fuzz::accept_errors("study.toml", [&] { qapfw::framework::laboratory::parse_study(text, "study.toml"); });
    return 0;
}
