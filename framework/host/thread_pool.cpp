// SPDX-License-Identifier: Apache-2.0
#include "framework/host/thread_pool.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <string>
#include <system_error>

#include "framework/host/failure.hpp"
#include "framework/host/last_error.hpp"
#include "framework/host/log.hpp"

namespace qapfw::framework {
namespace {

constexpr std::uint32_t kOutside = UINT32_MAX;
// Worker number of this thread while it runs a body; else kOutside. So run() knows whether a loop is inside a body.
thread_local std::uint32_t current_worker = kOutside;

/// Calls a plugin's body. A body must not throw, but if it does, the process must not end.
qapfw_status call_body(qapfw_loop_body body, void* user, std::uint64_t index, std::uint32_t worker) {
    try {
        return body(user, index, worker);
    } catch (const std::exception& error) {
        set_last_error(std::string("an exception left a parallel loop's body: ") + error.what());
    } catch (...) {
        set_last_error("an exception of unknown type left a parallel loop's body");
    }
    return QAPFW_ERROR;
}

std::string few_threads(std::uint32_t wanted, std::size_t possible, const std::error_code& code) {
    return std::to_string(wanted) + " threads were wanted, but no more than " + std::to_string(possible) +
           " can be started: " + code.message() + advice_for(code);
}

}  // namespace

struct ThreadPool::Loop {
    Loop(std::uint64_t loop_count, qapfw_loop_body loop_body, void* loop_user, std::uint32_t most_workers)
        : count(loop_count), body(loop_body), user(loop_user), workers(most_workers) {}

    const std::uint64_t count;
    const qapfw_loop_body body;
    void* const user;
    const std::uint32_t workers;  ///< number of workers that may join the loop
    std::atomic<std::uint64_t> next{0};
    std::atomic<bool> failed{false};
    std::mutex failure_mutex;
    std::uint64_t failed_index = UINT64_MAX;
    qapfw_status status = QAPFW_OK;
    std::string message;

    void work(std::uint32_t worker) {
        const std::uint32_t outer = current_worker;
        current_worker = worker;
        while (!failed.load(std::memory_order_relaxed)) {
            const std::uint64_t index = next.fetch_add(1, std::memory_order_relaxed);
            if (index >= count) break;
            const qapfw_status result = call_body(body, user, index, worker);
            if (result != QAPFW_OK) note_failure(index, result);
        }
        current_worker = outer;
    }

    void note_failure(std::uint64_t index, qapfw_status result) {
        const std::lock_guard lock(failure_mutex);
        failed.store(true, std::memory_order_relaxed);
        if (index >= failed_index) return;
        failed_index = index;
        status = result;
        message = take_last_error();
    }
};

ThreadPool::ThreadPool(std::uint32_t workers) : worker_count_(std::max(1u, workers)) {}

ThreadPool::~ThreadPool() {
    {
        const std::lock_guard lock(mutex_);
        ending_ = true;
    }
    work_ready_.notify_all();
    for (std::thread& thread : threads_) thread.join();
}

/// Starts the missing threads.
void ThreadPool::start_threads() {
    while (threads_.size() + 1 < worker_count_) {
        const auto worker = static_cast<std::uint32_t>(threads_.size() + 1);
        threads_.emplace_back(with_present_log([this, worker] { serve(worker); }));
    }
}

void ThreadPool::serve(std::uint32_t worker) {
    std::uint64_t seen = 0;
    std::unique_lock lock(mutex_);
    while (true) {
        work_ready_.wait(lock, [&] { return ending_ || (loop_ != nullptr && loop_number_ != seen); });
        if (ending_) return;
        seen = loop_number_;
        if (worker >= loop_->workers) continue;
        Loop* loop = loop_;
        ++helpers_;
        lock.unlock();
        loop->work(worker);
        lock.lock();
        if (--helpers_ == 0) work_done_.notify_one();
    }
}

qapfw_status ThreadPool::run(std::uint64_t count, qapfw_loop_body body, void* user) {
    Loop loop(count, body, user, used_);
    const bool nested = current_worker != kOutside;
    if (nested || worker_count_ == 1 || loop.workers == 1 || count <= 1) {
        loop.work(nested ? current_worker : 0);
    } else {
        if (threads_.size() + 1 < worker_count_) {
            try {
                start_threads();
            } catch (const std::system_error& error) {  // this is no fault of the plugin that asked for the loop
                set_last_error(few_threads(worker_count_, threads_.size() + 1, error.code()));
                return QAPFW_ERROR_MEMORY;
            }
        }
        {
            const std::lock_guard lock(mutex_);
            loop_ = &loop;
            ++loop_number_;
        }
        work_ready_.notify_all();
        loop.work(0);
        std::unique_lock lock(mutex_);
        loop_ = nullptr;  // a thread that wakes up only now finds no loop
        work_done_.wait(lock, [&] { return helpers_ == 0; });
    }
    if (loop.status != QAPFW_OK) set_last_error(loop.message);
    return loop.status;
}

}  // namespace qapfw::framework
