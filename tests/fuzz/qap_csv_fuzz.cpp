// SPDX-License-Identifier: Apache-2.0
// libFuzzer: any bytes as CSV matrices, in one text and, cut at the first zero byte, in two.
#include <string>

#include "fuzz_support.hpp"
#include "problems/qap/instances/csv_reader.hpp"

using namespace qapfw::qap;

namespace {

void check(const ReadMatrices& read) {
    const size_t entries = size_t{read.matrices.n} * read.matrices.n;
    qapfw::fuzz::require(read.matrices.a.size() == entries && read.matrices.b.size() == entries);
    qapfw::fuzz::require(read.facilities >= 1 && read.facilities <= read.matrices.n);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const qapfw::fuzz::ScaledText input(data, size);
    const EntryScale scale{.a = input.scale_a, .b = input.scale_b};
    qapfw::fuzz::accept_errors("t:", [&] { check(read_csv_stacked({input.text, "t:"}, scale)); });
    const size_t cut = input.text.find('\0');
    if (cut == std::string::npos) return 0;
    const std::string a = input.text.substr(0, cut);
    const std::string b = input.text.substr(cut + 1);
    qapfw::fuzz::accept_errors("t:", [&] { check(read_csv_pair({a, "t:a"}, {b, "t:b"}, scale)); });
    return 0;
}
