// SPDX-License-Identifier: Apache-2.0
// Device code of one form of the QAP, in a separate namespace. Before including this file, define QAP_VARIANT and the
// macros at the head of qap_problem.cuh. The file is included once for each form, so it has no guard.
#define qap QAP_VARIANT
#include "problems/qap/device/qap_problem.cuh"

#include "problems/qap/device/qap_child_cost.cuh"
#undef qap

namespace qapfw::QAP_VARIANT {

/// Draws random matrices. Makes each child from a parent by 0 to kN random swaps. Computes the child's cost from the
/// parent's cost, and compares it with the cost computed from scratch.
inline void check_child_costs(std::uint64_t seed) {
    std::vector<Element> a(kN * kN), b(kN * kN);
    std::uint32_t drawn = 0;
    const auto draw = [&](std::uint32_t range) {
        ++drawn;
        return kernels::below(kernels::draw(seed, drawn, 0, 1, 0), range);
    };
    for (auto* m : {&a, &b}) {
        for (int i = 0; i < kN; ++i) {
            for (int j = 0; j < kN; ++j) {
                const bool mirrored = kSymmetric && j < i;
                const auto fresh = static_cast<Element>(i == j && !kDiagonal ? 0 : draw(QAP_RANGE));
                (*m)[i * kN + j] = mirrored ? (*m)[j * kN + i] : fresh;
            }
        }
    }
    const View view{a.data(), b.data(), nullptr, 77};
    std::vector<std::uint16_t> parent(kN), child;
    for (int k = 0; k < kN; ++k) parent[k] = static_cast<std::uint16_t>(k);
    for (int exchanges = 0; exchanges <= kN; exchanges = exchanges < 8 ? exchanges + 1 : exchanges * 2) {
        child = parent;
        for (int k = 0; k < exchanges; ++k) std::swap(child[draw(kN)], child[draw(kN)]);
        std::int64_t known = 0, expected = 0, found = 0;
        // Both warps of the CUDA block use the same matrices. `found` is the second warp's result.
        test::EmulatedBlock::run_grid({1, 1, 1}, {64, 1, 1}, [&] {
            static ChildCosts costs;
            costs.load(view);
            __syncthreads();
            const kernels::WarpGroup warp;
            const auto of_parent = [&](int k) { return static_cast<int>(parent[k]); };
            const auto of_child = [&](int k) { return static_cast<int>(child[k]); };
            const std::int64_t before = cost(warp, view, of_parent), full = cost(warp, view, of_child);
            const std::int64_t after = costs.after(warp, view, of_parent, before, of_child);
            CHECK(costs.of(warp, view, of_child) == full);
            if (threadIdx.x == 63) known = before, expected = full, found = after;
        });
        CAPTURE(kN);
        CAPTURE(exchanges);
        CHECK(found == expected);
        if (exchanges == 0) CHECK(found == known);
        parent = child;
    }
}

}  // namespace qapfw::QAP_VARIANT

#undef QAP_VARIANT
#undef QAP_N
#undef QAP_MOVABLE
#undef QAP_ELEMENT
#undef QAP_PLANES
#undef QAP_SYMMETRIC
#undef QAP_DIAGONAL
#undef QAP_DELTA_SCALE
#undef QAP_VALUE
#undef QAP_RANGE
