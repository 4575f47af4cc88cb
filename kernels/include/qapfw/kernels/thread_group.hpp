// SPDX-License-Identifier: Apache-2.0
// A group that consists of one thread, for host and device. With this group, a function for a group of threads can have
// the same code for a warp and for a thread of the CPU. Groups of a GPU's threads are in device_team.hpp.
#pragma once

#include "qapfw/kernels/platform.hpp"

namespace qapfw::kernels {

/// One thread, with the members that every group of threads has. All threads of a group call a member together, and all
/// get the result.
struct ThreadGroup {
    QAPFW_HD int rank() const { return 0; }             ///< number of the calling thread in the group, from 0
    QAPFW_HD static constexpr int size() { return 1; }  ///< threads of the group
    QAPFW_HD void sync() const {}                       ///< afterwards all threads see what each thread wrote before
    /// The sum of the threads' values, added in one fixed order.
    template <class T>
    QAPFW_HD T sum(T value) const {
        return value;
    }
    QAPFW_HD uint32_t least(uint32_t value) const { return value; }  ///< the least of the threads' values
    QAPFW_HD uint32_t most(uint32_t value) const { return value; }   ///< the largest of the threads' values
    /// The value of another thread, the caller's partner. The partner's rank differs from the caller's rank in one bit,
    /// which the second argument gives: 1, 2, 4, ... A single thread has no partner and never calls this.
    QAPFW_HD uint32_t partner(uint32_t value, int) const { return value; }
    /// Number of threads of lower rank whose `own` is true; `all` becomes the number of threads whose `own` is true.
    QAPFW_HD uint32_t count_before(bool own, uint32_t& all) const {
        all = own ? 1 : 0;
        return 0;
    }
};

/// Calls body(k) for begin <= k < end; the members of the group split the numbers k.
template <class Group, class Body>
QAPFW_HD void share_out(const Group& group, uint32_t begin, uint32_t end, const Body& body) {
    for (uint32_t k = begin + static_cast<uint32_t>(group.rank()); k < end; k += static_cast<uint32_t>(group.size())) {
        body(k);
    }
}

/// Calls body(k, k < end) for begin <= k < end. In each step every thread of the group makes one call. In the last step
/// some threads may get a k >= end, so that all threads make every step and may communicate in `body`.
template <class Group, class Body>
QAPFW_HD void step_together(const Group& group, uint32_t begin, uint32_t end, const Body& body) {
    for (uint32_t base = begin; base < end; base += static_cast<uint32_t>(group.size())) {
        const uint32_t k = base + static_cast<uint32_t>(group.rank());
        body(k, k < end);
    }
}

}  // namespace qapfw::kernels
