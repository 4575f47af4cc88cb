// SPDX-License-Identifier: Apache-2.0
// A thread's registers for the pairs that it owns: the delta of each, and the word that the search keeps for it.
#include "qapfw/kernels/platform.hpp"

namespace qapfw::qap {

/// The deltas and 32-bit words of a thread's pairs.
template <class Value, int kSlots>
struct PairSlots {
    struct alignas(2 * sizeof(Value)) Touched {
        Value value;
        int32_t payload;
    };
    Value value[kSlots];
    int32_t word[kSlots];

    QAPFW_DEVICE void put(int slot, const Touched& touched) {
        value[slot] = touched.value;
        word[slot] = touched.payload;
    }
    /// For integers only. Puts the pair if `kept` is 0; leaves the slot as it is if all bits of `kept` are set.
    QAPFW_DEVICE void put_unless(int slot, int32_t kept, const Touched& touched) {
        const auto all = static_cast<Value>(kept);
        value[slot] = (value[slot] & all) | (touched.value & ~all);
        word[slot] = (word[slot] & kept) | (touched.payload & ~kept);
    }
    QAPFW_DEVICE void renew(int slot, int32_t payload) { word[slot] = payload; }
};

}  // namespace qapfw::qap
