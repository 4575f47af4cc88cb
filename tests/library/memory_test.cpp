// SPDX-License-Identifier: Apache-2.0
// Calls the library many times, and lets another allocation fail each time. A call that ends because of the failure
// must leave a message. At the end, without a failure, all calls must work.
#include <doctest/doctest.h>

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>
#include <string>
#include <vector>

#include "qapfw/qapfw.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || defined(QAPFW_ADDRESS_SANITIZER) || \
    defined(QAPFW_THREAD_SANITIZER)
#define QAPFW_OWN_ALLOCATOR 0
#else
#define QAPFW_OWN_ALLOCATOR 1
#endif

namespace {

std::atomic<long> before_failure{-1};  // number of allocations before the one that fails; negative: none fails
std::atomic<bool> goes_on{false};      // true: after the first failure, all later allocations fail too

#if QAPFW_OWN_ALLOCATOR
bool fails_now() {
    if (before_failure.load(std::memory_order_relaxed) < 0) return false;
    const long left = before_failure.fetch_sub(1);
    if (left > 0) return false;
    if (goes_on) before_failure = 0;
    return true;
}

void* allocate(std::size_t size, std::size_t alignment) {
    if (fails_now()) return nullptr;
    return alignment <= alignof(std::max_align_t)
               ? std::malloc(size)
               : std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

void* allocate_or_throw(std::size_t size, std::size_t alignment) {
    void* const memory = allocate(size == 0 ? 1 : size, alignment);
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
}
#endif

/// Opens a session and solves a small problem: first once, then twice at the same time. Ends at the first status that
/// is not OK. Frees all at the end.
class Course {
  public:
    /// Runs the course. Allocation `k`, counted from 0, fails; with `rest`, all later allocations fail too. If `k` is
    /// negative, none fails.
    Course(long k, bool rest) {
        goes_on = rest;
        before_failure = k;
        status_ = run();
        met_ = before_failure.load() <= 0 && (rest ? before_failure.load() == 0 : before_failure.load() < 0);
        before_failure = -1;
        sentence_ = found_ ? qapfw_answer_failure(answers_[0]) : qapfw_last_error();
        free();
    }
    qapfw_call_status status() const { return status_; }
    const std::string& sentence() const { return sentence_; }
    bool has_met_failure() const { return met_; }

  private:
    qapfw_call_status run() {
        if (const auto status = qapfw_session_open(nullptr, &session_); status != QAPFW_STATUS_OK) return status;
        qapfw_qap qap{};
        qap.struct_size = sizeof qap;
        qap.flow = {flow, QAPFW_TYPE_INT32, 0, 5, 5, 20, 4};
        qap.distance = {distance, QAPFW_TYPE_INT32, 0, 5, 5, 20, 4};
        if (const auto status = qapfw_model_from_qap(session_, &qap, &model_); status != QAPFW_STATUS_OK) return status;
        static const char* const texts[] = {"run.iterations",     "3",   "run.threads",      "1",
                                            "device.backend",     "cpu", "algorithm.plugin", "tabu",
                                            "algorithm.searches", "1"};
        qapfw_solve_options options{};
        options.struct_size = sizeof options;
        options.options = texts;
        options.option_count = 5;
        options.progress = [](void*, const qapfw_progress*) -> std::int32_t { return 0; };
        if (const auto status = qapfw_solve(model_, &options, &answers_[0]); status != QAPFW_STATUS_OK) return status;
        found_ = *qapfw_answer_failure(answers_[0]) != '\0';  // memory failed after a solution was found
        if (found_) return QAPFW_STATUS_MEMORY;
        std::uint64_t count = 0;
        if (const auto status = qapfw_answer_make_files(model_, answers_[0], &count); status != QAPFW_STATUS_OK) {
            return status;
        }
        // This call returns no status. Null means that memory was short.
        if (qapfw_answer_json(answers_[0]) == nullptr) return QAPFW_STATUS_MEMORY;
        const qapfw_model* const models[] = {model_, model_};
        qapfw_call_status statuses[2]{};
        return qapfw_solve_many(models, 2, &options, answers_ + 1, statuses);
    }
    void free() {
        for (qapfw_answer* answer : answers_) qapfw_answer_free(answer);
        qapfw_model_free(model_);
        qapfw_session_close(session_);
    }

    static constexpr std::int32_t flow[25] = {0, 1, 2, 3, 4, 1, 0, 5, 6, 7, 2, 5, 0,
                                              8, 9, 3, 6, 8, 0, 1, 4, 7, 9, 1, 0};
    static constexpr std::int32_t distance[25] = {0, 3, 1, 4, 1, 3, 0, 5, 9, 2, 1, 5, 0,
                                                  6, 5, 4, 9, 6, 0, 3, 1, 2, 5, 3, 0};
    qapfw_session* session_ = nullptr;
    qapfw_model* model_ = nullptr;
    qapfw_answer* answers_[3] = {};
    qapfw_call_status status_ = QAPFW_STATUS_OK;
    std::string sentence_;
    bool met_ = false, found_ = false;
};

}  // namespace

#if QAPFW_OWN_ALLOCATOR
void* operator new(std::size_t size) {
    return allocate_or_throw(size, 1);
}
void* operator new[](std::size_t size) {
    return allocate_or_throw(size, 1);
}
void* operator new(std::size_t size, std::align_val_t alignment) {
    return allocate_or_throw(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
    return allocate_or_throw(size, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    return allocate(size == 0 ? 1 : size, 1);
}
void operator delete(void* memory) noexcept {
    std::free(memory);
}
void operator delete[](void* memory) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
    std::free(memory);
}
void operator delete[](void* memory, std::align_val_t) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
    std::free(memory);
}
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept {
    std::free(memory);
}
#endif

TEST_SUITE("library memory") {
    TEST_CASE("memory that runs out anywhere is a status and a message, and the next call works") {
        if (!QAPFW_OWN_ALLOCATOR) {
            MESSAGE("SKIPPED: a sanitizer has an allocator of its own");
            return;
        }
        // Loading the plugins takes long, and each course begins it anew until one course has loaded all plugins. So k
        // grows fast in this loop.
        for (long k = 0; Course(k, true).status() != QAPFW_STATUS_OK; k = k * 3 / 2 + 1) REQUIRE(k < 10'000'000);
        long met = 0, told = 0;
        for (const bool rest : {false, true}) {
            for (long k = 0, step = 1;; k += step) {
                CAPTURE(rest);
                CAPTURE(k);
                const Course course(k, rest);
                if (!course.has_met_failure()) {
                    CHECK(course.status() == QAPFW_STATUS_OK);
                    break;
                }
                ++met;
                if (course.status() != QAPFW_STATUS_OK) {
                    ++told;
                    CHECK_FALSE(course.sentence().empty());
                }
                if (k > 2000) step = k / 100;
            }
            const Course whole(-1, false);
            CHECK(whole.status() == QAPFW_STATUS_OK);
        }
        MESSAGE(met << " failures, of which " << told << " ended a call");
        CHECK(told > 300);
    }
}
