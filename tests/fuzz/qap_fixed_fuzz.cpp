// SPDX-License-Identifier: Apache-2.0
// Fuzzes files of fixed assignments with any bytes. The first byte plus 1 is the number of facilities. Checks that the
// assignments that are read are completed to a permutation.
#include <algorithm>
#include <string>
#include <vector>

#include "fuzz_support.hpp"
#include "problems/qap/instances/fixed_assignments.hpp"
#include "problems/qap/instances/pair_list.hpp"

using namespace qapfw::qap;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    if (size == 0) return 0;
    const uint32_t n = uint32_t{data[0]} + 1;
    const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
    qapfw::fuzz::accept_errors("t:", [&] {
        const FixedAssignments fixed = fixed_pairs(read_pairs(text, "t", {n, n}), n, "t");
        std::vector<uint16_t> sorted = fixed.completion;
        std::sort(sorted.begin(), sorted.end());
        for (uint32_t k = 0; k < n; ++k) qapfw::fuzz::require(sorted[k] == k);
    });
    return 0;
}
