// SPDX-License-Identifier: Apache-2.0
// A test host whose parallel loops run on threads, in any order.
#pragma once

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include "tests/support/test_host.hpp"

namespace qapfw::test {

class ThreadedHost : public TestHost {
  public:
    explicit ThreadedHost(std::uint32_t workers) {
        host_.worker_count = workers;
        host_.parallel_for = [](void* context, std::uint64_t count, qapfw_loop_body body, void* user) {
            return static_cast<ThreadedHost*>(static_cast<TestHost*>(context))->loop(count, body, user);
        };
    }

  private:
    /// Carries out a parallel_for from the last index to the first. A plugin that relies on ascending order then fails.
    qapfw_status loop(std::uint64_t count, qapfw_loop_body body, void* user) const {
        std::atomic<std::uint64_t> left{count};
        std::atomic<qapfw_status> result{QAPFW_OK};
        const auto work = [&](std::uint32_t worker) {
            for (std::uint64_t k = left--; k > 0 && k <= count; k = left--) {
                if (const qapfw_status status = body(user, k - 1, worker); status != QAPFW_OK) result = status;
            }
        };
        std::vector<std::thread> others;
        for (std::uint32_t worker = 1; worker < host_.worker_count && worker < count; ++worker) {
            others.emplace_back(work, worker);
        }
        work(0);
        for (std::thread& thread : others) thread.join();
        return result;
    }
};

}  // namespace qapfw::test
