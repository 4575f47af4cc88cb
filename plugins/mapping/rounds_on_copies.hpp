// SPDX-License-Identifier: Apache-2.0
// Rounds of one search on several threads, each with a copy of the solution. The lead says which exchanges were made,
// and the others repeat them in their copies. So threads read one list from each other, rather than all that changes.
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
    /// Larger solutions are better shared: what one thread does alone would take too long.
    static constexpr std::uint32_t kMostPositions = 16'384;

    /// `rounds` plays on `walk`; both must outlive this object.
    RoundsOnCopies(const sdk::ProblemRef& problem, Rounds& rounds, sdk::SampledWalk& walk, std::uint32_t members);

    /// Threads that are worth it, of so many.
    static std::uint32_t members_for(const Rounds& rounds, std::uint32_t threads);

    /// The walk has another solution: no copy is right.
    void forget_copies();
    /// Before threads are gathered.
    void begin();
    /// One round, from the lead of `team`.
    void play(const RoundOrder& order);
    /// From another thread, until `team` ends.
    void help(std::uint32_t member, const Team& team);

  private:
    /// The exchanges of a round, for copies that are some rounds late.
    struct Made {
        std::atomic<std::uint32_t> count{0};
        std::unique_ptr<std::atomic<std::uint64_t>[]> pairs;  ///< both positions of each
    };
    /// A thread's part of the proposals, and its copy, in cache lines of its own.
    struct alignas(64) Member {
        std::atomic<std::uint64_t> ticket{0};        ///< number of the round, end of its chunks, next one
        alignas(64) std::atomic<bool> wants{false};  ///< its copy is to be made anew, by the lead
        bool is_right = false;                       ///< its copy has been that of the lead
        std::uint64_t current = 0;                   ///< rounds that its copy has
        std::unique_ptr<sdk::SampledWalk> walk;      ///< none of the lead
    };
    static constexpr std::uint64_t kKept = 16;  ///< rounds whose exchanges are kept

    static constexpr std::uint32_t kMostMembers = 16;

    static bool has_work(std::uint64_t ticket) { return (ticket & 0xffff) < (ticket >> 16 & 0xffff); }
    void admit();
    bool catch_up(Member& own);
    bool work_on(Member& part, const sdk::SampledWalk& walk, std::uint32_t number);
    bool work(std::uint32_t member, const sdk::SampledWalk& walk, std::uint64_t number);
    void ask_for_copy(Member& own);

    Rounds& rounds_;
    sdk::SampledWalk& walk_;
    std::vector<Member> members_;  ///< the lead is the first one
    Made made_[kKept];
    std::vector<unsigned char> solution_;
    RoundOrder order_;  ///< of the round whose tickets are out
    std::uint64_t key_ = 0;
    alignas(64) std::atomic<std::uint64_t> played_{0};   ///< rounds whose exchanges are known
    alignas(64) std::atomic<std::uint32_t> done_{0};     ///< chunks of the present round
    alignas(64) std::atomic<std::uint32_t> waiting_{0};  ///< members that want a copy
};

}  // namespace qapfw::mapping
