// SPDX-License-Identifier: Apache-2.0
// Fuzzes CSV matrices with any bytes: first as one text, then cut in two texts at the first zero byte.
#include <string>

#include "fuzz_support.hpp"
#include "problems/qap/instances/csv_reader.hpp"

using namespace qapfw::qap;

namespace {

void check(const ReadMatrices& read) {
    qapfw::fuzz::require(read.a.rows() >= 1 && read.a.rows() == read.a.columns());
    qapfw::fuzz::require(read.b.rows() >= read.a.rows() && read.b.rows() == read.b.columns());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    qapfw::fuzz::accept_errors("t:", [&] { check(read_csv_stacked({text, "t:"})); });
    const size_t cut = text.find('\0');
    if (cut == std::string::npos) return 0;
    const std::string a = text.substr(0, cut);
    const std::string b = text.substr(cut + 1);
    qapfw::fuzz::accept_errors("t:", [&] { check(read_csv_pair({a, "t:a"}, {b, "t:b"})); });
    return 0;
}
