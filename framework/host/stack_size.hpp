// SPDX-License-Identifier: Apache-2.0
// Handles small stack limits (`ulimit -s 64`). The limit is also the default stack size of threads, and a search on 64
// KiB ends with a segmentation fault.
#pragma once

#include <functional>

namespace qapfw::framework {

/// Calls `work` on a stack of at least 1 MiB and returns its result. Threads that start later get at least 1 MiB too.
/// If this thread's stack is smaller and cannot grow, `work` runs in a new thread. If no thread can be started, `work`
/// runs in this thread after all. Call this once, before there are threads.
int with_enough_stack(const std::function<int()>& work);

}  // namespace qapfw::framework
