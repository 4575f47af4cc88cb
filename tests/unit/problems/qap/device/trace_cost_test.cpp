// SPDX-License-Identifier: Apache-2.0
// The device's costs by the trace formulation, on emulated threads, for several forms of the QAP.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include "tests/support/emulated_intrinsics.hpp"

#include "problems/qap/costs/exact_cost.hpp"
#include "problems/qap/device/device_problem.hpp"
#include "qapfw/kernels/ga_block.hpp"
#include "qapfw/kernels/generic_swap_neighbourhood.hpp"
#include "tests/unit/problems/qap/matrix_forms.hpp"

namespace qapfw::test {

/// All 64 threads of the block.
struct WholeBlock {
    static int rank() { return static_cast<int>(threadIdx.x); }
    static constexpr int size() { return 64; }
    static std::int64_t sum(std::int64_t value) {
        static std::int64_t all = 0;
        if (rank() == 0) all = 0;
        __syncthreads();
        all += value;
        __syncthreads();
        value = all;
        __syncthreads();
        return value;
    }
};

}  // namespace qapfw::test

#define QAP_TEXT(value) #value
#define QAP_TEXT_OF(value) QAP_TEXT(value)
#define QAP_STATED(macro) "#define " #macro " " QAP_TEXT_OF(macro) "\n"

#define QAP_VARIANT halves_of_bytes_with_fixed
#define QAP_N 14
#define QAP_MOVABLE 12
#define QAP_ELEMENT uint8_t
#define QAP_PLANES 1
#define QAP_SYMMETRIC 1
#define QAP_DIAGONAL 0
#define QAP_DELTA_SCALE 2
#define QAP_ROW 16
#include "tests/unit/problems/qap/device/trace_cost_variant.hpp"

#define QAP_VARIANT two_sided_with_diagonals_of_both_signs
#define QAP_N 11
#define QAP_MOVABLE 10
#define QAP_ELEMENT uint16_t
#define QAP_PLANES 2
#define QAP_SYMMETRIC 0
#define QAP_DIAGONAL 1
#define QAP_DELTA_SCALE 1
#define QAP_ROW 16
#include "tests/unit/problems/qap/device/trace_cost_variant.hpp"

#define QAP_VARIANT one_sided_longer_than_a_warp
#define QAP_N 35
#define QAP_MOVABLE 35
#define QAP_ELEMENT uint32_t
#define QAP_PLANES 4
#define QAP_SYMMETRIC 1
#define QAP_DIAGONAL 0
#define QAP_DELTA_SCALE 1
#define QAP_ROW 36
#include "tests/unit/problems/qap/device/trace_cost_variant.hpp"

TEST_CASE("the device's cost by the trace formulation is that of the definition, by a thread, a warp or a block") {
#if defined(QAPFW_THREAD_SANITIZER)
    MESSAGE("SKIPPED: fibers are slow under the thread sanitizer, and one GPU is one thread");
#else
    using qapfw::qap::test::draw;
    std::mt19937_64 random(8);
    qapfw::halves_of_bytes_with_fixed::check_trace_costs(draw({"", true, true, false, 0, 255}, 14, random),
                                                         {"3->7", "14->2"});
    qapfw::two_sided_with_diagonals_of_both_signs::check_trace_costs(
        draw({"", false, false, true, -300, 300}, 11, random), {"2->2"});
    qapfw::one_sided_longer_than_a_warp::check_trace_costs(draw({"", true, false, false, -99'000, 99'000}, 35, random),
                                                           {});
#endif
}
