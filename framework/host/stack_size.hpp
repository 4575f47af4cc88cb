// SPDX-License-Identifier: Apache-2.0
// Handles small stack limits (`ulimit -s 64`). The limit is also the default stack size of threads, and a search on 64
// KiB ends with a segmentation fault.
#pragma once

#include <functional>

namespace qapfw::framework {

/// Gives all later threads at least the usual stack, and calls `work` on such a stack. Uses another thread for it if
/// this thread's stack is too small and cannot grow. Call it once, before there are threads.
int with_enough_stack(const std::function<int()>& work);

}  // namespace qapfw::framework
