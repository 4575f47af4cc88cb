// SPDX-License-Identifier: Apache-2.0
// What a thread keeps of the pairs it owns, in registers: the delta, and the search's word or its mark.
#include "qapfw/kernels/platform.hpp"

namespace qapfw::qap {

/// A delta and a 32-bit word.
template <class Value, int kSlots, bool kMarks>
struct PairSlots {
    static constexpr float kFree = 0, kMarked = 0;
    struct alignas(2 * sizeof(Value)) Touched {
        Value value;
        int32_t payload;
    };
    Value value[kSlots];
    int32_t word[kSlots];

    static QAPFW_DEVICE Value free(int delta) { return static_cast<Value>(delta); }
    QAPFW_DEVICE void put(int slot, const Touched& touched) {
        value[slot] = touched.value;
        word[slot] = touched.payload;
    }
    /// Integers alone: puts where `kept` is 0 and leaves the pair as it was where all bits of `kept` are set.
    QAPFW_DEVICE void put_unless(int slot, int32_t kept, const Touched& touched) {
        const auto all = static_cast<Value>(kept);
        value[slot] = (value[slot] & all) | (touched.value & ~all);
        word[slot] = (word[slot] & kept) | (touched.payload & ~kept);
    }
    QAPFW_DEVICE void renew(int slot, int32_t payload) { word[slot] = payload; }
};

/// A delta and one bit, in one float: without the mark delta + 2^22, with it delta + 2^22 - 2^24. With |delta| < 2^22
/// both are exact integers; marked ones are negative, and their absolute values lie above those of all others, so that
/// min x is the least marked pair, min |x| the least one without a mark.
template <int kSlots>
struct PairSlots<float, kSlots, true> {
    static constexpr float kFree = 4194304.0f, kMarked = 4194304.0f - 16777216.0f;
    struct Touched {
        float value;
    };
    float value[kSlots];

    static QAPFW_DEVICE float free(int delta) { return static_cast<float>(delta) + kFree; }
    QAPFW_DEVICE void put(int slot, const Touched& touched) { value[slot] = touched.value; }
    QAPFW_DEVICE void renew(int slot, int32_t marked) {
        const float delta = value[slot] < 0 ? value[slot] - kMarked : value[slot] - kFree;
        value[slot] = delta + (marked != 0 ? kMarked : kFree);
    }
    QAPFW_DEVICE void unmark(int slot) {
        if (value[slot] < 0) value[slot] += kFree - kMarked;
    }
};

}  // namespace qapfw::qap
