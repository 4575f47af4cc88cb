// SPDX-License-Identifier: Apache-2.0
// When tabu marks end. A neighbourhood with marks keeps "this pair is tabu" as one bit; a mark that was right when its
// pair was last touched must go when the smaller of the pair's two expiries is reached. Expiries of the next iterations
// are listed by iteration: once per window the whole table is looked through, and within a window each new expiry is
// added.
#include "qapfw/kernels/device_team.hpp"

namespace qapfw::tabu {

/// `kWindow` iterations from `start` on; iteration t has its list at t - start.
template <int kWindow, int kColumns>
struct ExpiryCalendar {
    static constexpr uint32_t kCapacity = 8;  ///< of a list; on average two expiries end per iteration
    uint32_t counts[kWindow];
    uint32_t cells[kWindow][kCapacity];  ///< position * kColumns + value
    uint32_t pairs[kCapacity];           ///< pairs to unmark before the next selection: i << 16 | j
    uint32_t pair_count;
    uint32_t crowded;  ///< 1: a list was too short, ask for all marks anew

    /// Lists the expiries of [now, now + kWindow); the team is in step before and after.
    template <class Group, class Memory>
    QAPFW_DEVICE void open(Group group, const Memory& memory, int32_t now) {
        for (int at = group.rank(); at < kWindow; at += group.size()) counts[at] = 0;
        group.sync();
        memory.each_cell(group, [&](int position, int value, int32_t expiry) {
            const uint32_t at = static_cast<uint32_t>(expiry) - static_cast<uint32_t>(now);
            if (at < kWindow) add(static_cast<int32_t>(at), position, value);
        });
        group.sync();
    }
    QAPFW_DEVICE void add(int at, int position, int value) {
        const uint32_t slot = atomicAdd(&counts[at], 1u);
        if (slot < kCapacity) cells[at][slot] = static_cast<uint32_t>(position * kColumns + value);
    }

    /// One warp: which pairs lose their mark at iteration `next`, whose list is number `at`, under the permutation
    /// given.
    template <class Memory, class Permutation>
    QAPFW_DEVICE void prepare(int at, int32_t next, const Memory& memory, const Permutation& permutation) {
        const uint32_t lane = threadIdx.x & 31u;
        const uint32_t count = counts[at];
        bool ends = false;
        int i = 0, j = 0;
        if (lane < count && lane < kCapacity) {
            const int cell = static_cast<int>(cells[at][lane]);
            i = cell / kColumns;
            const int value = cell % kColumns;
            j = permutation.position_of(value);
            // both were to come in the iteration before, and this one has come
            ends = i != j && memory.get(i, value) <= next && memory.get(j, permutation.value_at(i)) >= next;
        }
        const uint32_t ending = __ballot_sync(kernels::kAllLanes, ends);
        if (ends) pairs[__popc(ending & ((1u << lane) - 1u))] = static_cast<uint32_t>(i << 16 | j);
        if (lane == 0) pair_count = static_cast<uint32_t>(__popc(ending));
        if (lane == 0) crowded = count > kCapacity ? 1u : 0u;
    }
};

}  // namespace qapfw::tabu
