// SPDX-License-Identifier: Apache-2.0
// Small stacks (`ulimit -s 64`): a thread's stack is as large as that limit says, and a search on one of 64 KiB ends
// with a segmentation fault.
#pragma once

#include <functional>

namespace qapfw::framework {

/// Gives all threads made from here on at least the usual stack, and calls `work` on such a stack. It does so in this
/// thread, or in another one if this thread's stack is too small and cannot grow. Call it once, before there are
/// threads.
int with_enough_stack(const std::function<int()>& work);

}  // namespace qapfw::framework
