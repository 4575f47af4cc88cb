// SPDX-License-Identifier: Apache-2.0
// Fuzzes TSPLIB instances with any bytes. A matrix that is read has a zero diagonal, and is symmetric for TYPE TSP.
#include <string>

#include "fuzz_support.hpp"
#include "problems/qap/reductions/tsplib.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    qapfw::fuzz::accept_errors("t:", [&] {
        const qapfw::qap::TspInstance tsp = qapfw::qap::read_tsplib(text, "t");
        qapfw::fuzz::require(tsp.n >= 1 && tsp.distance.size() == size_t{tsp.n} * tsp.n);
        for (uint32_t i = 0; i < tsp.n; ++i) {
            qapfw::fuzz::require(tsp.between(i, i) == 0);
            for (uint32_t j = 0; tsp.symmetric && j < i; ++j) {
                qapfw::fuzz::require(tsp.between(i, j) == tsp.between(j, i));
            }
        }
    });
    return 0;
}
