// SPDX-License-Identifier: Apache-2.0
// Rounds of one search on several threads, each with a copy of the solution. One thread is the lead: it lists the
// swaps that were made, and the other threads repeat these swaps in their copies. So they read only this list
// from the lead.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "plugins/mapping/rounds.hpp"
#include "plugins/mapping/team.hpp"
#include "qapfw/sdk/problem_ref.hpp"

namespace qapfw::mapping {

class RoundsOnCopies {
  public:
    /// Largest number of positions for which this class is used. In larger solutions, the lead thread's own work would
    /// take too long.
    static constexpr std::uint32_t kMostPositions = 16'384;

    /// `rounds` works on `walk`. Both must outlive this object.
    RoundsOnCopies(const sdk::ProblemRef& problem, Rounds& rounds, sdk::SampledWalk& walk, std::uint32_t members);

    /// Returns how many of the given threads are worth using.
    static std::uint32_t members_for(const Rounds& rounds, std::uint32_t threads);

    /// Marks all copies as wrong. Call this when the walk has got another solution.
    void forget_copies();
    /// Forgets all requests for copies. Call this before threads are gathered.
    void begin();
    /// Plays one round. Called by the lead of `team`.
    void play(const RoundOrder& order);
    /// Called by every other thread of `team`; works until `team` ends.
    void help(std::uint32_t member, const Team& team);

  private:
    /// The swaps of a round. Copies that are some rounds behind need them.
    struct Made {
        std::atomic<std::uint32_t> count{0};
        /// The pair of positions of each swap in the round: one in the high, one in the low 32 bits.
        std::unique_ptr<std::atomic<std::uint64_t>[]> pairs;
    };
    /// A thread's part of the proposals and the thread's copy of the solution. Each Member has its own cache lines.
    struct alignas(64) Member {
        /// Holds three numbers: the round in the high 32 bits, the end of the part's chunks in the 16 bits below, and
        /// the next chunk in the low 16 bits.
        std::atomic<std::uint64_t> ticket{0};
        alignas(64) std::atomic<bool> wants{false};  ///< the thread waits for a new copy of the lead's solution
        bool is_right = false;                   ///< the thread's copy is the lead's solution after `current` rounds
        std::uint64_t current = 0;               ///< number of rounds whose swaps the thread's copy includes
        std::unique_ptr<sdk::SampledWalk> walk;  ///< the copy of the solution; the lead has none
    };
    static constexpr std::uint64_t kKept = 16;  ///< number of rounds whose swaps are kept

    static constexpr std::uint32_t kMostMembers = 16;

    static bool has_work(std::uint64_t ticket) { return (ticket & 0xffff) < (ticket >> 16 & 0xffff); }
    void admit();
    bool catch_up(Member& own);
    bool work_on(Member& part, const sdk::SampledWalk& walk, std::uint32_t number);
    bool work(std::uint32_t member, const sdk::SampledWalk& walk, std::uint64_t number);
    void ask_for_copy(Member& own);

    Rounds& rounds_;
    sdk::SampledWalk& walk_;
    std::vector<Member> members_;  ///< the first one is the lead
    Made made_[kKept];
    std::vector<unsigned char> solution_;
    RoundOrder order_;  ///< the round that is being played
    std::uint64_t key_ = 0;
    alignas(64) std::atomic<std::uint64_t> played_{0};   ///< number of rounds whose swaps the lead has listed
    alignas(64) std::atomic<std::uint32_t> done_{0};     ///< finished chunks of the present round
    alignas(64) std::atomic<std::uint32_t> waiting_{0};  ///< members that wait for a copy
};

}  // namespace qapfw::mapping
