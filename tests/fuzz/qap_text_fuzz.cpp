// SPDX-License-Identifier: Apache-2.0
// libFuzzer: any bytes as QAPLIB text. Either an Error with line and column, or matrices that survive writing and
// reading; where their costs fit 64 bits, the bounds hold for the identity.
#include <numeric>
#include <string>
#include <vector>

#include "fuzz_support.hpp"
#include "problems/qap/costs/exact_cost.hpp"
#include "problems/qap/instances/qaplib_reader.hpp"

using namespace qapfw::qap;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    qapfw::fuzz::ScaledText input(data, size);
    qapfw::fuzz::accept_errors("t:", [&] {
        const ReadMatrices read = read_qaplib_text(input.text, "t", {.a = input.scale_a, .b = input.scale_b});
        const ReadMatrices back = read_qaplib_text(to_qaplib_text(read.matrices), "t");
        qapfw::fuzz::require(back.matrices.a == read.matrices.a && back.matrices.b == read.matrices.b);
        qapfw::fuzz::require(read.facilities >= 1 && read.facilities <= read.matrices.n);
        const CostBounds bounds = cost_bounds(read.matrices, "t");
        std::vector<uint16_t> identity(read.matrices.n);
        std::iota(identity.begin(), identity.end(), uint16_t{0});
        const int64_t cost = evaluate(read.matrices, identity.data());
        qapfw::fuzz::require(bounds.lower <= cost && cost <= bounds.upper);
    });
    return 0;
}
