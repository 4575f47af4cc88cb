// SPDX-License-Identifier: Apache-2.0
// Registers of a thread for the pairs that it owns: the delta of each pair, and the search's 32-bit word for the pair.
#include "qapfw/kernels/platform.hpp"

namespace qapfw::qap {

/// The delta of each pair of a thread, and the search's word for the pair (WORD in
/// qapfw/kernels/swap_neighbourhood.hpp).
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
    /// For integer deltas: stores `touched` in the slot if `kept` is 0; changes nothing if all bits of `kept` are set.
    QAPFW_DEVICE void put_unless(int slot, int32_t kept, const Touched& touched) {
        const auto all = static_cast<Value>(kept);
        value[slot] = (value[slot] & all) | (touched.value & ~all);
        word[slot] = (word[slot] & kept) | (touched.payload & ~kept);
    }
    QAPFW_DEVICE void renew(int slot, int32_t payload) { word[slot] = payload; }
};

}  // namespace qapfw::qap
