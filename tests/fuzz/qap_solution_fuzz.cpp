// SPDX-License-Identifier: Apache-2.0
// Fuzzes solution files with any bytes. Checks that a solution is a permutation, and that it does not change if it is
// written and read again.
#include <algorithm>
#include <string>
#include <vector>

#include "fuzz_support.hpp"
#include "problems/qap/costs/exact_cost.hpp"
#include "problems/qap/instances/solution_text.hpp"

using namespace qapfw::qap;

namespace {

void require_permutation(std::vector<uint16_t> p) {
    std::sort(p.begin(), p.end());
    for (size_t k = 0; k < p.size(); ++k) qapfw::fuzz::require(p[k] == k);
}

const QapMatrices kThree{3, {0, 1, 2, 3, 0, 4, 5, 6, 0}, {0, 10, 20, 40, 0, 80, 160, 320, 0}};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    qapfw::fuzz::accept_errors("t:", [&] {
        const QapSolution read = read_solution_text(text, "t", kThree);
        require_permutation(read.p);
        const int64_t cost = evaluate(kThree, read.p.data());
        qapfw::fuzz::require(static_cast<double>(cost) == read.cost);
        const QapSolution back = read_solution_text(to_solution_text(cost, read.p), "t", kThree);
        qapfw::fuzz::require(back.p == read.p && back.warning.empty());
    });
    return 0;
}
