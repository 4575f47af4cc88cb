// SPDX-License-Identifier: Apache-2.0
// A lower bound of the instance, computed in a thread beside a run that stops once its best solution is proven optimal.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>

#include "framework/problem/problem.hpp"
#include "framework/record/result.hpp"

namespace qapfw::framework {

class InstanceBound {
  public:
    /// Starts the thread that computes the bound. The problem must outlive this object.
    explicit InstanceBound(const Problem& problem);
    /// Stops the thread.
    ~InstanceBound();
    InstanceBound(const InstanceBound&) = delete;
    InstanceBound& operator=(const InstanceBound&) = delete;

    /// [thread-safe] The bound if it is known. Waits for it at most `patience`.
    std::optional<ProvenBound> wait(std::chrono::microseconds patience) const;

    /// True if the problem can compute a lower bound of its instance.
    static bool has(const Problem& problem);

  private:
    void compute(const std::stop_token& stop);

    const Problem& problem_;
    mutable std::mutex mutex_;
    mutable std::condition_variable done_;
    bool is_done_ = false;
    std::optional<ProvenBound> found_;
    std::jthread thread_;  ///< the last member: destroyed first, so the thread ends while the others exist
};

}  // namespace qapfw::framework
