// SPDX-License-Identifier: Apache-2.0
// Tests device code, compiled for the host, that multiplies the two matrices under a permutation. A search on tiles
// starts with this product.
#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <random>
#include <vector>

#include "tests/support/emulated_intrinsics.hpp"

#define qap qap_tile_start
#define QAP_N 43
#define QAP_MOVABLE 43
#define QAP_SYMMETRIC 0
#define QAP_DIAGONAL 0
#define QAP_DELTA_SCALE 1
#define QAP_VALUE int32_t
#define QAP_ELEMENT uint16_t
#define QAP_PLANES 2
#define QAP_ROW 48
#include "problems/qap/device/qap_matrices.cuh"
#include "problems/qap/device/qap_tile_shape.cuh"
#include "problems/qap/device/qap_tile_start.cuh"

namespace qapfw::qap {
namespace {

struct StartCase {
    std::vector<Element> a = std::vector<Element>(2 * kN * kRow), b = a;  ///< each matrix, then its transpose
    std::vector<uint16_t> p = std::vector<uint16_t>(kPaddedN);

    explicit StartCase(uint32_t seed) {
        std::mt19937 random(seed);
        for (std::vector<Element>* m : {&a, &b})
            for (int i = 0; i < kN; ++i)
                for (int j = 0; j < kN; ++j)
                    (*m)[i * kRow + j] = (*m)[(kN + j) * kRow + i] = i == j ? 0 : static_cast<Element>(random());
        std::iota(p.begin(), p.begin() + kN, 0);
        std::shuffle(p.begin(), p.begin() + kN, random);
    }
    uint64_t element(int side, int u, int v) const {
        uint64_t sum = 0;
        for (int k = 0; k < kN; ++k)
            sum += uint64_t{a[(side * kN + u) * kRow + k]} * b[(side * kN + p[v]) * kRow + p[k]];
        return sum;
    }
};

template <int kWarps, int kBytes>
void check_product(uint32_t seed, int strips) {
    using Product = PermutedProduct<kernels::Team<kWarps>, kBytes>;
    CHECK(Product::kStrips == strips);
    const StartCase test(seed);
    const View view{test.a.data(), test.b.data(), nullptr, 0};
    const auto matrices = std::make_unique<MatricesShared>();
    const auto shared = std::make_unique<typename Product::Shared>();
    std::vector<Sum> found(kN * kN);
    int64_t trace = 0;
    test::EmulatedBlock::run_grid({1, 1, 1}, {32 * kWarps, 1, 1}, [&] {
        const kernels::Team<kWarps> group;
        load_matrices(*matrices, view);
        group.sync();
        const int64_t own =
            Product::compute(*matrices, test.p.data(), *shared, group.rank() == 0 ? 5 : 0, [&](int first) {
                for (int v = 0; v < kN; ++v)
                    for (int u = group.rank(); Product::holds(first, v) && u < kN; u += 32 * kWarps)
                        found[u * kN + v] = shared->strip[v - first][u];
            });
        if (group.rank() == 0) trace = own;
    });
    uint64_t sum = 5;
    for (int u = 0; u < kN; ++u) {
        sum += test.element(0, u, u);
        for (int v = 0; v < kN; ++v) {
            CAPTURE(u);
            CAPTURE(v);
            REQUIRE(found[u * kN + v] == static_cast<Sum>(test.element(0, u, v) + test.element(1, u, v)));
        }
    }
    CHECK(static_cast<uint64_t>(trace) == sum);
}

}  // namespace
}  // namespace qapfw::qap

TEST_CASE("tiles on the device: products of all rows and their trace start a search, in one strip or several") {
    using namespace qapfw::qap;
    check_product<1, 1>(1, 6);
    check_product<4, 16 * 44 * 4 + 8 * 4>(2, 3);
    check_product<3, 32 * 44 * 4 + 8 * 3>(3, 2);
    check_product<2, 43 * 44 * 4 + 8 * 2>(4, 1);
    check_product<8, 43 * 44 * 4 + 8 * 8>(5, 1);
}
