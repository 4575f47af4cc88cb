// SPDX-License-Identifier: Apache-2.0
// Offers solutions to the run before their round ends: the first one of a place (such as HostPlace), then each that is
// better than all before.
#pragma once

#include <atomic>
#include <bit>
#include <cstdint>
#include <mutex>

#include "qapfw/sdk/solver.hpp"

namespace qapfw::sdk {

/// Offers the first solution to the run, then each that is better than all before. Thread-safe; a solution that is not
/// better costs only a comparison.
class Offers {
  public:
    /// Offers the solution to the run if it is better than all before.
    void take(const Run& run, const CostLess& less, const void* solution, qapfw_cost cost) {
        const auto is_better = [&] { return !any_.load(std::memory_order_acquire) || less(cost, best()); };
        if (!is_better()) return;
        const std::lock_guard lock(mutex_);
        if (!is_better()) return;  // another worker was faster
        best_.store(cost.i, std::memory_order_relaxed);
        any_.store(true, std::memory_order_release);
        run.offer(solution, cost);
    }

  private:
    qapfw_cost best() const {
        qapfw_cost cost;
        cost.i = best_.load(std::memory_order_relaxed);
        return cost;
    }
    std::mutex mutex_;
    std::atomic<bool> any_{false};       ///< true after the first offer
    std::atomic<std::int64_t> best_{0};  ///< cost of the best offer so far, as the bytes of a qapfw_cost
};

}  // namespace qapfw::sdk
