// SPDX-License-Identifier: Apache-2.0
// How to choose a pair if the latency of one iteration matters: the search has a multiprocessor's schedulers for
// itself, and few pairs per thread. All pairs are tested, each one once. (Elsewhere the search goes directly to the
// group of slots with the least delta, see TabuSearch::kJumps.) Every pair takes the same few instructions, whatever is
// tabu, and minima are computed as trees. The codes of pairs never change, so they stay in registers.
#include "qapfw/kernels/swap_neighbourhood.hpp"

namespace qapfw::tabu {

/// The least of some values, in as few dependent steps as possible. Overwrites the values.
template <class T, int kCount>
QAPFW_DEVICE T least_of(T (&values)[kCount]) {
#pragma unroll
    for (int step = 1; step < kCount; step *= 2)
#pragma unroll
        for (int k = 0; k + step < kCount; k += 2 * step) values[k] = kernels::least(values[k], values[k + step]);
    return values[0];
}

/// Chooses the best admissible pair of a team. `kUsed` is false if the search chooses in another way. Then the class
/// has only `Shared`, in which the warps of the search put their candidates.
template <class Neighbourhood, bool kUsed>
class StraightChoice {
  public:
    using Value = typename Neighbourhood::Value;
    using Group = typename Neighbourhood::Group;
    using Key = decltype(kernels::ordered(Value{}));
    using Candidate = kernels::Candidate<Key>;
    static constexpr int kSlots = Neighbourhood::kSlots;
    static constexpr int kWarps = Neighbourhood::kThreads / 32;

    /// The best candidate of each warp.
    struct Shared {
        alignas(16) Key keys[kWarps];
        alignas(16) uint32_t codes[kWarps];
    };

    QAPFW_DEVICE explicit StraightChoice(const Neighbourhood& neighbourhood) {
#pragma unroll
        for (int slot = 0; slot < kSlots; ++slot) codes_[slot] = neighbourhood.pair_code(slot);
    }

    /// The best of the team's pairs that expire by `limit` or beat the threshold; all threads get it. Uses shared
    /// memory as over_warps does.
    QAPFW_DEVICE Candidate of_team(const Neighbourhood& neighbourhood, int32_t limit, Value threshold,
                                   Shared& shared) const {
        Candidate best = of_warp(neighbourhood, limit, threshold);
        if constexpr (kWarps > 1) {
            const Group group;
            if (group.lane() == 0) {
                shared.keys[group.warp()] = best.key;
                shared.codes[group.warp()] = best.code;
            }
            group.sync();
            const Shared& all = (&shared)[nought_];
            Key keys[kWarps];
            uint32_t codes[kWarps];
#pragma unroll
            for (int warp = 0; warp < kWarps; ++warp) {
                keys[warp] = all.keys[warp];
                // Without `opaque`, the compiler would delay each load until the needed code is known.
                codes[warp] = static_cast<uint32_t>(kernels::opaque(static_cast<int>(all.codes[warp])));
            }
            best.key = least_of(keys);
#pragma unroll
            for (int warp = 0; warp < kWarps; ++warp)
                if (all.keys[warp] != best.key) codes[warp] = kernels::kNoPair;
            best.code = least_of(codes);
        }
        return best;
    }

  private:
    QAPFW_DEVICE Candidate of_warp(const Neighbourhood& neighbourhood, int32_t limit, Value threshold) const {
        const Value nothing = kernels::Nothing<Value>::value();
        Value values[kSlots], admissible[kSlots];
#pragma unroll
        for (int slot = 0; slot < kSlots; ++slot) {
            const Value delta = neighbourhood.delta(slot);
            admissible[slot] = (neighbourhood.word(slot) <= limit) | (delta < threshold) ? delta : nothing;
            values[slot] = admissible[slot];
        }
        const Value least = least_of(values);
        const Key own = kernels::ordered(least);
        Candidate best{kernels::warp_min(own), kernels::kNoPair};
        uint32_t codes[kSlots];  // selected while warp_min computes the warp's least delta
#pragma unroll
        for (int slot = 0; slot < kSlots; ++slot)
            codes[slot] = admissible[slot] == least ? codes_[slot] : kernels::kNoPair;
        const uint32_t code = least < nothing ? least_of(codes) : kernels::kNoPair;
        best.code = kernels::warp_min(own == best.key ? code : kernels::kNoPair);
        return best;
    }

    uint32_t codes_[kSlots];
    /// Always 0, but the compiler cannot know this. So the compiler keeps an address that was computed with this index,
    /// instead of computing the address again at each use.
    int nought_ = kernels::opaque(0);
};

template <class Neighbourhood>
class StraightChoice<Neighbourhood, false> {
  public:
    struct Shared {
        kernels::Candidate<decltype(kernels::ordered(typename Neighbourhood::Value{}))>
            candidates[Neighbourhood::kThreads / 32];
    };
    QAPFW_DEVICE explicit StraightChoice(const Neighbourhood&) {}
};

}  // namespace qapfw::tabu
