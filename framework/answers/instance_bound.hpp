// SPDX-License-Identifier: Apache-2.0
// A lower bound of the instance, computed beside a run that is to end at its optimum.
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
    /// Begins at once. The problem must outlive this object.
    explicit InstanceBound(const Problem& problem);
    /// Ends it.
    ~InstanceBound();
    InstanceBound(const InstanceBound&) = delete;
    InstanceBound& operator=(const InstanceBound&) = delete;

    /// [thread-safe] The bound, once it is known. Waits for it no longer than this.
    std::optional<ProvenBound> wait(std::chrono::microseconds patience) const;

    /// True if the problem has such bounds.
    static bool has(const Problem& problem);

  private:
    void compute(const std::stop_token& stop);

    const Problem& problem_;
    mutable std::mutex mutex_;
    mutable std::condition_variable done_;
    bool is_done_ = false;
    std::optional<ProvenBound> found_;
    std::jthread thread_;  ///< the last member: it ends before the others go
};

}  // namespace qapfw::framework
