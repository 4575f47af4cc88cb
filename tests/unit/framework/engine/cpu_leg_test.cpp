// SPDX-License-Identifier: Apache-2.0
#include "framework/engine/cpu_leg.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <thread>

using namespace qapfw;
using namespace qapfw::framework;

namespace {

/// Runs a loop of short waits and returns the highest number of a worker that takes part. The waits end once a worker
/// with a number of at least `enough` has taken part.
std::uint32_t greatest_worker(ThreadPool& pool, std::uint32_t enough) {
    struct Seen {
        std::uint32_t enough;
        std::atomic<std::uint32_t> most{0};
    } seen{enough};
    pool.run(
        400,
        [](void* user, std::uint64_t, std::uint32_t worker) -> qapfw_status {
            auto& all = *static_cast<Seen*>(user);
            std::uint32_t most = all.most;
            while (worker > most && !all.most.compare_exchange_weak(most, worker)) {
            }
            if (all.most < all.enough) std::this_thread::sleep_for(std::chrono::microseconds(200));
            return QAPFW_OK;
        },
        &seen);
    return seen.most;
}

}  // namespace

TEST_CASE("while GPUs are made ready half of a run's threads work, then all of them") {
    PreparationOrder order;
    order.delay = std::chrono::minutes(5);
    const GpuPreparation preparation(std::move(order));
    for (const std::uint32_t threads : {1u, 2u, 5u}) {
        CAPTURE(threads);
        ThreadPool pool(threads);
        {
            CpuLeg leg(&preparation, true, &pool);
            leg.round_begins();
            CHECK(greatest_worker(pool, threads) < (threads + 1) / 2);
            leg.close();
            CHECK(greatest_worker(pool, threads - 1) == threads - 1);
        }
        { const CpuLeg leg(&preparation, true, &pool); }
        CHECK(greatest_worker(pool, threads - 1) == threads - 1);
        const CpuLeg none(nullptr, true, &pool);
        CHECK(greatest_worker(pool, threads - 1) == threads - 1);
    }
}
