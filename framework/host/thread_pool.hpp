// SPDX-License-Identifier: Apache-2.0
// The threads that compute. A loop gives each index to the next worker that is free. The work of a body must depend
// only on its index, so that results do not depend on the number of threads.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

#include "qapfw/abi/host.h"

namespace qapfw::framework {

class ThreadPool {
  public:
    /// `workers`: number of workers. The calling thread is worker 0. The other workers are threads that start at the
    /// first loop that needs them.
    explicit ThreadPool(std::uint32_t workers);
    ~ThreadPool();
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;

    std::uint32_t worker_count() const { return worker_count_; }
    /// [thread-safe] Limits loops that begin from now on to `workers` workers, at least 1.
    void use(std::uint32_t workers) { used_ = workers < 1 ? 1 : workers; }

    /// Calls body(user, index, worker) for each index below `count`, and waits until all calls have ended. After a call
    /// fails, no further index is started. Returns QAPFW_OK, or QAPFW_ERROR_MEMORY if a thread cannot start. If calls
    /// failed, returns the status of the failed call with the smallest index. After an error, take_last_error() returns
    /// its message. If a body calls run() itself, the inner loop runs wholly in the body's thread.
    qapfw_status run(std::uint64_t count, qapfw_loop_body body, void* user);

  private:
    struct Loop;
    void start_threads();
    void serve(std::uint32_t worker);

    const std::uint32_t worker_count_;
    std::atomic<std::uint32_t> used_{worker_count_};
    std::mutex mutex_;                    // guards the members below
    std::condition_variable work_ready_;  // signalled when a loop starts, and by the destructor
    std::condition_variable work_done_;   // signalled when the last helper leaves the loop
    Loop* loop_ = nullptr;                // the loop in progress; null: none
    std::uint64_t loop_number_ = 0;
    std::uint32_t helpers_ = 0;  // number of threads inside the loop besides the caller
    bool ending_ = false;
    std::vector<std::thread> threads_;  // joined by the destructor
};

}  // namespace qapfw::framework
