// SPDX-License-Identifier: Apache-2.0
#include "framework/engine/gpu_preparation.hpp"

#include <doctest/doctest.h>

#include <chrono>

using namespace qapfw;
using framework::GpuPreparation;
using framework::PreparationOrder;

TEST_CASE("a run that ends before its GPUs are opened does not wait for them, and they stay closed") {
    const auto begun = std::chrono::steady_clock::now();
    {
        PreparationOrder order;
        order.delay = std::chrono::minutes(5);
        const GpuPreparation preparation(std::move(order));
        CHECK(!preparation.wait_opened(std::chrono::milliseconds(100)));
        CHECK(!preparation.is_finished());
    }
    CHECK(std::chrono::steady_clock::now() - begun < std::chrono::minutes(1));
    for (int k = 0; k < 300; ++k) {  // the run may end at any moment, also just when the thread checks for the end
        PreparationOrder order;
        order.delay = std::chrono::minutes(5);
        const GpuPreparation preparation(std::move(order));
        CHECK(!preparation.wait_opened(std::chrono::milliseconds(k % 3)));
    }
    framework::leave_process(1);  // returns, since no thread was left behind
}
