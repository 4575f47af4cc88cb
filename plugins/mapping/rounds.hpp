// SPDX-License-Identifier: Apache-2.0
// Annealing in rounds. In a round, a quarter of the positions propose one swap each, and all deltas refer to the same
// solution. Each accepted swap claims its two positions with a priority. A swap is made if its claims are the largest
// on both positions, in an exclusive round (see RoundOrder) also among the neighbours of both positions. So the order
// in which threads work makes no difference.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "plugins/mapping/acceptance.hpp"
#include "plugins/mapping/device/round_rules.hpp"
#include "plugins/mapping/team.hpp"
#include "qapfw/sdk/sampled_walk.hpp"

namespace qapfw::mapping {

/// The description of one round.
struct RoundOrder {
    std::uint64_t seed = 0;
    std::uint64_t number = 0;  ///< number of the round in the run, from 0; each number has its own random draws
    double temperature = 0;    ///< in units of the cost; 0: a swap that raises the cost is never accepted
    /// True: of two swaps whose positions are neighbours, at most one is made in the round. The sum of the deltas
    /// is then exact.
    bool exclusive = false;
};

/// Number of proposals in each round of a search.
inline std::uint32_t proposals_of(std::uint32_t movers) {
    return (movers + 3) / 4;
}

class Rounds {
  public:
    /// The walk must outlive this object. Swaps are proposed only for positions below `movers`.
    Rounds(sdk::SampledWalk& walk, std::uint32_t positions, std::uint32_t movers);

    std::uint32_t proposals() const { return proposals_of(movers_); }  ///< proposals in each round
    /// Removes all claims, so that the next round may have any RoundOrder::number.
    void forget_claims();
    /// Plays one round; called by the lead of `team`. Returns the sum of the deltas of the swaps made.
    std::int64_t play(const RoundOrder& order, Team& team);

    // The steps of a round, for callers that split the work in another way than play().
    std::uint32_t chunks() const { return chunks_; }  ///< number of chunks into which a round's proposals are divided
    /// Makes the proposals of one chunk and keeps the accepted ones. `walk` is the solution or a copy of the solution.
    /// Threads may call this function for different chunks at the same time.
    void propose(const sdk::SampledWalk& walk, std::uint32_t chunk, const RoundOrder& order, std::uint64_t key);
    /// Called by one thread after all proposals. First, each accepted swap claims its two positions. Then each
    /// swap that wins both positions is made, and made(u, v) is called for this swap.
    template <class Made>
    void make_exchanges(const RoundOrder& order, std::uint64_t key, Made&& made) {
        atomic_ = false;
        fetch();
        for (std::uint32_t chunk = 0; chunk < chunks_; ++chunk) claim_all(chunk, order, key);
        for (std::uint32_t chunk = 0; chunk < chunks_; ++chunk) exchange(chunk, order, key, made);
    }

  private:
    static constexpr std::uint32_t kChunk = 64;  ///< proposals that a thread takes at a time
    struct Accepted {
        std::uint32_t u, v;
        std::int64_t delta;
    };
    /// The accepted swaps of one chunk of proposals, in cache lines of their own.
    struct alignas(64) Chunk {
        std::uint32_t count = 0;
        std::int64_t sum = 0;  ///< sum of the deltas of the swaps that were made
        Accepted accepted[kChunk];
    };
    /// Prefetches the first four cache lines of each chunk, which other threads have written.
    void fetch() const {
        for (const Chunk& chunk : accepted_) {
            for (std::size_t line = 0; line < 4; ++line)
                __builtin_prefetch(reinterpret_cast<const char*>(&chunk) + 64 * line);
        }
    }
    void claim_all(std::uint32_t chunk, const RoundOrder& order, std::uint64_t key);
    bool wins(const Accepted& accepted, std::uint64_t priority, bool exclusive) const;
    void claim(std::uint32_t position, std::uint64_t priority);
    template <class Made>
    void exchange(std::uint32_t chunk, const RoundOrder& order, std::uint64_t key, Made&& made) {
        Chunk& own = accepted_[chunk];
        own.sum = 0;
        for (std::uint32_t k = 0; k < own.count; ++k) {
            const Accepted& one = own.accepted[k];
            if (!wins(one, priority_of(order.number, key, one.u), order.exclusive)) continue;
            walk_.exchange(one.u, one.v);
            own.sum += one.delta;
            made(one.u, one.v);
        }
    }

    sdk::SampledWalk& walk_;
    std::uint32_t positions_, movers_, chunks_;
    NegativeLogarithms logarithms_;
    std::unique_ptr<std::atomic<std::uint64_t>[]> claims_;  ///< claim on each position; the largest wins
    std::vector<Chunk> accepted_;
    bool atomic_ = true;  ///< true: claims are atomic, because several threads make them at the same time
};

}  // namespace qapfw::mapping
