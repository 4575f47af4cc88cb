// SPDX-License-Identifier: Apache-2.0
#include "framework/host/stack_size.hpp"

#include <pthread.h>
#include <sys/resource.h>

#include <csignal>
#include <cstddef>

namespace qapfw::framework {
namespace {

constexpr std::size_t kUsualStack = std::size_t{8} << 20;  // bytes: Linux's usual limit
constexpr std::size_t kLeastStack = std::size_t{1} << 20;

/// True if the main thread's stack may grow to kLeastStack or more, or if the limit is unknown. If the limit is smaller
/// and may be raised, the function raises it. The new limit applies at once.
bool may_grow() {
    rlimit limit{};
    if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= kLeastStack) return true;
    const bool allowed = limit.rlim_max == RLIM_INFINITY || limit.rlim_max >= kLeastStack;
    limit.rlim_cur = limit.rlim_max < kUsualStack ? limit.rlim_max : kUsualStack;
    return allowed && setrlimit(RLIMIT_STACK, &limit) == 0;
}

void enlarge_stacks_of_threads() {
    pthread_attr_t attributes;
    if (pthread_getattr_default_np(&attributes) != 0) return;
    std::size_t size = 0;
    if (pthread_attr_getstacksize(&attributes, &size) == 0 && size < kLeastStack &&
        pthread_attr_setstacksize(&attributes, kUsualStack) == 0) {
        pthread_setattr_default_np(&attributes);
    }
    pthread_attr_destroy(&attributes);
}

struct Task {
    const std::function<int()>& work;
    sigset_t signals;
    int code = 0;
};

void* run_task(void* argument) {
    auto* const task = static_cast<Task*>(argument);
    pthread_sigmask(SIG_SETMASK, &task->signals, nullptr);
    task->code = task->work();
    return nullptr;
}

}  // namespace

int with_enough_stack(const std::function<int()>& work) {
    enlarge_stacks_of_threads();
    if (may_grow()) return work();
    Task task{work, {}, 0};
    // This thread only waits, so it blocks all signals. The signals go to the working thread.
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &task.signals);
    pthread_t thread{};
    const bool started = pthread_create(&thread, nullptr, run_task, &task) == 0;
    if (started) pthread_join(thread, nullptr);
    pthread_sigmask(SIG_SETMASK, &task.signals, nullptr);
    return started ? task.code : work();
}

}  // namespace qapfw::framework
