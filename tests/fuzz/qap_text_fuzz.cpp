// SPDX-License-Identifier: Apache-2.0
// Fuzzes QAPLIB texts with any bytes. The result is an Error that begins with the text's name, or matrices that
// survive writing and reading. If their costs fit 64 bits, the cost of the identity lies within the cost bounds.
#include <numeric>
#include <string>
#include <vector>

#include "fuzz_support.hpp"
#include "problems/qap/costs/exact_cost.hpp"
#include "problems/qap/instances/qaplib_reader.hpp"
#include "problems/qap/instances/resolution.hpp"

using namespace qapfw::qap;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    qapfw::fuzz::accept_errors("t", [&] {
        ReadMatrices read = read_qaplib_text(text, "t");
        qapfw::fuzz::require(read.a.rows() >= 1 && read.a.rows() <= read.b.rows());
        const IntegerModel model = to_integers({.a = std::move(read.a), .b = std::move(read.b)}, "t");
        const QapMatrices& matrices = model.matrices;
        const ReadMatrices back = read_qaplib_text(to_qaplib_text(matrices), "t");
        qapfw::fuzz::require(back.a.times_power_of_ten(0) == matrices.a && back.b.times_power_of_ten(0) == matrices.b);
        std::vector<uint16_t> identity(matrices.n);
        std::iota(identity.begin(), identity.end(), uint16_t{0});
        const int64_t cost = evaluate(matrices, identity.data());
        qapfw::fuzz::require(model.bounds.lower <= cost && cost <= model.bounds.upper);
    });
    return 0;
}
