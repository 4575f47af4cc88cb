// SPDX-License-Identifier: Apache-2.0
#include "framework/host/thread_pool.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <numeric>
#include <stdexcept>

#include "framework/host/last_error.hpp"

using namespace qapfw::framework;

namespace {

/// Runs a loop through the pool's C interface, with a lambda as its body.
template <class Body>
qapfw_status loop(ThreadPool& pool, std::uint64_t count, Body body) {
    return pool.run(
        count,
        [](void* user, std::uint64_t index, std::uint32_t worker) -> qapfw_status {
            return (*static_cast<Body*>(user))(index, worker);
        },
        &body);
}

}  // namespace

TEST_CASE("a loop runs every index once, whatever the number of workers") {
    for (const std::uint32_t workers : {1u, 2u, 5u, 16u}) {
        ThreadPool pool(workers);
        for (const std::uint64_t count : {0u, 1u, 2u, 1000u}) {
            std::vector<std::atomic<int>> hits(count);
            CHECK(loop(pool, count, [&](std::uint64_t k, std::uint32_t worker) -> qapfw_status {
                      CHECK(worker < workers);
                      ++hits[k];
                      return QAPFW_OK;
                  }) == QAPFW_OK);
            for (const auto& hit : hits) CHECK(hit == 1);
        }
    }
}

TEST_CASE("a worker number is used by one thread at a time") {
    ThreadPool pool(4);
    std::vector<std::atomic<int>> inside(4);
    std::atomic<bool> shared{false};
    loop(pool, 20000, [&](std::uint64_t, std::uint32_t worker) -> qapfw_status {
        if (++inside[worker] != 1) shared = true;
        --inside[worker];
        return QAPFW_OK;
    });
    CHECK_FALSE(shared);
}

TEST_CASE("some workers can be left idle, from the next loop on") {
    ThreadPool pool(6);
    for (const std::uint32_t used : {6u, 2u, 1u, 0u, 6u}) {
        CAPTURE(used);
        pool.use(used);
        std::atomic<std::uint32_t> most{0}, sum{0};
        CHECK(loop(pool, 3000, [&](std::uint64_t, std::uint32_t worker) -> qapfw_status {
                  std::uint32_t seen = most;
                  while (worker > seen && !most.compare_exchange_weak(seen, worker)) {
                  }
                  ++sum;
                  return QAPFW_OK;
              }) == QAPFW_OK);
        CHECK(most < std::max(1u, used));
        CHECK(sum == 3000);
    }
}

TEST_CASE("many short loops one after the other lose no index") {
    ThreadPool pool(3);
    std::atomic<std::uint64_t> sum{0};
    for (int k = 0; k < 3000; ++k) {
        loop(pool, 4, [&](std::uint64_t index, std::uint32_t) -> qapfw_status {
            sum += index;
            return QAPFW_OK;
        });
    }
    CHECK(sum == 3000 * 6);
}

TEST_CASE("a failure stops the loop and brings its message to the caller") {
    for (const std::uint32_t workers : {1u, 4u}) {
        ThreadPool pool(workers);
        std::atomic<int> ran{0};
        const qapfw_status status = loop(pool, 1000000, [&](std::uint64_t index, std::uint32_t) -> qapfw_status {
            ++ran;
            if (index != 3) return QAPFW_OK;
            set_last_error("three is wrong");
            return QAPFW_ERROR_INPUT;
        });
        CHECK(status == QAPFW_ERROR_INPUT);
        CHECK(take_last_error() == "three is wrong");
        CHECK(ran < 1000000);
        CHECK(loop(pool, 10, [](std::uint64_t, std::uint32_t) -> qapfw_status { return QAPFW_OK; }) == QAPFW_OK);
    }
}

TEST_CASE("an exception that leaves a body is a failure, not the end of the process") {
    ThreadPool pool(2);
    const qapfw_status status = loop(pool, 8, [](std::uint64_t index, std::uint32_t) -> qapfw_status {
        if (index == 5) throw std::runtime_error("boom");
        return QAPFW_OK;
    });
    CHECK(status == QAPFW_ERROR);
    CHECK(take_last_error() == "an exception left a parallel loop's body: boom");
}

TEST_CASE("a loop inside a body runs in that body's thread") {
    ThreadPool pool(3);
    std::atomic<int> ran{0};
    std::atomic<bool> same{true};
    loop(pool, 6, [&](std::uint64_t, std::uint32_t outer) {
        return loop(pool, 10, [&](std::uint64_t, std::uint32_t inner) -> qapfw_status {
            if (inner != outer) same = false;
            ++ran;
            return QAPFW_OK;
        });
    });
    CHECK(ran == 60);
    CHECK(same);
}
