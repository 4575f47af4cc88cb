// SPDX-License-Identifier: Apache-2.0
// Checks that operators give the same results on a warp of an emulated GPU as on one thread of the host.
#include <doctest/doctest.h>

#include "tests/support/emulated_intrinsics.hpp"

#include "tests/support/operators_data.hpp"
#include "tests/support/operators_kernel.cuh"

using namespace qapfw::test;

TEST_CASE("every operator makes the same child on a warp as on one thread") {
    for (const std::uint32_t n : {1u, 2u, 3u, 12u, 33u, 100u, 300u}) {
        CAPTURE(n);
        const std::uint32_t pairs = n < 100 ? 6 : 2;
        OperatorsData host(n, pairs), device(n, pairs);
        for (std::uint32_t pair = 0; pair < pairs; ++pair) {
            make_children(host.task, pair, qapfw::kernels::ThreadGroup{});
        }
        EmulatedBlock::run_grid({pairs, 1, 1}, {32, 1, 1}, [&] { qapfw_test_operators(device.task); });
        CHECK(device.children == host.children);
        CHECK(device.child_bits == host.child_bits);
    }
}

TEST_CASE("a kernel that holds one crossover makes the child of that name") {
    OperatorsData host(40, 32), device(40, 32);
    for (std::uint32_t pair = 0; pair < 32; ++pair) make_children(host.task, pair, qapfw::kernels::ThreadGroup{});
    EmulatedBlock::run_grid({1, 1, 1}, {32, 1, 1}, [&] { qapfw_test_crossover(device.task); });
    for (std::uint32_t pair = 0; pair < 32; ++pair) {
        const std::uint16_t *const expected = child_at(host.task, pair, 0).perm, *const made =
                                                                                     child_at(device.task, pair, 0)
                                                                                         .perm;
        CHECK(std::vector<std::uint16_t>(made, made + 40) == std::vector<std::uint16_t>(expected, expected + 40));
    }
}
